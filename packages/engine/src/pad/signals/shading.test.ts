import { expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../../test/drawn/painted.ts';
import { cueOf } from '../../../test/support/signal-of.ts';
import { MEAN_FACE } from '../../stages/mesh/pose.ts';
import { shading } from './shading.ts';

const UNIT = 90;
const MIDDLE = 150;
/** The mean face, 180 pixels wide, in the middle of a picture. */
const mesh = {
  points: Float32Array.from(MEAN_FACE, (value, i) => value * UNIT + (i % 3 === 2 ? 0 : MIDDLE)),
  score: 1,
};
const box = boxAround(MIDDLE, MIDDLE, 2 * UNIT);

/** Depth of the mean face at a place, as far away as that of the points next to it. */
function depthAt(x: number, y: number): number {
  let [sum, weights] = [0, 0];
  for (let i = 0; i < mesh.points.length; i += 3) {
    const weight = 1 / ((mesh.points[i]! - x) ** 2 + (mesh.points[i + 1]! - y) ** 2 + 20) ** 2;
    sum += weight * mesh.points[i + 2]!;
    weights += weight;
  }
  return sum / weights;
}

/** Light on a matt relief from the left above the camera, as bright as `lit` says where it faces the lamp. */
const relief = (() => {
  const shade = new Float32Array(300 * 300).fill(100);
  for (let y = 30; y < 270; y += 2) {
    for (let x = 30; x < 270; x += 2) {
      const a = (depthAt(x + 3, y) - depthAt(x - 3, y)) / 6;
      const b = (depthAt(x, y + 3) - depthAt(x, y - 3)) / 6;
      const lit = Math.max(0, -0.5 * a - 0.3 * b + 0.8) / Math.hypot(a, b, 1);
      for (const at of [y * 300 + x, y * 300 + x + 1, (y + 1) * 300 + x, (y + 1) * 300 + x + 1]) {
        shade[at] = 40 + 140 * lit;
      }
    }
  }
  return painted(300, 300, (x, y) => shade[y * 300 + x]! + 3 * noiseAt(y * 300 + x));
})();

/** An even thing with light that falls off to one side, as a sheet before a lamp. */
const flat = painted(300, 300, (x, y) => 170 - 0.2 * x - 0.1 * y + 3 * noiseAt(y * 300 + x));

it('follows the relief of a face, and not of a flat copy of it', async () => {
  const [round, even] = [await cueOf(shading, relief, box, mesh), await cueOf(shading, flat, box, mesh)];
  expect(round['shade-explained']).toBeGreaterThan(0.5);
  expect(round['shade-plane']).toBeLessThan(-0.1);
  expect(even['shade-plane']! - round['shade-plane']!).toBeGreaterThan(0.15);
  expect(round['shade-across']! - even['shade-across']!).toBeGreaterThan(0.1);
});

it('is unknown without a mesh', async () => {
  expect((await cueOf(shading, flat, box))['shade-explained']).toBeNaN();
});
