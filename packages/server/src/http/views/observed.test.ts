import { describe, expect, it } from 'vitest';
import { nothingObserved } from '../../services/activity/activity-recorder.ts';
import {
  observedBatch,
  observedCard,
  observedComparison,
  observedDetection,
  observedPeople,
  observedPicture,
  observedSession,
} from './observed.ts';

type People = Parameters<typeof observedPeople>[0];
type Detected = Parameters<typeof observedDetection>[0];
type Picture = Parameters<typeof observedPicture>[0];
type Batch = Parameters<typeof observedBatch>[0];
type Session = Parameters<typeof observedSession>[0];

const candidate = (confidence: number) => ({ userId: 'ani', userName: 'Ani', confidence, mask: false });

describe('the scores and the decision of', () => {
  it('a comparison are cut to the decimals of the answer', () => {
    expect(observedComparison({ similarity: 0.91, verified: true })).toEqual({
      ...nothingObserved,
      similarities: [{ value: 0.91, accepted: true }],
    });
    expect(observedComparison({ similarity: 0.31239, verified: false })).toEqual({
      similarities: [{ value: 0.3123, accepted: false }],
      spoof: [],
      denial: 'not verified: similarity 0.3123',
    });
  });

  it('a card are of one that matches', () => {
    expect(observedCard({ similarity: 0.8 }).similarities).toEqual([{ value: 0.8, accepted: true }]);
  });

  it('an identification are of the best candidate, or of that of each face', () => {
    const people = [candidate(0.9), candidate(0.8)];
    expect(observedPeople({ people, several: false } as unknown as People).similarities).toEqual([
      { value: 0.9, accepted: true },
    ]);
    const faces = [{ candidates: people }, { candidates: [] }, { candidates: [candidate(0.7)] }];
    const several = { people, faces, several: true } as unknown as People;
    expect(observedPeople(several).similarities.map(({ value }) => value)).toEqual([0.9, 0.7]);
    expect(observedPeople({ people: [], several: false } as unknown as People)).toEqual(nothingObserved);
  });

  it('a detection are of the faces that were judged', () => {
    const faces = [{ spoof: { score: 0.2 }, isSpoof: false }, { spoof: { score: 0.8 }, isSpoof: true }, {}];
    expect(observedDetection({ faces } as unknown as Detected)).toEqual({
      ...nothingObserved,
      spoof: [
        { value: 0.2, accepted: true },
        { value: 0.8, accepted: false },
      ],
    });
  });

  it('a picture say whether its person was verified', () => {
    const judged = {
      liveness: 'failed',
      verified: false,
      matchStatus: { verified: false, is_real: false, angle: true },
      results: { similarity: 0.4, spoofScore: 0.9, isSpoof: true },
    } as Picture;
    expect(observedPicture(judged)).toEqual({
      similarities: [{ value: 0.4, accepted: false }],
      spoof: [{ value: 0.9, accepted: false }],
      denial: 'liveness failed: verified; is_real',
    });
  });

  it('a batch have the similarity of its first picture with one, if it names a user', () => {
    const judged = {
      liveness: 'passed',
      reasons: [],
      results: [
        { match: false, error: { status: 'x' } },
        { match: true, spoofScore: 0.1, isSpoof: false, similarity: 0.6, verified: false },
      ],
    } as unknown as Batch;
    expect(observedBatch(judged, true)).toEqual({
      similarities: [{ value: 0.6, accepted: false }],
      spoof: [{ value: 0.1, accepted: true }],
      denial: null,
    });
    expect(observedBatch(judged, false).similarities).toEqual([]);
  });

  it('a session say what was measured', () => {
    const judged = {
      liveness: 'failed',
      reasons: ['flat: turn the head further'],
      diagnostics: [{ name: 'flat', detail: 'the head hardly turned (by 3.1° at most, 10° are needed)' }],
      results: [{ spoofScore: 0.4 }],
    } as unknown as Session;
    expect(observedSession(judged)).toEqual({
      similarities: [],
      spoof: [{ value: 0.4, accepted: true }],
      denial: 'liveness failed: flat: the head hardly turned (by 3.1° at most, 10° are needed)',
    });
  });
});
