import { describe, expect, it } from 'vitest';
import { rounds } from '../../server/test/support/rounds.ts';
import { flatnessOf } from '../src/series/flatness.ts';
import type { Face } from '../src/types.ts';
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

const people = Object.keys(PERSONS) as PersonName[];

const engine = await sharedEngine();

const look = (picture: Uint8Array) => faceIn(engine, picture, ['pose', 'mesh']);

async function drawnHead(person: PersonName): Promise<Subject> {
  const picture = await drawnFace({ person });
  return headOf(picture, (await look(picture)).mesh!);
}

/** Numbers from −1 to 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

async function photographs(subject: Subject, ways: readonly CameraPlacement[]): Promise<Face[]> {
  const faces: Face[] = [];
  for (const way of ways) faces.push(await look(await photograph(subject, way, 85)));
  return faces;
}

describe('a head in relief', () => {
  it('has the estimated pose in which it is drawn', async () => {
    const head = await drawnHead('ani');
    const ways = [{ yaw: 20 }, { yaw: -20 }, { pitch: 18 }, { pitch: -18 }, { yaw: 15, pitch: 10 }];
    for (const [i, face] of (await photographs(head, ways)).entries()) {
      const { yaw = 0, pitch = 0 } = ways[i] as CameraPlacement;
      expect(Math.abs(face.pose!.yaw - yaw)).toBeLessThan(6);
      expect(Math.abs(face.pose!.pitch - pitch)).toBeLessThan(6);
    }
  });
});

/** What a session would say: it turns, and not as something flat does. */
function turns(faces: readonly Face[]): boolean {
  const { pairs, probability } = flatnessOf(faces);
  return pairs > 0 && probability < 0.5;
}

describe('flatness', () => {
  it('distinguishes turning heads from tilted pictures of them, 95 of 100', async () => {
    const random = numbers(7);
    const right = { heads: 0, flats: 0, allHeads: 0, allFlats: 0 };
    for (const person of people) {
      const head = await drawnHead(person);
      for (let round = 0; round < rounds(1); round++) {
        const away = 8.5 + 3 * random();
        const turn = (yaw: number, pitch: number): CameraPlacement => ({
          yaw: yaw + 4 * random(),
          pitch: pitch + 4 * random(),
          roll: 10 * random(),
          away: away * (1 + 0.1 * random()),
        });
        const side = random() > 0 ? 1 : -1;
        const heads = await photographs(head, [turn(0, 0), turn(side * 22, 0), turn(0, -22)]);
        const base = await photograph(head, { yaw: 8 * random(), pitch: 6 * random() }, 95);
        const flat = await flatOf(base, faceUnit((await look(base)).mesh!));
        const near = { away: 5 + 1.5 * random() };
        const tilts = [turn(0, 0), turn(side * 42, 0), turn(-side * 42, 0), turn(0, side * 40)];
        const flats = await photographs(
          flat,
          tilts.map((tilt) => ({ ...tilt, ...near })),
        );
        right.allHeads++;
        right.allFlats++;
        if (turns(heads)) right.heads++;
        if (!turns(flats)) right.flats++;
      }
    }
    console.info(`turning heads and tilted pictures: ${JSON.stringify(right)}`);
    const accuracy = (right.heads + right.flats) / (right.allHeads + right.allFlats);
    expect(accuracy).toBeGreaterThanOrEqual(0.95);
  });

  it('a tilted picture has nearly the pose of a frontal head', async () => {
    for (const person of people) {
      const picture = await drawnFace({ person });
      const [front, tilted] = await photographs(
        await flatOf(picture, faceUnit((await look(picture)).mesh!)),
        [{}, { yaw: 40 }],
      );
      expect(Math.abs(tilted!.pose!.yaw - front!.pose!.yaw)).toBeLessThan(12);
    }
  });

  it('is not computed for heads that do not turn', async () => {
    const face = await look(await drawnFace({ person: 'budi' }));
    expect(flatnessOf([face, face])).toEqual({ probability: 0.5, pairs: 0, turn: 0 });
    expect(flatnessOf([])).toEqual({ probability: 0.5, pairs: 0, turn: 0 });
  });
});
