import type { Face } from '@wajah/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../../packages/engine/test/drawn/drawn-face.ts';
import { faceIn, sharedEngine } from '../../../packages/engine/test/support/shared-engine.ts';
import { uneven } from '../../../packages/engine/test/support/uneven.ts';
import { rounds } from '../../../packages/server/test/support/rounds.ts';
import { attackFrames } from './attacker.ts';
import { type FrameRequest, type Species, STILL_SPECIES } from './species.ts';
import { readStill } from './still.ts';

const engine = await sharedEngine();
const still = async (person: 'ani' | 'budi') =>
  (await readStill(engine, await uneven(await drawnFace({ person }))))!;
const material = { still: await still('ani'), other: await still('budi'), more: [] };

const species = (name: string): Species => STILL_SPECIES.find((one) => one.name === name)!;
const request = (step: FrameRequest['step']): FrameRequest => ({
  step,
  place: 1,
  effort: 1,
  session: 'a session',
  attempt: 0,
});
const seen = (frame: Uint8Array): Promise<Face> =>
  faceIn(engine, frame, ['pose', 'eyes', 'mouth', 'embedding']);

it('gives the same bytes for the same request, and others for another session', async () => {
  const names = ['animated still relit', 'print curled', 'animated still on a phone'];
  for (const name of names.slice(0, rounds(1))) {
    const { draw } = species(name);
    const once = await draw(material, request('face left'));
    expect(once.equals(await draw(material, request('face left')))).toBe(true);
    expect(once.equals(await draw(material, { ...request('face left'), session: 'another' }))).toBe(false);
  }
});

describe('an animated still', () => {
  const steps = ['face front', 'face left', 'face up', 'eyes closed', 'mouth open'] as const;
  let faces: Face[];
  beforeAll(async () => {
    const session = { session: 'a session', attempt: 0 };
    const frames = await attackFrames(engine, species('animated still'), material, steps, session);
    faces = await Promise.all(frames.map(seen));
  });

  it('is turned and raised where the step asks for it', () => {
    expect(faces[1]!.pose!.yaw).toBeGreaterThan(12);
    expect(faces[2]!.pose!.pitch).toBeGreaterThan(12);
    for (const { yaw, pitch } of [faces[0]!.pose!, faces[3]!.pose!]) {
      expect(Math.max(Math.abs(yaw), Math.abs(pitch))).toBeLessThan(12);
    }
  });

  it('closes its eyes and opens its mouth', () => {
    expect([faces[3]!.eyes!.left.state, faces[3]!.eyes!.right.state]).toEqual(['closed', 'closed']);
    expect(faces[4]!.mouth!.state).toBe('open');
  });

  it('shows the person of the picture in every frame', () => {
    for (const face of faces.slice(1)) {
      expect(engine.similarity(faces[0]!.embedding!, face.embedding!)).toBeGreaterThan(engine.threshold);
    }
  });
});

it('painted lids are closed eyes', async () => {
  const frame = await species('animated still with painted lids').draw(material, request('eyes closed'));
  expect((await seen(frame)).eyes!.left.state).toBe('closed');
});

it('a second person performs every other step', async () => {
  const { draw } = species('two people animated');
  const [first, second] = await Promise.all([
    draw(material, { ...request('face front'), place: 0 }).then(seen),
    draw(material, { ...request('face left'), place: 1 }).then(seen),
  ]);
  expect(engine.similarity(first.embedding!, second.embedding!)).toBeLessThan(0.45);
});
