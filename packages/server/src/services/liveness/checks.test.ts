import { type Face, flatnessOf, stillnessOf, type UnclearReason } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { createThresholds } from '../galleries/thresholds.ts';
import { checks, type SessionFrames } from './checks.ts';

const settings = {
  verify: null,
  spoof: null,
  unclearSpoof: null,
  identifyFpir: 0.01,
  card: 0.5,
} as const;

const origin = { x: 0, y: 0 };
const face = (score: number, ...unclear: UnclearReason[]): Face => ({
  box: { ...origin, width: 100, height: 100 },
  score: 1,
  meshScore: 1,
  landmarks: [origin, origin, origin, origin, origin],
  spoof: { score, networks: [{ name: 'near', score }], unclear },
});

/** Names of the reasons that some checks give. @param session what they see */
async function reasonsOf(names: readonly string[], session: object) {
  const chosenChecks = checks.filter(({ name }) => names.includes(name));
  const found = await Promise.all(chosenChecks.map(({ find }) => find(session as SessionFrames)));
  return found.flat().map(({ name }) => name);
}

function check(faces: readonly Face[], own: Partial<Parameters<typeof createThresholds>[1]> = {}) {
  const chosen = faces.map((one, i) => ({ name: `frames[${i}]`, face: one }));
  const thresholds = createThresholds({ threshold: 0.6 }, { ...settings, ...own });
  return reasonsOf(['capture', 'networks'], { thresholds, chosen, minFace: 80 });
}

describe('frames without a verdict on spoof', () => {
  const clear = face(0.1);
  const [tight, dark] = [face(0.6, 'tight'), face(0.6, 'dark')];

  it('do not silence the check: at least half of the frames must have one', async () => {
    expect(await check([clear, clear, clear, tight, tight])).toEqual([]);
    expect(await check([clear, clear, tight, tight, tight])).toEqual(['room']);
    expect(await check([clear, clear, dark, tight, tight])).toEqual(['quality', 'room']);
  });

  it('fail the session each where the capture is unclear', async () => {
    expect(await check([clear, clear, clear, dark])).toEqual(['quality']);
    for (const fault of ['small', 'blurred', 'noisy'] as const) {
      expect(await check([clear, clear, face(0.1, fault)])).toEqual(['quality']);
    }
    const small = { ...clear, box: { ...clear.box, width: 79 } };
    expect(await check([clear, clear, small])).toEqual(['quality']);
  });

  it('count where their score is beyond doubt', async () => {
    expect(await check([clear, clear, face(0.95, 'tight'), face(0.95, 'tight')])).toEqual(['spoof']);
  });
});

it('of three frames or more the mean has a lower threshold', async () => {
  expect(await check([face(0.3), face(0.3)])).toEqual([]);
  expect(await check([face(0.3), face(0.3), face(0.3)])).toEqual(['spoof']);
});

it('frames that no network judged fail a session unless the operator accepts them by hand', async () => {
  const unjudged: Face = { ...face(0.5), spoof: { score: 0.5, networks: [], unclear: [] } };
  const reasons = (own: Parameters<typeof check>[1]) => check([unjudged, unjudged], own);
  expect(await reasons({})).toEqual(['networks']);
  expect(await reasons({ spoof: 1 })).toEqual(['networks']);
  expect(await reasons({ unclearSpoof: 'refuse' })).toEqual(['networks']);
  expect(await reasons({ unclearSpoof: 'accept' })).toEqual([]);
});

it('a session whose frames cannot be compared is refused where its steps are matched, as its head hardly turned, or turned so far that no side is shown twice', async () => {
  const compared = async (yaws: readonly number[], match = true) => {
    const faces = yaws.map((yaw): Face => ({ ...face(0.1), pose: { yaw, pitch: 0, roll: 0 } }));
    const best = faces.map(() => ({ result: { step: 'face front', match } }));
    const measured = { flatness: flatnessOf(faces), stillness: await stillnessOf(faces) };
    return reasonsOf(['plane', 'still'], { best, ...measured });
  };
  expect(await compared([11, 13, 11])).toEqual(['flat']);
  expect(await compared([0, 70, 0])).toEqual(['quality']);
  expect(await compared([11, 13, 11], false)).toEqual([]);
});
