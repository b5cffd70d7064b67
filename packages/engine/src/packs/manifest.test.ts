import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PackManifest, parseManifest } from './manifest.ts';

const DATA = new URL('../../data/', import.meta.url);
const text = readFileSync(new URL('builtin-pack.json', DATA), 'utf8');

/** The built-in manifest with one change. */
function changed(change: (manifest: PackManifest) => unknown): string {
  const manifest = JSON.parse(text);
  change(manifest);
  return JSON.stringify(manifest);
}

describe('the pack manifest', () => {
  it('of the built-in pack is valid', () => {
    expect(parseManifest(text).id).toBe('builtin');
  });

  it.each([
    ['no JSON', '{', /not JSON/],
    [
      'a file outside of its folder',
      changed((m) => (m.networks.mesh.file = '../mesh.onnx')),
      /networks\.mesh\.file/,
    ],
    ['no network for a role', changed((m) => Reflect.deleteProperty(m.networks, 'iris')), /networks\.iris/],
    ['a threshold above 1', changed((m) => (m.threshold = 2)), /threshold/],
    ['an unknown field', changed((m) => Object.assign(m, { color: 1 })), /color/],
    ['a digest that is none', changed((m) => (m.networks.mesh.source.sha256 = 'abc')), /sha256/],
  ])('with %s is refused', (_name, manifest, message) => {
    expect(() => parseManifest(manifest)).toThrow(message);
  });
});
