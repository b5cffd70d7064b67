import { expect, it } from 'vitest';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { sharedPack } from '../test/support/shared-engine.ts';
import { analyze } from './analyze.ts';
import type { Network } from './runtime/model.ts';
import { innerProduct } from './similarity.ts';
import type { Attribute } from './types.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };

const pack = await sharedPack();

/** A face in a JPEG of 2000 × 1600 or more, and how often the picture was searched for it. */
async function faceOf(size: number, attributes: readonly Attribute[], times = 1) {
  const [width, height] = [2000 * times, 1600 * times];
  const at = { x: width / 2, y: height / 2, size: size * times };
  const picture = await drawnFace({ width, height, ...at, format: 'jpeg' });
  const { detector } = pack.models;
  let searches = 0;
  const run: Network['run'] = (feeds) => {
    searches += 1;
    return detector.network.run(feeds);
  };
  const models = { ...pack.models, detector: { ...detector, network: { ...detector.network, run } } };
  const request = { attributes, maxFaces: 1, search: 'fast' } as const;
  const { faces } = await analyze(models, picture, request, limits);
  return { searches, face: faces[0]! };
}

it('a large face is measured on a coarse copy of a large picture', async () => {
  const { searches, face } = await faceOf(900, ['embedding']);
  const { face: detailed } = await faceOf(900, ['embedding', 'quality']);
  expect(searches).toBe(1);
  expect(Math.abs(face.box.x - detailed.box.x)).toBeLessThan(0.02 * face.box.width);
  expect(innerProduct(face.embedding!, detailed.embedding!)).toBeGreaterThan(0.98);
});

it('a face that is small there is measured with all detail that is kept', async () => {
  const { searches, face } = await faceOf(360, ['embedding', 'pose']);
  const { face: detailed } = await faceOf(360, ['embedding', 'quality']);
  expect(searches).toBe(2);
  expect([...face.embedding!]).toEqual([...detailed.embedding!]);
});

it('a template takes fewer pixels of a face than what its mesh tells', async () => {
  const { searches, face } = await faceOf(360, ['embedding', 'mask']);
  const { face: detailed } = await faceOf(360, ['embedding', 'mask', 'quality']);
  expect(searches).toBe(1);
  expect(innerProduct(face.embedding!, detailed.embedding!)).toBeGreaterThan(0.98);
  expect(face.mask!.worn).toBe(detailed.mask!.worn);
});

it('a face that is small there is measured on the next finer copy where that suffices', async () => {
  const { searches, face } = await faceOf(450, ['embedding', 'pose'], 2.1);
  const { face: detailed } = await faceOf(450, ['embedding', 'quality'], 2.1);
  const likeness = innerProduct(face.embedding!, detailed.embedding!);
  expect(searches).toBe(1);
  expect(face.box.width / 5).toBeLessThan(150);
  expect(face.box.width / 3).toBeGreaterThan(150);
  expect(likeness).toBeGreaterThan(0.98);
  expect([...face.embedding!]).not.toEqual([...detailed.embedding!]);
});

it('a template of one crop is near that with the mirror image, and the same beside it', async () => {
  const picture = await drawnFace({ width: 640, height: 480, x: 300, y: 240, size: 260, format: 'jpeg' });
  const look = async (...attributes: Attribute[]) => {
    const request = { attributes, maxFaces: 1, search: 'fast' } as const;
    return (await analyze(pack.models, picture, request, limits)).faces[0]!;
  };
  const quick = (await look('quickEmbedding')).quickEmbedding!;
  const both = await look('embedding', 'quickEmbedding');
  expect(innerProduct(quick, both.quickEmbedding!)).toBeGreaterThan(1 - 1e-6);
  expect(innerProduct(quick, both.embedding!)).toBeGreaterThan(0.9);
  expect(innerProduct(quick, both.embedding!)).toBeLessThan(0.9999);
});
