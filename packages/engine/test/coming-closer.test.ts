import sharp from 'sharp';
import { expect, it } from 'vitest';
import { rounds } from '../../server/test/support/long.ts';
import { type GreyFace, perspectiveChange } from '../src/series/perspective.ts';
import { drawnFace, PERSONS, type PersonName } from './drawn/drawn-face.ts';
import {
  type CameraPlacement,
  faceUnit,
  flatOf,
  headOf,
  photograph,
  type Subject,
} from './drawn/drawn-head.ts';
import { faceIn, sharedEngine } from './support/shared-engine.ts';

const engine = await sharedEngine();
const look = (picture: Uint8Array) => faceIn(engine, picture, ['mesh']);

/** An arm's length and half of it, in half widths of a face. */
const FAR = { away: 6.4, scale: 0.6 } as const;
const NEAR = { away: 3.2, scale: 1.2 } as const;

async function seen(subject: Subject, placement: CameraPlacement, blur: number): Promise<GreyFace> {
  const picture = await photograph(subject, placement);
  const { data, info } = await sharp(picture)
    .grayscale()
    .blur(blur)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    picture: { data, width: info.width, height: info.height },
    mesh: (await look(picture)).mesh!,
  };
}

async function comesCloser(subject: Subject, turn: Pick<CameraPlacement, 'yaw' | 'pitch' | 'roll'> = {}) {
  const change = perspectiveChange(
    await seen(subject, FAR, 0.6),
    await seen(subject, { ...NEAR, ...turn }, 1.2),
  );
  if (!change) throw new Error('the skin was not found again');
  return change;
}

it('a head that comes closer gains perspective, a flat picture of it does not', async () => {
  for (const person of (Object.keys(PERSONS) as PersonName[]).slice(0, rounds(3, 20))) {
    const picture = await drawnFace({ person });
    const mesh = (await look(picture)).mesh!;
    const head = await headOf(picture, mesh);
    const [x, y] = head.pivot;
    // Distances are those of the face, not of the middle of the head.
    const face = await comesCloser({ ...head, pivot: [x, y, 0] }, { yaw: 4, pitch: -3, roll: 3 });
    const flat = { ...(await flatOf(picture, faceUnit(mesh))), pivot: [x, y, 0] as const };
    const level = await comesCloser(flat);
    const tilted = await comesCloser(flat, { yaw: 20, pitch: 8 });
    console.info(
      `${person}: ${[face, level, tilted].map(({ change, growth }) => `${change.toFixed(3)} at ${growth.toFixed(2)}`).join(', ')}`,
    );
    expect(face.growth).toBeGreaterThan(1.6);
    expect(face.change).toBeGreaterThan(0.03);
    expect(Math.abs(level.change)).toBeLessThan(0.02);
    expect(Math.abs(tilted.change)).toBeLessThan(0.03);
  }
});
