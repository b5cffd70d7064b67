import { expect, it } from 'vitest';
import { PATCH_SIDE, SKIN_PLACES } from '../stages/mesh/skin-places.ts';
import type { SkinPatches } from '../types.ts';
import { compareSkin, skinDetailOf } from './skin-detail.ts';

/** Spots in a pattern of their own for each seed, under a light. @param light brightness at a place of a patch, −1…1 */
function skin(seed: number, light: (x: number, y: number) => number): SkinPatches {
  const plane = PATCH_SIDE ** 2;
  const luma = Uint8Array.from({ length: SKIN_PLACES.length * plane }, (_, i) => {
    const [x, y] = [i % PATCH_SIDE, Math.floor((i % plane) / PATCH_SIDE)];
    const spots = Math.sin(x * (0.9 + 0.13 * seed) + seed) * Math.sin(y * (0.8 + 0.11 * seed) + i / plane);
    const middle = (PATCH_SIDE - 1) / 2;
    return (1 + 0.12 * spots) * light((x - middle) / middle, (y - middle) / middle);
  });
  return { luma, areas: new Float32Array(SKIN_PLACES.length).fill(1) };
}

const meanOf = (of: 'correlation' | 'unlit', a: SkinPatches, b: SkinPatches) => {
  const values = compareSkin(skinDetailOf(a), skinDetailOf(b)).map((comparison) => comparison[of]);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
};

it('finds the same skin under another smooth light, where brightness alone differs', () => {
  const [here, there] = [skin(1, (x) => 120 + 50 * x), skin(1, (x, y) => 110 - 40 * x + 20 * y * y)];
  expect(meanOf('correlation', here, there)).toBeLessThan(0.3);
  expect(meanOf('unlit', here, there)).toBeGreaterThan(0.85);
});

it('tells other skin under the same light, where brightness hardly differs', () => {
  const [here, other] = [skin(1, (x) => 120 + 50 * x), skin(4, (x) => 120 + 50 * x)];
  expect(meanOf('correlation', here, other)).toBeGreaterThan(0.8);
  expect(meanOf('unlit', here, other)).toBeLessThan(0.7);
});
