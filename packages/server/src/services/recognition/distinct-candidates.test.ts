import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distinctCandidates } from './distinct-candidates.ts';

const of = (scores: Record<string, number>) =>
  Object.entries(scores)
    .map(([userId, score]) => ({ userId, score }))
    .sort((a, b) => b.score - a.score);
const idsOf = (lists: readonly (readonly { userId: string }[])[]) =>
  lists.map((list) => list.map(({ userId }) => userId));

it('a user is identified as the more similar of two faces', () => {
  const found = [of({ ani: 0.7 }), of({ ani: 0.9 })];
  expect(idsOf(distinctCandidates(found, 1))).toEqual([[], ['ani']]);
});

it('a face whose best user is another face gets its next one', () => {
  const found = [of({ ani: 0.9, budi: 0.85 }), of({ ani: 0.8, budi: 0.7 })];
  expect(idsOf(distinctCandidates(found, 1))).toEqual([['ani'], ['budi']]);
});

it('a user who is a further candidate of one face may be the best of another', () => {
  const found = [of({ ani: 0.95, budi: 0.9 }), of({ budi: 0.85 })];
  expect(idsOf(distinctCandidates(found, 2))).toEqual([['ani'], ['budi']]);
});

it('of equal scores the first face comes first', () => {
  expect(idsOf(distinctCandidates([of({ ani: 1 }), of({ ani: 1 })], 3))).toEqual([['ani'], []]);
});

it('identifies no user twice, and every face that has a user of its own', () => {
  const score = fc.integer({ min: 0, max: 100 });
  const list = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), score).map(of);
  fc.assert(
    fc.property(fc.array(list, { maxLength: 5 }), fc.integer({ min: 1, max: 3 }), (found, most) => {
      const distinct = distinctCandidates(found, most);
      const best = distinct.flatMap(([first]) => first?.userId ?? []);
      expect(new Set(best).size).toBe(best.length);
      for (const [face, candidates] of distinct.entries()) {
        const free = found[face]!.filter(
          ({ userId }) => !best.includes(userId) || candidates[0]?.userId === userId,
        );
        expect(candidates).toEqual(free.slice(0, most));
      }
    }),
  );
});
