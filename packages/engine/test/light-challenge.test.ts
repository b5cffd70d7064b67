import { expect, it } from 'vitest';
import { judgeLight } from '../src/light/judge-light.ts';
import { LIGHT_PALETTE, lightSequence } from '../src/light/sequences.ts';
import type { Face } from '../src/types.ts';
import { drawnFace } from './drawn/drawn-face.ts';
import { flatOf, headOf, type Subject } from './drawn/drawn-head.ts';
import { photographLit } from './drawn/lit-head.ts';
import { faceIn, sharedEngine } from './support/shared-engine.ts';
import { uneven } from './support/uneven.ts';

/** Two sequences that differ in most lights. */
const [shown, other] = [lightSequence(20_000), lightSequence(37_000)];

const engine = await sharedEngine();
const picture = await uneven(await drawnFace({ person: 'budi', brightness: 0.8 }));
const { mesh } = await faceIn(engine, picture, ['mesh']);
const head = await headOf(picture, mesh!);
const plane = await flatOf(picture, head.unit);
const answer = await film(head, { strength: 0.15 });

function film(subject: Subject, lit: Parameters<typeof photographLit>[2]): Promise<Face[]> {
  return Promise.all(
    shown.map(async (colour, take) => {
      const frame = await photographLit(subject, LIGHT_PALETTE[colour]!, lit, take);
      return faceIn(engine, frame, ['mesh', 'colours']);
    }),
  );
}

it('a head that the screen lights answers its sequence, with the strength of a light', () => {
  const { verdict, strength, share } = judgeLight(answer, shown);
  expect([verdict, share < 0.001]).toEqual(['answered', true]);
  expect(strength).toBeGreaterThan(0.02);
  expect(strength).toBeLessThan(0.3);
});

it('the answer to one sequence is none to another', () => {
  expect(judgeLight(answer, other).verdict).not.toBe('answered');
});

it('a recorded head does not answer', async () => {
  const faces = await film(head, { strength: 0 });
  expect(judgeLight(faces, shown)).toMatchObject({ verdict: 'not_answered', strength: expect.closeTo(0, 1) });
});

it('a print before the camera does not answer, though it is lit', async () => {
  const faces = await film(plane, { strength: 0.15, as: 'plane' });
  expect(judgeLight(faces, shown).verdict).toBe('not_answered');
});

it('nothing is told of faces that are overexposed', async () => {
  const faces = answer.map((face) => ({
    ...face,
    colours: { rgb: new Float32Array(468 * 3).fill(Number.NaN) },
  }));
  expect(judgeLight(faces, shown)).toMatchObject({ verdict: 'cannot_tell', share: 1 });
});
