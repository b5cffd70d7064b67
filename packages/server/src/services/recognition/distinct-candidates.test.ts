import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distinctCandidates } from './distinct-candidates.ts';

const of = (scores: Record<string, number>) =>
  Object.entries(scores)
    .map(([userId, score]) => ({ userId, confidence: Math.min(0.9, score), score }))
    .sort((a, b) => b.score - a.score);
const idsOf = (found: ReturnType<typeof of>[], most = 1, thresholdFor = (_: number) => 0.5) =>
  distinctCandidates(found, most, thresholdFor).candidates.map((list) => list.map(({ userId }) => userId));

it('a user is identified as the more similar of two faces', () => {
  expect(idsOf([of({ ani: 0.7 }), of({ ani: 0.9 })])).toEqual([[], ['ani']]);
});

it('scores decide above the limit of similarity', () => {
  expect(idsOf([of({ ani: 0.95 }), of({ ani: 0.99 })])).toEqual([[], ['ani']]);
});

it('a face whose best user is another face gets its next one', () => {
  const found = [of({ ani: 0.9, budi: 0.85 }), of({ ani: 0.8, budi: 0.7 })];
  expect(idsOf(found)).toEqual([['ani'], ['budi']]);
  expect(idsOf(found, 1, () => 0.75)).toEqual([['ani'], []]);
});

it('a user who is a further candidate of one face may be the best of another', () => {
  const found = [of({ ani: 0.95, budi: 0.9 }), of({ budi: 0.85 })];
  expect(idsOf(found, 2)).toEqual([['ani'], ['budi']]);
});

it('has those below the threshold apart, who are nobody identified as another face', () => {
  const found = [of({ ani: 0.9, budi: 0.45, citra: 0.4 }), of({ ani: 0.8, budi: 0.45, citra: 0.2 })];
  const { candidates, below } = distinctCandidates(found, 2, () => 0.5);
  const ids = (lists: ReturnType<typeof of>[]) => lists.map((list) => list.map(({ userId }) => userId));
  expect([ids(candidates), ids(below)]).toEqual([
    [['ani'], []],
    [['budi'], ['budi', 'citra']],
  ]);
});

it('of equal scores the first face comes first', () => {
  expect(idsOf([of({ ani: 1 }), of({ ani: 1 })], 3)).toEqual([['ani'], []]);
});

it('the threshold is for the faces that are not identified yet', () => {
  const thresholdFor = (faces: number) => 0.5 + faces / 10;
  const found = [of({ ani: 0.85 }), of({ budi: 0.72 }), of({ citra: 0.61 })];
  expect(distinctCandidates(found, 1, thresholdFor)).toMatchObject({ threshold: 0.6 });
  expect(idsOf(found, 1, thresholdFor)).toEqual([['ani'], ['budi'], ['citra']]);
  expect(idsOf([of({ ani: 0.79 }), ...found.slice(1)], 1, thresholdFor)).toEqual([[], [], []]);
  const without = [of({ ani: 0.85 }), of({ budi: 0.69 }), of({ citra: 0.61 })];
  expect(idsOf(without, 1, thresholdFor)).toEqual([['ani'], [], []]);
});

it('identifies no user twice, and every face that has a user of its own', () => {
  const score = fc.integer({ min: 0, max: 100 }).map((value) => value / 100);
  const list = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), score).map(of);
  fc.assert(
    fc.property(fc.array(list, { maxLength: 5 }), fc.integer({ min: 1, max: 3 }), (found, most) => {
      const thresholdFor = (faces: number) => 0.3 + faces / 20;
      const { candidates, threshold } = distinctCandidates(found, most, thresholdFor);
      const best = candidates.flatMap(([first]) => first?.userId ?? []);
      expect(new Set(best).size).toBe(best.length);
      expect(threshold).toBe(thresholdFor(Math.max(1, found.length - best.length)));
      for (const [face, own] of candidates.entries()) {
        const free = found[face]!.filter(
          ({ userId, confidence }) =>
            confidence >= threshold && (!best.includes(userId) || own[0]?.userId === userId),
        );
        expect(own).toEqual(free.slice(0, most));
      }
    }),
  );
});
