import { describe, expect, it } from 'vitest';
import { INNER_SIDE, measureLight, type QualityInput, qualityOf } from './quality.ts';

/** An inner face with the luminance of a function at each pixel, 0…255. */
function crop(shade: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: INNER_SIDE ** 2 }, (_, i) =>
    shade(i % INNER_SIDE, Math.floor(i / INNER_SIDE)),
  );
}

/** Squares of 4 pixels: sharp edges. */
const checks = (light: number) => crop((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? light : light / 4));

const good: QualityInput = {
  box: { x: 100, y: 100, width: 200, height: 220 },
  width: 640,
  height: 480,
  pose: { yaw: 5, pitch: -5, roll: 90 },
  light: measureLight(checks(200)),
  unclear: { blurred: 0, dark: 0, covered: 0.4, squeezed: 0 },
};

const failed = (change: Partial<QualityInput>) =>
  qualityOf({ ...good, ...change })
    .filter(({ passed }) => !passed)
    .map(({ name }) => name);

describe('qualityOf', () => {
  it('passes a good face; a tilt does not matter', () => {
    expect(failed({})).toEqual([]);
  });

  it('fails each rule alone', () => {
    expect(failed({ box: { x: 100, y: 100, width: 200, height: 59 } })).toEqual(['size']);
    expect(failed({ light: measureLight(crop((x) => x * 1.5)) })).toEqual(['sharpness']);
    expect(failed({ light: measureLight(checks(70)) })).toEqual(['brightness']);
    expect(failed({ unclear: { ...good.unclear, covered: 0.7 } })).toEqual(['eyes']);
    expect(failed({ unclear: { ...good.unclear, squeezed: 0.7 } })).toEqual(['proportions']);
    expect(failed({ pose: { yaw: -50, pitch: 0, roll: 0 } })).toEqual(['pose']);
    expect(failed({ pose: { yaw: 0, pitch: 41, roll: 0 } })).toEqual(['pose']);
    expect(failed({ box: { x: -60, y: 100, width: 200, height: 220 } })).toEqual(['cropped']);
    expect(failed({ light: measureLight(crop((x, y) => ((x ^ y) & 4 ? 120 : 135))) })).toEqual(['contrast']);
    expect(failed({ light: measureLight(crop((x, y) => ((x ^ y) & 4 ? 190 : 255))) })).toEqual([
      'brightness',
    ]);
  });

  it('reports value, limit and remedy, for a failed rule only', () => {
    const rules = qualityOf({ ...good, box: { x: -100, y: 100, width: 200, height: 220 } });
    const cropped = rules.find(({ name }) => name === 'cropped')!;
    expect(cropped).toMatchObject({ value: 0.5, passed: false });
    expect(cropped.reason).toMatch(/cut off/);
    for (const { passed, reason } of rules) expect(reason === '').toBe(passed);
  });

  it('accepts a face without any light or detail', () => {
    const names = qualityOf({ ...good, light: measureLight(crop(() => 0)) })
      .filter(({ passed }) => !passed)
      .map(({ name }) => name);
    expect(names).toEqual(['sharpness', 'brightness', 'contrast']);
    for (const { value } of qualityOf({ ...good, light: measureLight(crop(() => 0)) }))
      expect(Number.isFinite(value)).toBe(true);
  });
});
