import { expect, it } from 'vitest';
import { noiseAt } from '../../test/drawn/painted.ts';
import { PATCH, powerSpectrum, summedPower } from './fourier.ts';

const patch = (seed: number) =>
  Float32Array.from({ length: PATCH * PATCH }, (_, i) => 100 + 50 * noiseAt(i + seed));

it('has a peak at the frequency of a wave, and nowhere else', () => {
  const wave = Float32Array.from({ length: PATCH * PATCH }, (_, i) =>
    Math.cos((2 * Math.PI * (20 * (i % PATCH) + 7 * Math.floor(i / PATCH))) / PATCH),
  );
  const power = powerSpectrum(wave);
  expect(power.indexOf(Math.max(...power))).toBe(7 * PATCH + 20);
  expect(power[30 * PATCH + 40]!).toBeLessThan(1e-20);
});

it('sums any number of patches, however they are paired for the transform', () => {
  for (const count of [1, 2, 5]) {
    const patches = Array.from({ length: count }, (_, i) => patch(i * 1e5));
    const sum = summedPower(patches);
    const one = patches.map(powerSpectrum);
    for (const at of [1, 130, 5000, 16383]) {
      const apart = one.reduce((total, power) => total + power[at]!, 0);
      expect(Math.abs(sum[at]! / apart - 1)).toBeLessThan(1e-9);
    }
  }
});
