import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertNetwork } from './conversion/convert-network.ts';
import { type PackManifest, parseManifest } from './manifest.ts';

const DATA = new URL('../../data/', import.meta.url);
const text = readFileSync(new URL('builtin-pack.json', DATA), 'utf8');

/** The built-in manifest with one change. */
function changed(change: (manifest: PackManifest) => unknown): string {
  const manifest = JSON.parse(text);
  change(manifest);
  return JSON.stringify(manifest);
}

/** The package that a built-in network comes from. */
function packageOf(manifest: PackManifest, role: 'mesh' | 'iris') {
  const { source } = manifest.networks[role];
  if (source.kind === 'onnx') throw new Error(`${role} comes from no package`);
  return source;
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
    ['a digest that is none', changed((m) => (packageOf(m, 'mesh').files[0].sha256 = 'abc')), /sha256/],
  ])('with %s is refused', (_name, manifest, message) => {
    expect(() => parseManifest(manifest)).toThrow(message);
  });
});

describe('convertNetwork', () => {
  it.each([
    [
      'other weights than the pinned ones',
      (m: PackManifest) => (packageOf(m, 'iris').files[1].sha256 = '0'.repeat(64)),
      /pins/,
    ],
    [
      'another version of the package',
      (m: PackManifest) => (packageOf(m, 'iris').version = '0.0.1'),
      /version 3/,
    ],
    [
      'a package that is not installed',
      (m: PackManifest) => (packageOf(m, 'iris').package = 'no-such-package'),
      /not installed/,
    ],
    [
      'an output that the graph lacks',
      (m: PackManifest) => (m.networks.iris.outputs['contour']!.node = 'nowhere'),
      /no node nowhere/,
    ],
  ])('refuses %s', async (_name, change, message) => {
    const { networks } = parseManifest(changed(change));
    await expect(convertNetwork(networks.iris, DATA)).rejects.toThrow(message);
  });
});
