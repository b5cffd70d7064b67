import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { builtinManifest } from '../../packages/engine/src/packs/builtin.ts';
import { type PackManifest, smallerOf } from '../../packages/engine/src/packs/manifest.ts';
import { convertNetwork } from './convert.ts';
import { quantise } from './quantisation/quantise.ts';
import { repairPRelus } from './repair-prelus.ts';
import { decodeWeights } from './tfjs-weights.ts';

const manifest = await builtinManifest();

/** The package that the iris network of the manifest comes from. */
function packageOf({ networks }: PackManifest) {
  const { source } = networks.iris;
  if (source.kind !== 'tfjs-graph') throw new Error('the network comes from no package');
  return source;
}

describe('convertNetwork', () => {
  it('makes the files that the built-in pack pins', async () => {
    const networks = Object.values(manifest.networks).flatMap((each) => [each, smallerOf(each) ?? []].flat());
    const found = await Promise.all(
      networks.map(async (each) => {
        const sha256 = createHash('sha256').update(await convertNetwork(each));
        return [each.file, sha256.digest('hex')];
      }),
    );
    expect(found).toEqual(networks.map(({ file, source }) => [file, source.sha256]));
  });

  it.each([
    [
      'other weights than the pinned ones',
      (m: PackManifest) => (packageOf(m).files[1].sha256 = '0'.repeat(64)),
      /pins/,
    ],
    ['another version of the package', (m: PackManifest) => (packageOf(m).version = '0.0.1'), /version 3/],
    [
      'a package that is not installed',
      (m: PackManifest) => (packageOf(m).package = 'no-such-package'),
      /not installed/,
    ],
    [
      'an output that the graph lacks',
      (m: PackManifest) => (m.networks.iris.outputs['contour']!.node = 'nowhere'),
      /no node nowhere/,
    ],
  ])('refuses %s', async (_name, change, message) => {
    const changed = structuredClone(manifest);
    change(changed);
    await expect(convertNetwork(changed.networks.iris)).rejects.toThrow(message);
  });
});

// What the pinned networks compute is compared with tfjs in parity.test.ts.
describe('what fits no network is refused', () => {
  const empty = { nodes: [], constants: new Map(), inputs: new Map(), outputs: new Map() };

  it.each([7, 9, 0])('%d bytes where 8 are described', (length) => {
    const spec = { name: 'w', shape: [2], dtype: 'float32' as const };
    expect(() => decodeWeights([spec], new Uint8Array(length))).toThrow(/describes 8/);
  });

  it('a graph that needs no repair, and the range of a value that there is not', () => {
    expect(() => repairPRelus({ nodes: new Map(), weights: new Map() })).toThrow(/no parametric ReLUs/);
    const range = new Map([['nowhere', { range: [0, 1] as const, means: new Uint8Array() }]]);
    expect(() => quantise(empty, range)).toThrow(/no value nowhere/);
  });
});
