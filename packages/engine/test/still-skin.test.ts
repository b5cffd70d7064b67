import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { captureFaults } from '../src/series/capture-faults.ts';
import { stillnessOf } from '../src/series/stillness.ts';
import type { Face } from '../src/types.ts';
import { drawnFace } from './drawn/drawn-face.ts';
import { type CameraPlacement, headOf, photograph } from './drawn/drawn-head.ts';
import { grainy, shaded } from './support/lit-anew.ts';
import { faceIn, sharedEngine } from './support/shared-engine.ts';
import { uneven } from './support/uneven.ts';

const engine = await sharedEngine();

const look = (picture: Uint8Array) => faceIn(engine, picture, ['pose', 'mesh', 'skin']);

/** A frame as an attacker degrades it: blurred, lighter or darker, with white noise. @param sigma of the noise, 0…255 */
async function degraded(frame: Uint8Array, sigma: number, blur: number, light: number): Promise<Buffer> {
  const { data, info } = await sharp(frame)
    .blur(blur)
    .linear(light, 0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  let state = Math.round(1000 * light) + 1;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < data.length; i++) {
    // The sum of three uniform numbers is nearly normal, with a variance of a quarter.
    const noise = 2 * sigma * (uniform() + uniform() + uniform() - 1.5);
    data[i] = Math.max(0, Math.min(255, Math.round(data[i]! + noise)));
  }
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return sharp(data, { raw }).jpeg({ quality: 92 }).toBuffer();
}

const ways: readonly CameraPlacement[] = [{}, { yaw: 20 }, { pitch: 20 }];

type Change = (picture: Buffer, turn: number) => Promise<Buffer> | Buffer;

/**
 * @param onSkin what happens to the picture before it is laid over the head
 * @param onFrame what happens to each photograph
 */
async function turned(onSkin: Change, onFrame: Change = (frame) => frame): Promise<Face[]> {
  const drawn = await uneven(await drawnFace({ person: 'ani' }));
  const { mesh } = await look(drawn);
  const faces: Face[] = [];
  for (const [i, way] of ways.entries()) {
    const head = await headOf(await onSkin(drawn, i), mesh!);
    faces.push(await look(await onFrame(await photograph(head, way, 85), i)));
  }
  return faces;
}

const oneGrain: Change = (picture) => grainy(picture, 1);

describe('stillness', () => {
  it('is high for one turned picture, low for skin and shading that change; has a signal of each', async () => {
    const still = await stillnessOf(await turned(oneGrain));
    const alive = await stillnessOf(
      await turned(async (picture, turn) => shaded(await grainy(picture, turn + 1), turn + 1)),
    );
    expect(still.pairs).toBe(2);
    expect(still.probability).toBeGreaterThan(0.5);
    expect(alive.pairs).toBe(2);
    expect(alive.probability).toBeLessThan(0.5);
    // Added grain leaves the shading, added shadows leave the correlation.
    const grain = await stillnessOf(await turned((picture, turn) => grainy(picture, turn + 1)));
    expect(grain.correlation).toBeLessThan(still.correlation - 0.1);
    expect(grain.shading).toBeLessThan(0.06);
    const shadows = await stillnessOf(
      await turned(async (picture, turn) => shaded(await oneGrain(picture, turn), turn + 1)),
    );
    expect(shadows.shading).toBeGreaterThan(still.shading + 0.03);
    expect(shadows.correlation).toBeGreaterThan(grain.correlation);
  });

  it('is high where two of three frames are of one picture', async () => {
    const other: Change = async (picture, turn) =>
      turn === 2 ? shaded(await grainy(picture, 2), 2) : picture;
    const { leastDifference, probability } = await stillnessOf(await turned(other));
    expect(leastDifference).toBeLessThan(-11);
    expect(probability).toBeGreaterThan(0.5);
  });

  it('is high for one turned picture with noise, blur and other light in each frame (finding L3)', async () => {
    const light = [0.85, 1.1, 1.18];
    const still = await stillnessOf(
      await turned(oneGrain, (frame, turn) => degraded(frame, 9, 1.6, light[turn]!)),
    );
    expect(still.probability).toBeGreaterThan(0.5);
    expect(still.correlation).toBeGreaterThan(0.85);
    expect(still.shading).toBeLessThan(0.06);
  });

  it('is not computed for heads that do not turn', async () => {
    const face = await look(await drawnFace({ person: 'budi' }));
    const nothing = { probability: 0.5, pairs: 0 };
    for (const faces of [[face, face], [], [{}, {}]]) {
      expect(await stillnessOf(faces)).toMatchObject(nothing);
    }
  });
});

describe('frames that cannot be judged', () => {
  it('are named with their faults: noise, blur, darkness, overexposure, no contrast, a small face', async () => {
    const drawn = await uneven(await drawnFace({ person: 'ani' }));
    const faults = async (picture: Uint8Array, least = 80) =>
      captureFaults(await faceIn(engine, picture, ['quality', 'spoof']), least);
    const lit = (factor: number, more: number) => sharp(drawn).linear(factor, more).jpeg().toBuffer();
    expect(await faults(drawn)).toEqual([]);
    expect(await faults(await degraded(drawn, 60, 0.5, 1))).toContain('noisy');
    expect(await faults(await sharp(drawn).blur(14).jpeg().toBuffer())).toContain('blurred');
    expect(await faults(await lit(0.12, 0))).toContain('dark');
    expect(await faults(await lit(0.5, 190))).toContain('bright');
    expect(await faults(await lit(0.1, 110))).toContain('pale');
    expect(await faults(drawn, 1000)).toEqual(['small']);
  });
});
