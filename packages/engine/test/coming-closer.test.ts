import sharp from 'sharp';
import { expect, it } from 'vitest';
import { rounds } from '../../server/test/support/rounds.ts';
import { judgePerspective, pairsToCompare, perspectiveChange } from '../src/series/perspective.ts';
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

/** An arm's length and half of it, in half widths of a face. */
const FAR = { away: 6.4, scale: 0.6 } as const;
const NEAR = { away: 3.2, scale: 1.2 } as const;

async function seen(subject: Subject, placement: CameraPlacement, [blur, light, quality]: readonly number[]) {
  const picture = sharp(await photograph(subject, placement)).blur(blur);
  const frame = await picture.linear(light!, 0).jpeg({ quality: quality! }).toBuffer();
  return faceIn(engine, frame, ['pose', 'aligned']);
}

/** @param turn of the near frames */
async function comesCloser(subject: Subject, turn: Pick<CameraPlacement, 'yaw' | 'pitch' | 'roll'> = {}) {
  const far = [
    await seen(subject, FAR, [0.6, 1, 90]),
    await seen(subject, { ...FAR, roll: 2 }, [0.9, 1.1, 80]),
  ];
  const near = [await seen(subject, { ...NEAR, ...turn }, [0.6, 0.85, 85])];
  const pairs = pairsToCompare(far, near);
  return judgePerspective(pairs.map(([a, b]) => perspectiveChange(a.aligned!, b.aligned!)));
}

it('a head that comes closer gains perspective, a flat picture of it does not', async () => {
  for (const person of (Object.keys(PERSONS) as PersonName[]).slice(0, rounds(2))) {
    const picture = await drawnFace({ person });
    const mesh = (await faceIn(engine, picture, ['mesh'])).mesh!;
    const head = await headOf(picture, mesh);
    const [x, y] = head.pivot;
    // Distances are those of the face, not of the middle of the head.
    const face = await comesCloser({ ...head, pivot: [x, y, 0] }, { yaw: 4, pitch: -3, roll: 3 });
    const flat = { ...(await flatOf(picture, faceUnit(mesh))), pivot: [x, y, 0] as const };
    const level = await comesCloser(flat);
    const tilted = await comesCloser(flat, { yaw: 20, pitch: 8 });
    console.info(
      `${person}: ${[face, level, tilted].map(({ change, error }) => `${change.toFixed(3)} ± ${error.toFixed(3)}`).join(', ')}`,
    );
    expect(face.verdict).toBe('head');
    expect(level.verdict).toBe('flat');
    expect(tilted.verdict).not.toBe('head');
  }
});
