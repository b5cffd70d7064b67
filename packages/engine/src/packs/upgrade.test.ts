import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { innerProduct, toUnitLength } from '../similarity.ts';
import { embeddingSpecOf, parseManifest } from './manifest.ts';
import { upgradeFrom } from './upgrade.ts';

const manifest = parseManifest(
  readFileSync(new URL('../../data/builtin-pack.json', import.meta.url), 'utf8'),
);
const engine = { embeddingSpec: embeddingSpecOf(manifest), upgrades: manifest.upgrades };

/** As version 3 of the built-in pack stored it: never to be computed, and never to be changed. */
const third = {
  pack: 'builtin',
  version: '3',
  embedder: 'mobilefacenet-ms1m+hse-faceres',
  alignment: 'five-landmarks-eyes-and-nose-twice+mesh-468-points-padding-0.45',
  dimensions: 256,
  normalisation: 'l2(6 × centred(crop + mirrored crop), half-whitened(sqrt(features)))',
};

/** A template of version 3: unit-length parts of 128 values, of weights 6 and 1. */
function thirdOf(seed: number): Float32Array {
  const part = (of: number, weight: number) =>
    toUnitLength(Float32Array.from({ length: 128 }, (_, i) => Math.sin(of * 7 + i * (of + 0.5)))).map(
      (value) => value * Math.sqrt(weight / 7),
    );
  return Float32Array.from([...part(seed, 6), ...part(seed + 0.3, 1)]);
}

describe('an upgrade of templates', () => {
  it('of version 3 keeps the embedder part alone, at unit length', () => {
    const upgrade = upgradeFrom(engine, third)!;
    const template = thirdOf(1);
    const upgraded = upgrade(template);
    expect(upgraded).toHaveLength(engine.embeddingSpec.dimensions);
    expect(Math.hypot(...upgraded)).toBeCloseTo(1, 6);
    expect(upgraded.subarray(128).every((value) => value === 0)).toBe(true);
    for (let i = 0; i < 128; i++) expect(upgraded[i]).toBeCloseTo(template[i]! * Math.sqrt(7 / 6), 6);
    const other = thirdOf(2);
    const kept = innerProduct(template.subarray(0, 128), other.subarray(0, 128));
    expect(innerProduct(upgraded, upgrade(other))).toBeCloseTo((kept * 7) / 6, 6);
    expect(template).toEqual(thirdOf(1));
  });

  it('is none from another pack, or from templates that are present ones', () => {
    expect(upgradeFrom(engine, { ...third, version: '2' })).toBeNull();
    expect(upgradeFrom(engine, { ...third, embedder: 'another' })).toBeNull();
    expect(upgradeFrom(engine, engine.embeddingSpec)).toBeNull();
  });

  it('refuses a template of another length', () => {
    expect(() => upgradeFrom(engine, third)!(new Float32Array(128))).toThrow(RangeError);
  });

  it.each([
    ['from its own version', { from: { ...third, version: manifest.version }, keep: 128 }],
    ['with more values than there are', { from: third, keep: 257 }],
    ['of nothing', { from: third, keep: 0 }],
  ])('%s is no valid manifest', (_name, upgrade) => {
    expect(() => parseManifest(JSON.stringify({ ...manifest, upgrades: [upgrade] }))).toThrow(/upgrade/);
  });
});
