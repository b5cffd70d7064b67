import { describe, expect, it } from 'vitest';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { sharedPack } from '../test/support/shared-engine.ts';
import { analyze } from './analyze.ts';
import { measures } from './attributes.ts';
import type { Model } from './runtime/model.ts';
import type { AnalyzeRequest, Attribute } from './types.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };
const { models } = await sharedPack();
const picture = await drawnFace({ width: 640, height: 480, x: 300, y: 240, size: 260, format: 'jpeg' });
const counted = ['mesh', 'iris', 'embedder', 'features'] as const;

/** Crops that run on a face beside the one that finds it. */
async function cropsOf(attributes: readonly Attribute[], more: Partial<AnalyzeRequest> = {}) {
  const crops: Partial<Record<(typeof counted)[number], number>> = {};
  const counting = (role: (typeof counted)[number]): Model => {
    const { spec, network } = models[role];
    const run: typeof network.run = (feeds) => {
      crops[role] = (crops[role] ?? 0) + Object.values(feeds)[0]!.dims[0]!;
      return network.run(feeds);
    };
    return { ...models[role], spec, network: { ...network, run } };
  };
  const own = { ...models, ...Object.fromEntries(counted.map((role) => [role, counting(role)])) };
  const request = { attributes, maxFaces: 1, search: 'fast', ...more } as const;
  const { faces } = await analyze(own, picture, request, limits);
  expect(faces).toHaveLength(1);
  const { mesh = 0, ...others } = crops;
  return { ...(mesh > 1 && { mesh: mesh - 1 }), ...others };
}

/** The crops that the table names, for a face whose states are clear. */
function namedCrops({ mesh, iris, embedder }: (typeof measures)[Attribute]['runs']) {
  const ofMesh = { narrow: 4, all: 7, doubtful: 4, settled: 10 };
  return {
    ...(mesh && { mesh: ofMesh[mesh] }),
    ...(iris && { iris: iris === 'all' ? 6 : 2 }),
    ...(embedder && { embedder: embedder === 'mirrored' ? 2 : 1 }),
  };
}

describe('the networks that run', () => {
  it.each(Object.entries(measures))('for %s are those of the table', async (name, { runs }) => {
    expect(await cropsOf([name as Attribute])).toEqual(namedCrops(runs));
  });

  it('are shared by attributes', async () => {
    expect(await cropsOf(['unclear', 'quickEmbedding', 'embedding', 'mask'])).toEqual({ embedder: 2 });
    expect(await cropsOf(['pose', 'shape', 'mesh', 'gaze', 'eyes', 'mouth'])).toEqual({
      mesh: 7,
      iris: 6,
      embedder: 1,
    });
  });

  it('tell eyes and mouth without the embedder where nothing covers them', async () => {
    const attributes = ['pose', 'eyes', 'mouth'] as const;
    expect(await cropsOf(attributes, { uncovered: true })).toEqual({ mesh: 4, iris: 2 });
    const request = { attributes, maxFaces: 1, search: 'fast' } as const;
    const [seen, told] = await Promise.all([
      analyze(models, picture, { ...request, uncovered: true }, limits),
      analyze(models, picture, request, limits),
    ]);
    expect(seen.faces).toEqual(told.faces);
  });
});
