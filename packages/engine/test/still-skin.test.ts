import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { stillnessOf } from '../src/series/stillness.ts';
import type { Engine, Face } from '../src/types.ts';
import { drawnFace } from './drawn/drawn-face.ts';
import { type CameraPlacement, headOf, photograph } from './drawn/drawn-head.ts';
import { faceIn, sharedEngine } from './support/shared-engine.ts';
import { uneven } from './support/uneven.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await sharedEngine();
});

const look = (picture: Uint8Array) => faceIn(engine, picture, ['pose', 'mesh', 'skin']);

/** Another grain in each picture, about as coarse as pores: what light makes of skin from another side. */
async function grainy(picture: Uint8Array, seed: number): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  let state = seed;
  const grain = Uint8Array.from({ length: width * height }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  const coarse = await sharp(grain, { raw: { width, height, channels: 1 } })
    .blur(1.6)
    .normalise()
    .linear(0.6, 51)
    .toColourspace('srgb')
    .png()
    .toBuffer();
  return sharp(picture)
    .composite([{ input: coarse, blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** @param change what happens to the picture before it is laid over the head, another one for each turn */
async function turned(change: (picture: Buffer, turn: number) => Promise<Buffer>): Promise<Face[]> {
  const drawn = await uneven(await drawnFace({ person: 'ani' }));
  const { mesh } = await look(drawn);
  const ways: CameraPlacement[] = [{}, { yaw: 20 }, { yaw: -20 }, { pitch: 20 }];
  const faces: Face[] = [];
  for (const [i, way] of ways.entries()) {
    const head = await headOf(await change(drawn, i), mesh!);
    faces.push(await look(await photograph(head, way, 85)));
  }
  return faces;
}

describe('stillness', () => {
  it('is high for one turned picture and low for changing skin', async () => {
    const still = stillnessOf(await turned((picture) => grainy(picture, 1)));
    const alive = stillnessOf(await turned((picture, turn) => grainy(picture, turn + 1)));
    console.info(
      `correlation of one picture ${still.correlation.toFixed(2)}, of four ${alive.correlation.toFixed(2)}`,
    );
    expect(still.pairs).toBeGreaterThan(1);
    expect(still.probability).toBeGreaterThan(0.5);
    expect(alive.pairs).toBe(still.pairs);
    expect(alive.probability).toBeLessThan(0.5);
  });

  it('is not computed for heads that do not turn', async () => {
    const face = await look(await drawnFace({ person: 'budi' }));
    const nothing = { probability: 0.5, correlation: 0, pairs: 0 };
    expect(stillnessOf([face, face])).toEqual(nothing);
    expect(stillnessOf([])).toEqual(nothing);
    expect(stillnessOf([{}, {}])).toEqual(nothing);
  });
});
