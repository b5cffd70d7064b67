import { innerProduct } from '@wajah/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/rounds.ts';
import { drawVectors, vectorKinds } from '../../../test/support/vectors.ts';
import type { MatchedPair } from '../matcher.ts';
import { Arenas } from '../scan/arenas.ts';
import { plainKernel } from '../scan/kernel.ts';
import type { PairPosition, PairQuestion } from '../scan/pairs.ts';
import { createScanner, type ScannerOptions } from '../scan/scanner.ts';
import { GalleryMatrix } from './gallery-matrix.ts';

const start: PairPosition = { later: 0, earlier: 0 };
const small: Omit<PairQuestion, 'dimensions'> = {
  after: start,
  threshold: 0.3,
  mean: null,
  weight: 0,
  work: 4000,
  most: 50,
};

function matrixOf(rows: readonly Float32Array[], options: ScannerOptions = {}) {
  const arenas = new Arenas();
  const scanner = createScanner(arenas, { workersFrom: Number.POSITIVE_INFINITY, ...options });
  const matrix = new GalleryMatrix(arenas, scanner);
  // Not in the order of the rows.
  for (const [row, template] of rows.entries()) put(matrix, row, ((row * 7) % rows.length) + 1, template);
  return matrix;
}

function put(matrix: GalleryMatrix, user: number, seq: number, template: Float32Array) {
  matrix.put({ userId: `user ${user}`, userName: '', seq }, template);
}

/** Follows the position to the end. */
async function allPairs(matrix: GalleryMatrix, question: PairQuestion): Promise<MatchedPair[]> {
  const found: MatchedPair[] = [];
  for (let { after } = question; ; ) {
    const { pairs, reached, complete } = await matrix.pairs({ ...question, after });
    expect(pairs.length).toBeLessThanOrEqual(question.most);
    found.push(...pairs);
    if (complete) return found;
    after = reached;
  }
}

/** What all pages together must find, in order of the seqs. */
function naive(rows: readonly Float32Array[], { threshold, mean, weight }: PairQuestion) {
  const shifts = rows.map((row) => (mean ? weight * innerProduct(row, mean) : 0));
  const seqOf = (row: number) => ((row * 7) % rows.length) + 1;
  const pairs = rows.flatMap((row, a) =>
    rows.flatMap((other, b) => {
      const score = innerProduct(row, other) - shifts[a]! - shifts[b]!;
      if (seqOf(a) <= seqOf(b) || Math.abs(score - threshold) < 1e-6 || score < threshold) return [];
      return [{ users: [`user ${a}`, `user ${b}`], seqs: [seqOf(a), seqOf(b)] as const, score }];
    }),
  );
  return pairs.sort((a, b) => a.seqs[0] - b.seqs[0] || a.seqs[1] - b.seqs[1]);
}

function expectPairs(found: readonly MatchedPair[], rows: readonly Float32Array[], question: PairQuestion) {
  const clear = found.filter(({ score }) => Math.abs(score - question.threshold) >= 1e-6);
  const expected = naive(rows, question);
  expect(clear.map(({ userIds }) => [...userIds])).toEqual(expected.map(({ users }) => users));
  for (const [i, { score }] of clear.entries()) expect(score).toBeCloseTo(expected[i]!.score, 4);
}

describe('the pairs of a matrix', () => {
  it('are those of brute force, in pages of every size, with and without a mean template', async () => {
    const cases = fc.record({
      kind: fc.constantFrom(...vectorKinds.filter((kind) => kind !== 'uneven')),
      seed: fc.integer(),
      dimensions: fc.integer({ min: 2, max: 80 }),
      count: fc.constantFrom(2, 3, 9, 31, 50),
      threshold: fc.double({ min: -0.5, max: 0.99, noNaN: true }),
      weight: fc.constantFrom(0, 0.3),
      work: fc.constantFrom(1, 5000, 1e9),
      most: fc.constantFrom(1, 7, 1000),
      plain: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ kind, seed, dimensions, count, weight, plain, ...sizes }) => {
        const rows = drawVectors(kind, seed, dimensions, count);
        const mean = weight === 0 ? null : rows.pop()!;
        const matrix = matrixOf(rows, plain ? { open: plainKernel } : {});
        const question = { ...small, dimensions, mean, weight, ...sizes };
        expectPairs(await allPairs(matrix, question), rows, question);
        matrix.dispose();
      }),
      { numRuns: rounds(25) },
    );
  });

  it('are those of brute force over several blocks, in a worker thread', async () => {
    const rows = drawVectors('spread', 5, 16, 1200);
    const question = { ...small, dimensions: 16, threshold: 0.8, work: 1e7, most: 1000 };
    const matrix = matrixOf(rows, { workersFrom: 0, workers: 1 });
    expectPairs(await allPairs(matrix, question), rows, question);
  });

  it('name nobody who was removed, and compare a face that is written again with all others', async () => {
    const rows = drawVectors('duplicate', 3, 16, 30).map(() => Float32Array.of(1, 0));
    const matrix = matrixOf(rows);
    const question = { ...small, dimensions: 2, most: 1000, work: 1e9 };
    const first = await matrix.pairs(question);
    expect(first.pairs).toHaveLength((31 * 30) / 2);
    expect(first).toMatchObject({ complete: true, people: 31, compared: 31 });
    matrix.remove('user 4');
    put(matrix, 9, 40, Float32Array.of(1, 0));
    const second = await matrix.pairs({ ...question, after: first.reached });
    expect(second.pairs).toHaveLength(29);
    expect(second.pairs.every(({ userIds: [later] }) => later === 'user 9')).toBe(true);
    expect(second.pairs.some(({ userIds }) => userIds.includes('user 4'))).toBe(false);
  });

  it('are none in an empty matrix', async () => {
    const answer = await matrixOf([]).pairs({ ...small, dimensions: 2 });
    expect(answer).toEqual({ pairs: [], reached: start, complete: true, people: 0, compared: 0 });
  });
});
