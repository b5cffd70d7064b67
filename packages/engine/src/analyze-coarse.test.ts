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

it.each([
  ['a coarse copy, of a large face', 900, 1],
  ['a coarse copy, of a face that is just large enough there', 360, 1],
  ['the next finer copy, of a smaller face', 450, 2.1],
])('a template is made of %s, whatever else is measured', async (_, size, times) => {
  const { searches, face } = await faceOf(size, ['embedding', 'mask'], times);
  const { face: detailed } = await faceOf(size, ['embedding', 'mask', 'pose', 'quality', 'crop'], times);
  expect(searches).toBe(1);
  expect([...detailed.embedding!]).toEqual([...face.embedding!]);
  expect([detailed.mask, detailed.box]).toEqual([face.mask, face.box]);
});

it('a face that is tiny there is searched for again with all detail that is kept', async () => {
  const { searches, face } = await faceOf(230, ['embedding']);
  const { face: detailed } = await faceOf(230, ['embedding', 'quality']);
  expect(searches).toBe(2);
  expect([...face.embedding!]).toEqual([...detailed.embedding!]);
});

it('what needs more detail than a template has it', async () => {
  const sharpness = async (attributes: readonly Attribute[]) => {
    const { face } = await faceOf(360, attributes);
    return face.quality!.find(({ name }) => name === 'sharpness')!.value;
  };
  const alone = await sharpness(['quality']);
  expect(await sharpness(['embedding', 'quality'])).toBe(alone);
  const { face } = await faceOf(360, ['crop']);
  expect(face.crop!.box.width).toBeGreaterThan(face.box.width / 2 + 10);
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
