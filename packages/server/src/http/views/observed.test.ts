import { describe, expect, it } from 'vitest';
import { nothingObserved } from '../observed.ts';
import { observedBatch, observedComparison, observedPicture, observedSession } from './observed.ts';

type Picture = Parameters<typeof observedPicture>[0];
type Batch = Parameters<typeof observedBatch>[0];
type Session = Parameters<typeof observedSession>[0];

describe('the scores and the decision of', () => {
  it('a comparison are cut to the decimals of the answer', () => {
    expect(observedComparison({ similarity: 0.91, verified: true })).toEqual({
      ...nothingObserved,
      similarity: 0.91,
    });
    expect(observedComparison({ similarity: 0.31239, verified: false })).toEqual({
      similarity: 0.3123,
      spoofScore: null,
      denial: 'not verified: similarity 0.3123',
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
      similarity: 0.4,
      spoofScore: 0.9,
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
        { match: true, spoofScore: 0.3, isSpoof: false, similarity: 0.5, verified: false },
      ],
    } as unknown as Batch;
    expect(observedBatch(judged, true)).toEqual({ similarity: 0.6, spoofScore: 0.3, denial: null });
    expect(observedBatch(judged, false).similarity).toBeNull();
  });

  it('a session say what was measured', () => {
    const judged = {
      liveness: 'failed',
      reasons: ['flat: turn the head further'],
      diagnostics: [{ name: 'flat', detail: 'the head hardly turned (by 3.1° at most, 10° are needed)' }],
      results: [{ spoofScore: 0.4 }],
    } as unknown as Session;
    expect(observedSession(judged)).toEqual({
      similarity: null,
      spoofScore: 0.4,
      denial: 'liveness failed: flat: the head hardly turned (by 3.1° at most, 10° are needed)',
    });
  });
});
