import { describe, expect, it } from 'vitest';
import { boxAround, painted } from '../../test/drawn/painted.ts';
import { bilinearCrop, nativeLuminance } from './signal.ts';

it('native luminance repeats the edge outside', () => {
  const pixels = painted(64, 64, (x, y) => x + y);
  const view = nativeLuminance(pixels, boxAround(0, 0, 10), 32);
  expect(view[0]!).toBeCloseTo(pixels.data[0]!, 3);
  expect(view[31 * 32 + 31]!).toBeCloseTo(pixels.data[(15 * 64 + 15) * 3]!, 3);
});

describe('a bilinear crop', () => {
  const box = { x: 10, y: 20, width: 40, height: 40 };

  it('interpolates between the pixels on either side', () => {
    const ramp = painted(64, 64, (x) => 2 * x);
    const { data } = bilinearCrop(ramp, box, 80, 80);
    // The second sample lies at 10 + 1.5 / 2 − 0.5.
    expect(data[1]).toBeCloseTo(2 * 10.25, 4);
    expect(data[40 * 80 + 41]).toBeCloseTo(2 * 30.25, 4);
  });

  it('keeps the alias of a raster that it shrinks, as in the training of the networks', () => {
    const checks = painted(640, 640, (x) => (x % 8 < 4 ? 0 : 200));
    const { data } = bilinearCrop(checks, { x: 0, y: 0, width: 640, height: 640 }, 80, 80);
    expect(new Set(data).size).toBe(1);
    expect([0, 200, 100]).toContain(data[0]);
    const shifted = bilinearCrop(checks, { x: 2, y: 0, width: 600, height: 600 }, 80, 80).data;
    expect(Math.max(...shifted) - Math.min(...shifted)).toBe(200);
  });

  it('stays inside of the box', () => {
    const half = painted(64, 64, (x) => (x < 10 || x >= 50 ? 255 : 0));
    expect(Math.max(...bilinearCrop(half, box, 80, 80).data)).toBe(0);
  });
});
