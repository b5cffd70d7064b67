import { expect, it } from 'vitest';
import { nothingObserved, observedIn } from './observed.ts';

it('reads scores and decisions from the answers of every kind of endpoint', () => {
  expect(observedIn({})).toEqual(nothingObserved);
  expect(observedIn({ similarity: 0.91, verified: true })).toEqual({
    ...nothingObserved,
    similarities: [{ value: 0.91, accepted: true }],
  });
  expect(observedIn({ similarity: 0.31239, verified: false })).toEqual({
    similarities: [{ value: 0.31239, accepted: false }],
    spoof: [],
    denial: 'not verified: similarity 0.3123',
  });
  expect(observedIn({ masker: false, similarity: 0.8 }).similarities).toEqual([
    { value: 0.8, accepted: true },
  ]);
  const identified = { return: [{ confidence_level: 0.9 }, { confidence_level: 0.8 }] };
  expect(observedIn(identified).similarities).toEqual([{ value: 0.9, accepted: true }]);
  expect(observedIn({ return: [] }).similarities).toEqual([]);
  const faceOf = (...levels: number[]) => ({
    candidates: levels.map((level) => ({ confidence_level: level })),
  });
  const several = {
    return: [{ confidence_level: 0.9 }],
    found: 3,
    faces: [faceOf(0.9, 0.8), faceOf(), faceOf(0.7)],
  };
  expect(observedIn(several).similarities.map(({ value }) => value)).toEqual([0.9, 0.7]);
});

it('reads liveness of one picture, of a batch and of a session', () => {
  const single = {
    liveness: 'failed',
    verified: true,
    match_status: { verified: true, is_real: false, angle: false },
    results: { similarity: 0.7, verified: true, spoof_score: 0.9, is_spoof: true },
  };
  expect(observedIn(single)).toEqual({
    similarities: [{ value: 0.7, accepted: true }],
    spoof: [{ value: 0.9, accepted: false }],
    denial: 'liveness failed: is_real; angle',
  });
  const batch = {
    liveness: 'passed',
    results: {
      image1: { match: true, spoof_score: 0.1, is_spoof: false, similarity: 0.6, verified: false },
      image2: { match: false, error: { status: 'x' } },
    },
  };
  expect(observedIn(batch)).toEqual({
    similarities: [{ value: 0.6, accepted: false }],
    spoof: [{ value: 0.1, accepted: true }],
    denial: null,
  });
  const session = {
    liveness: 'failed',
    reasons: ['flat: turn the head further'],
    diagnostics: [{ name: 'flat', detail: 'the head hardly turned (by 3.1° at most, 10° are needed)' }],
    results: [{ spoof_score: 0.4 }],
  };
  expect(observedIn(session)).toMatchObject({
    spoof: [{ value: 0.4, accepted: true }],
    denial: 'liveness failed: flat: the head hardly turned (by 3.1° at most, 10° are needed)',
  });
  const detected = {
    found: 2,
    faces: [
      { spoof_score: 0.2, is_spoof: false },
      { spoof_score: 0.8, is_spoof: true },
    ],
  };
  expect(observedIn(detected).spoof).toHaveLength(2);
});
