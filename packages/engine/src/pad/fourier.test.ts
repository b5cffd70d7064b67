import { expect, it } from 'vitest';
import { noiseAt } from '../../test/drawn/painted.ts';
import { fourierPlanes, PATCH, plainPlanes, powerSpectrum, summedPower } from './fourier.ts';

const patch = (seed: number) =>
  Float32Array.from({ length: PATCH * PATCH }, (_, i) => 100 + 50 * noiseAt(i + seed));

it('has a peak at the frequency of a wave, and nowhere else', () => {
  const wave = Float32Array.from({ length: PATCH * PATCH }, (_, i) =>
    Math.cos((2 * Math.PI * (20 * (i % PATCH) + 7 * Math.floor(i / PATCH))) / PATCH),
  );
  const power = powerSpectrum(wave);
  expect(power.indexOf(Math.max(...power))).toBe(7 * PATCH + 20);
  expect(power[30 * PATCH + 40]!).toBeLessThan(1e-10);
});

it('sums any number of patches, however they are paired for the transform', () => {
  for (const count of [1, 2, 5]) {
    const patches = Array.from({ length: count }, (_, i) => patch(i * 1e5));
    const sum = summedPower(patches);
    const one = patches.map(powerSpectrum);
    for (const at of [1, 130, 5000, 16383]) {
      const apart = one.reduce((total, power) => total + power[at]!, 0);
      expect(Math.abs(sum[at]! / apart - 1)).toBeLessThan(1e-3);
    }
  }
});

it('the module has the values of plain loops', () => {
  for (const second of [undefined, patch(2e5)]) {
    const [own, plain] = [fourierPlanes(), plainPlanes()].map((planes) => planes.power(patch(1), second));
    // Only one of them is a view of the memory of a module.
    expect(own!.byteOffset).not.toBe(plain!.byteOffset);
    expect(Math.max(...plain!.map((value, at) => Math.abs(own![at]! - value) / (value + 1e-3)))).toBeLessThan(
      1e-4,
    );
  }
});

it('logarithms of all values', () => {
  const values = Float32Array.from({ length: PATCH * PATCH }, (_, i) =>
    i === 7 ? 0 : 10 ** (noiseAt(i) * 12 - 6),
  );
  for (const planes of [fourierPlanes(), plainPlanes()]) {
    const logs = planes.logarithms(values, 1e-3);
    const apart = logs.map((value, at) => Math.abs(value - Math.log(values[at]! + 1e-3)));
    expect(Math.max(...apart)).toBeLessThan(2e-6);
  }
});
