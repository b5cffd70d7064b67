import { type Face, flatnessOf, stillnessOf, type UnclearReason } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { createThresholds } from '../galleries/thresholds.ts';
import { checkSpoof, checks, type SessionFrames } from './checks.ts';
import type { LivenessContext } from './context.ts';

const settings = {
  verify: null,
  spoof: null,
  unclearSpoof: null,
  identifyFpir: 0.01,
  card: 0.5,
} as const;
const thresholds = createThresholds({ threshold: 0.6 }, settings);
const context = { thresholds } as LivenessContext;

const origin = { x: 0, y: 0 };
const face = (score: number, ...unclear: UnclearReason[]): Face => ({
  box: { ...origin, width: 100, height: 100 },
  score: 1,
  meshScore: 1,
  landmarks: [origin, origin, origin, origin, origin],
  spoof: { score, networks: [{ name: 'near', score }], unclear },
});
const check = (...faces: Face[]) => checkSpoof(context, faces).map(({ name }) => name);

describe('frames without a verdict on spoof', () => {
  it('do not silence the check: at least half of the frames must have one', () => {
    const tight = face(0.6, 'tight');
    expect(check(face(0.1), face(0.1), face(0.1), tight, tight)).toEqual([]);
    expect(check(face(0.1), face(0.1), tight, tight, tight)).toEqual(['room']);
    expect(check(face(0.1), face(0.1), face(0.6, 'dark'), tight, tight)).toEqual(['room', 'quality']);
    expect(check(face(0.1), ...[1, 2, 3].map(() => face(0.6, 'dark')))).toEqual(['quality']);
  });

  it('count where their score is beyond doubt', () => {
    expect(check(face(0.1), face(0.1), face(0.95, 'tight'), face(0.95, 'tight'))).toEqual(['spoof']);
  });
});

it('of three frames or more the mean has a lower threshold', () => {
  expect(check(face(0.3), face(0.3))).toEqual([]);
  expect(check(face(0.3), face(0.3), face(0.3))).toEqual(['spoof']);
});

it('frames that no network judged fail a session unless the operator accepts them by hand', () => {
  const unjudged: Face = { ...face(0.5), spoof: { score: 0.5, networks: [], unclear: [] } };
  const reasons = (own: Partial<Parameters<typeof createThresholds>[1]>) =>
    checkSpoof(
      { thresholds: createThresholds({ threshold: 0.6 }, { ...settings, ...own }) } as LivenessContext,
      [unjudged, unjudged],
    ).map(({ name }) => name);
  expect(reasons({})).toEqual(['networks']);
  expect(reasons({ spoof: 1 })).toEqual(['networks']);
  expect(reasons({ unclearSpoof: 'refuse' })).toEqual(['networks']);
  expect(reasons({ unclearSpoof: 'accept' })).toEqual([]);
});

describe('a session whose frames cannot be compared is refused where its steps are matched,', () => {
  const reasonsOf = (yaws: readonly number[], match = true) => {
    const faces = yaws.map((yaw): Face => ({ ...face(0.1), pose: { yaw, pitch: 0, roll: 0 } }));
    const best = faces.map(() => ({ result: { step: 'face front', match } }));
    const session = { best, flatness: flatnessOf(faces), stillness: stillnessOf(faces) } as never;
    const found = checks.filter(({ name }) => name === 'plane' || name === 'still');
    return found.flatMap(({ find }) => find(session as SessionFrames).map(({ name }) => name));
  };

  it('as its head hardly turned, or turned so far that no side is shown twice', () => {
    expect(reasonsOf([11, 13, 11])).toEqual(['flat']);
    expect(reasonsOf([0, 70, 0])).toEqual(['quality']);
    expect(reasonsOf([11, 13, 11], false)).toEqual([]);
  });
});
