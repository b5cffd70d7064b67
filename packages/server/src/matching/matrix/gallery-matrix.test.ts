import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareCodePoints } from '../../../test/support/code-points.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { drawVectors, randomNumbers, unitVector, vectorKinds } from '../../../test/support/vectors.ts';
import { PageMemory } from '../scan/page-memory.ts';
import { Scanner, type ScannerOptions } from '../scan/scanner.ts';
import { GalleryMatrix } from './gallery-matrix.ts';

/** @param most pages of a memory */
const newMemory = (most?: number) => ({ codes: new PageMemory(most), templates: new PageMemory(most) });

function emptyMatrix(memory = newMemory(), options: ScannerOptions = { workersFrom: Infinity }) {
  const scanner = new Scanner(memory, options);
  onTestFinished(() => scanner.close());
  return new GalleryMatrix(memory, scanner);
}

/** In an order that is not that of the rows. */
const userOf = (row: number) => `user ${(row * 7919) % 10_007}`;

function fill(matrix: GalleryMatrix, rows: readonly Float32Array[]) {
  for (const [row, template] of rows.entries()) {
    matrix.put({ userId: userOf(row), userName: '', seq: row + 1 }, template);
  }
}

/** What a search must answer: float64 sums from the first dimension to the last, ties by user_id. */
function naive(rows: Iterable<[string, Float32Array]>, probe: Float32Array, k: number) {
  const all = [...rows].map(([userId, template]) => {
    let score = 0;
    for (let i = 0; i < probe.length; i++) score += template[i]! * probe[i]!;
    return { userId, score };
  });
  return all.sort((a, b) => b.score - a.score || compareCodePoints(a.userId, b.userId)).slice(0, k);
}

async function found(matrix: GalleryMatrix, probe: Float32Array, k: number) {
  const matches = await matrix.search(probe, k);
  return matches.map(({ userId, score }) => ({ userId, score }));
}

const dimensions = fc.oneof(
  fc.constantFrom(64, 100, 128, 256, 512, 1000, 1024),
  fc.integer({ min: 1, max: 1024 }),
);

describe('a search', () => {
  it('answers as brute force in float64 does, in the same order', async () => {
    const memory = newMemory();
    const cases = fc.record({
      kind: fc.constantFrom(...vectorKinds),
      seed: fc.integer(),
      dimensions,
      count: fc.integer({ min: 1, max: 300 }),
      k: fc.integer({ min: 1, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ kind, seed, dimensions, count, k }) => {
        const rows = drawVectors(kind, seed, dimensions, count);
        const probe = rows.pop()!;
        const matrix = emptyMatrix(memory);
        fill(matrix, rows);
        const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
        expect(await found(matrix, probe, k)).toEqual(naive(named, probe, k));
        matrix.release();
      }),
      { numRuns: rounds(15) },
    );
  });

  it.each(vectorKinds)(
    'answers as brute force over several pages and with more candidates than it can record: %s',
    async (kind) => {
      const rows = drawVectors(kind, 42, 64, 2600);
      const probe = rows.pop()!;
      const matrix = emptyMatrix();
      fill(matrix, rows);
      const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
      const best = naive(named, probe, 40);
      for (const k of [1, 2, 10, 16, 17, 40]) expect(await found(matrix, probe, k)).toEqual(best.slice(0, k));
      expect(await found(matrix, new Float32Array(64), 10)).toEqual(naive(named, new Float32Array(64), 10));
    },
  );

  it('answers as brute force over pages in several memories', async () => {
    const rows = drawVectors('spread', 7, 100, 4000);
    const probe = rows.pop()!;
    const memory = newMemory(5);
    const matrix = emptyMatrix(memory);
    fill(matrix, rows);
    expect(memory.codes.memories.length).toBeGreaterThan(1);
    expect(memory.templates.memories.length).toBeGreaterThan(1);
    const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
    expect(await found(matrix, probe, 10)).toEqual(naive(named, probe, 10));
  });

  it.each(['spread', 'duplicate'] as const)(
    'answers as brute force where idle threads share a search: %s',
    async (kind) => {
      const rows = drawVectors(kind, 9, 32, 5000);
      const probe = rows.pop()!;
      const matrix = emptyMatrix(newMemory(5), { workersFrom: 0, workers: 3, partBytes: 1 });
      fill(matrix, rows);
      const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
      const results = await Promise.all([1, 10, 40].map((k) => found(matrix, probe, k)));
      const best = naive(named, probe, 40);
      expect(results).toEqual([1, 10, 40].map((k) => best.slice(0, k)));
    },
  );

  it('refuses values that are not finite numbers', async () => {
    const matrix = emptyMatrix();
    const put = (value: number) =>
      matrix.put({ userId: 'u', userName: '', seq: 1 }, Float32Array.of(0, value));
    expect(() => put(Number.NaN)).toThrow('a template holds NaN');
    expect(() => put(Number.POSITIVE_INFINITY)).toThrow('a template holds Infinity');
  });
});

describe('the people above a score', () => {
  it('are those of brute force, within bounds of their seqs', async () => {
    const memory = newMemory();
    const cases = fc.record({
      kind: fc.constantFrom(...vectorKinds),
      seed: fc.integer(),
      dimensions: fc.integer({ min: 2, max: 80 }),
      count: fc.constantFrom(2, 9, 50, 300),
      least: fc.double({ min: -0.5, max: 0.99, noNaN: true }),
      after: fc.integer({ min: 0, max: 100 }),
      before: fc.integer({ min: 50, max: 400 }),
      most: fc.constantFrom(1, 7, 1000),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ kind, seed, dimensions, count, least, ...bounds }) => {
        const rows = drawVectors(kind, seed, dimensions, count);
        const probe = rows.pop()!;
        const matrix = emptyMatrix(memory);
        fill(matrix, rows);
        const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
        const seqs = new Map(rows.map((_, row) => [userOf(row), row + 1]));
        const within = naive(named, probe, count).filter(({ userId, score }) => {
          const seq = seqs.get(userId)!;
          return score >= least && seq > bounds.after && seq < bounds.before;
        });
        const expected = within.toSorted((a, b) => seqs.get(a.userId)! - seqs.get(b.userId)!);
        const above = await matrix.above(probe, { least, ...bounds });
        expect(above.map(({ userId, score }) => ({ userId, score }))).toEqual(expected.slice(0, bounds.most));
        expect(above.every(({ userId, seq }) => seq === seqs.get(userId))).toBe(true);
        matrix.release();
      }),
      { numRuns: rounds(25) },
    );
  });

  it.each(['spread', 'duplicate'] as const)('are those of brute force in a worker: %s', async (kind) => {
    const rows = drawVectors(kind, 5, 16, 5000);
    const probe = rows.pop()!;
    const matrix = emptyMatrix(newMemory(), { workersFrom: 0, workers: 2, partBytes: 1 });
    fill(matrix, rows);
    const above = await matrix.above(probe, { least: 0.5, after: 0, before: 10_000, most: 10_000 });
    const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
    const expected = naive(named, probe, 10_000).filter(({ score }) => score >= 0.5);
    expect(new Set(above.map(({ userId }) => userId))).toEqual(new Set(expected.map(({ userId }) => userId)));
  });
});

describe('the gallery matrix', () => {
  it('contains the rows that were put and not removed', async () => {
    const memory = newMemory();
    const steps = fc.array(
      fc.record({
        user: fc.integer({ min: 0, max: 30 }),
        seed: fc.integer(),
        what: fc.constantFrom('put', 'put', 'remove'),
      }),
      { minLength: 1, maxLength: 200, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (changes) => {
        const matrix = emptyMatrix(memory);
        const truth = new Map<string, { name: string; template: Float32Array; seq: number }>();
        const probe = unitVector(randomNumbers(1), 20);
        for (const [i, { user, seed, what }] of changes.entries()) {
          const [userId, template] = [userOf(user), unitVector(randomNumbers(seed), 20)];
          if (what === 'put') {
            matrix.put({ userId, userName: `${seed}`, seq: i + 1 }, template);
            truth.set(userId, { name: `${seed}`, template, seq: i + 1 });
          } else {
            matrix.remove(userId);
            truth.delete(userId);
          }
          expect(matrix.seqOf(userId)).toBe(truth.get(userId)?.seq ?? null);
        }
        expect(matrix.size).toBe(truth.size);
        expect([...matrix.userIds()].sort()).toEqual([...truth.keys()].sort());
        const named = [...truth].map(([userId, { template }]): [string, Float32Array] => [userId, template]);
        expect(await found(matrix, probe, 10)).toEqual(naive(named, probe, 10));
        for (const { userId, userName } of await matrix.search(probe, 40))
          expect(userName).toBe(truth.get(userId)?.name);
        matrix.release();
      }),
      { numRuns: rounds(10) },
    );
  });

  it('keeps ids while people leave', async () => {
    const matrix = emptyMatrix();
    const rows = drawVectors('spread', 11, 8, 5000);
    fill(matrix, rows);
    for (let row = 0; row < rows.length; row += 2) matrix.remove(userOf(row));
    const left = rows.map((row, i): [string, Float32Array] => [userOf(i), row]).filter((_, i) => i % 2 === 1);
    expect([...matrix.userIds()].sort()).toEqual(left.map(([userId]) => userId).sort());
    expect(await found(matrix, rows[5]!, 10)).toEqual(naive(left, rows[5]!, 10));
  });

  it('releases pages when rows are removed, and all when it is released', async () => {
    const memory = newMemory();
    const used = () => memory.codes.used + memory.templates.used;
    const matrix = emptyMatrix(memory);
    const rows = drawVectors('spread', 3, 64, 5000);
    const probe = rows.pop()!;
    fill(matrix, rows);
    const full = used();
    expect(matrix.bytes).toBeGreaterThanOrEqual(full);
    for (let row = 0; row < 4500; row++) matrix.remove(userOf(row));
    expect(used()).toBeLessThan(full / 4);
    const left = rows.map((row, i): [string, Float32Array] => [userOf(i), row]).slice(4500);
    expect(await found(matrix, probe, 10)).toEqual(naive(left, probe, 10));
    matrix.release();
    expect(used()).toBe(0);
  });

  it('overwrites templates of people who leave, and all in released memory', async () => {
    const memory = newMemory();
    const matrix = emptyMatrix(memory);
    const [template, other] = drawVectors('spread', 5, 64, 2);
    fill(matrix, [template!, other!]);
    const bytes = Buffer.from(template!.buffer);
    const memories = () => [...memory.codes.memories, ...memory.templates.memories];
    const held = () => memories().some(({ buffer }) => Buffer.from(buffer).includes(bytes));
    expect(held()).toBe(true);
    matrix.remove(userOf(0));
    expect(held()).toBe(false);
    fill(matrix, [template!]);
    expect(held()).toBe(true);
    matrix.release();
    await new Promise(setImmediate);
    expect(held()).toBe(false);
  });
});
