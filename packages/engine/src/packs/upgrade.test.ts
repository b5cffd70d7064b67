import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { innerProduct, toUnitLength } from '../similarity.ts';
import { embeddingSpecOf, parseManifest } from './manifest.ts';
import { upgradeFrom } from './upgrade.ts';

const manifest = parseManifest(
  readFileSync(new URL('../../data/builtin-pack.json', import.meta.url), 'utf8'),
);
const engine = { embeddingSpec: embeddingSpecOf(manifest), upgrades: manifest.upgrades };

/** Templates of plus have more values behind those of the built-in pack. */
const [{ from: plus, keep }] = manifest.upgrades as [(typeof manifest.upgrades)[number]];

const templateOf = (seed: number) =>
  toUnitLength(
    Float32Array.from({ length: plus.dimensions }, (_, i) => Math.sin(seed * 7 + i * (seed + 0.5))),
  );

describe('an upgrade of templates', () => {
  it('of plus keeps the values of the built-in pack alone, at unit length', () => {
    const upgrade = upgradeFrom(engine, plus)!;
    const template = templateOf(1);
    const upgraded = upgrade(template);
    expect(upgraded).toHaveLength(engine.embeddingSpec.dimensions);
    expect(Math.hypot(...upgraded)).toBeCloseTo(1, 6);
    const norm = Math.hypot(...template.subarray(0, keep));
    for (let i = 0; i < keep; i++) expect(upgraded[i]).toBeCloseTo(template[i]! / norm, 6);
    expect(innerProduct(upgraded, upgrade(templateOf(1)))).toBeCloseTo(1, 6);
    expect(template).toEqual(templateOf(1));
  });

  it('is none from another pack, or from templates that are present ones', () => {
    expect(upgradeFrom(engine, { ...plus, version: '1' })).toBeNull();
    expect(upgradeFrom(engine, { ...plus, embedder: 'another' })).toBeNull();
    expect(upgradeFrom(engine, engine.embeddingSpec)).toBeNull();
  });

  it('refuses a template of another length', () => {
    expect(() => upgradeFrom(engine, plus)!(new Float32Array(128))).toThrow(RangeError);
  });

  it.each([
    ['from its own version', { from: { ...engine.embeddingSpec }, keep }],
    ['with more values than there are', { from: plus, keep: plus.dimensions + 1 }],
    ['of nothing', { from: plus, keep: 0 }],
  ])('%s is no valid manifest', (_name, upgrade) => {
    expect(() => parseManifest(JSON.stringify({ ...manifest, upgrades: [upgrade] }))).toThrow(/upgrade/);
  });
});
