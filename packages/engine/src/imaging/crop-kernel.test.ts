import { describe, expect, it } from 'vitest';
import { cutScaled, halvedPixels, type Scaling } from './crop-kernel.ts';
import { type Affine, mirrored, squareCrop } from './geometry.ts';
import { type Crop, cutPlainly } from './sampler.ts';

const [WIDTH, HEIGHT] = [61, 43];

/** Not random, and different in each channel. */
const pixels = Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, i) => (i * 7919 + (i >> 5) * 31) % 256);
const from = { pixels, width: WIDTH, height: HEIGHT };
const scaling: Scaling = { factors: [1 / 127.5, 1 / 255, 2], summands: [-1, 0, -103.9] };

describe('a scaled crop', () => {
  const centre = { x: WIDTH / 2, y: HEIGHT / 2 };
  const views: readonly [string, Affine][] = [
    ['inside', squareCrop(centre, 20, 0, 24)],
    ['rotated, beyond all edges', squareCrop(centre, 90, 0.7, 24)],
    ['mirrored', mirrored(squareCrop(centre, 30, -0.2, 24), 24)],
    ['outside of the picture', squareCrop({ x: -80, y: 200 }, 20, 0, 24)],
    ['at the last pixels', squareCrop({ x: WIDTH, y: HEIGHT }, 6, 0, 24)],
  ];
  const cases = views.flatMap(([name, view]) => [false, true].map((edge) => [name, edge, view] as const));

  it.each(cases)('%s, with repeated edges: %s, has the values of the plain one', (_, edge, view) => {
    // Four pixels are cut at a time: other widths end with fewer.
    for (const width of [24, 22, 3]) {
      const planes = (count: number): Crop => ({
        width,
        height: 24,
        data: new Float32Array(count * width * 24).fill(Number.NaN),
      });
      const [into, plain] = [planes(3), planes(3)];
      expect(cutScaled(from, view, into, edge, scaling)).toBe(true);
      cutPlainly(from, view, plain, edge, scaling);
      const apart = plain.data.map((value, i) => {
        const factor = scaling.factors[Math.floor(i / (width * 24))]!;
        return Math.abs(value - into.data[i]!) / factor;
      });
      expect(Math.max(...apart)).toBeLessThan(0.01);
    }
  });

  it.each(cases)('%s, with repeated edges: %s, has the sum of its planes', (_, edge, view) => {
    const crop = (): Crop => ({ width: 22, height: 24, data: new Float32Array(22 * 24).fill(Number.NaN) });
    const [into, plain] = [crop(), crop()];
    cutScaled(from, view, into, edge, { ...scaling, sum: true });
    cutPlainly(from, view, plain, edge, { ...scaling, sum: true });
    expect(Math.max(...plain.data.map((value, i) => Math.abs(value - into.data[i]!)))).toBeLessThan(0.03);
  });
});

it.each([
  [61, 43],
  [2, 2],
  [5, 4],
  [60, 3],
])('halves %d × %d pixels to the rounded means of four', (width, height) => {
  const halved = halvedPixels({ pixels: pixels.subarray(0, 3 * width * height), width, height });
  const expected: number[] = [];
  for (let y = 0; y + 1 < height; y += 2) {
    for (let x = 0; x + 1 < width; x += 2) {
      for (let channel = 0; channel < 3; channel++) {
        const at = (column: number, row: number) => pixels[3 * (row * width + column) + channel]!;
        expected.push((at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) + 2) >> 2);
      }
    }
  }
  expect([...halved!]).toEqual(expected);
});
