import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints } from '../../../test/support/code-points.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { drawVectors, randomNumbers, unitVector, vectorKinds } from '../../../test/support/vectors.ts';
import { Arenas } from '../scan/arenas.ts';
import { type Kernel, plainKernel, simdKernel, type WasmMemory } from '../scan/kernel.ts';
import { createScanner } from '../scan/scanner.ts';
import { GalleryMatrix } from './gallery-matrix.ts';

const kernels: { name: Kernel['name']; open: (memory: WasmMemory) => Kernel }[] = [
  { name: 'simd', open: (memory) => simdKernel(memory)! },
  { name: 'plain', open: plainKernel },
];

function emptyMatrix(open?: (memory: WasmMemory) => Kernel, arenas = new Arenas()) {
  const scanner = createScanner(arenas, { workersFrom: Number.POSITIVE_INFINITY, ...(open ? { open } : {}) });
  return new GalleryMatrix(arenas, scanner);
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

describe.each(kernels)('the $name kernel', ({ open }) => {
  it('answers as brute force in float64 does, in the same order', async () => {
    const arenas = new Arenas();
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
        const matrix = emptyMatrix(open, arenas);
        fill(matrix, rows);
        const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
        expect(await found(matrix, probe, k)).toEqual(naive(named, probe, k));
        matrix.dispose();
      }),
      { numRuns: rounds(15) },
    );
  });

  it.each(vectorKinds)(
    'answers as brute force over several blocks and with more candidates than it can record: %s',
    async (kind) => {
      const rows = drawVectors(kind, 42, 64, 2600);
      const probe = rows.pop()!;
      const matrix = emptyMatrix(open);
      fill(matrix, rows);
      const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
      const best = naive(named, probe, 40);
      for (const k of [1, 2, 10, 16, 17, 40]) expect(await found(matrix, probe, k)).toEqual(best.slice(0, k));
      expect(await found(matrix, new Float32Array(64), 10)).toEqual(naive(named, new Float32Array(64), 10));
    },
  );

  it('answers as brute force over blocks in several memories', async () => {
    const rows = drawVectors('spread', 7, 100, 4000);
    const probe = rows.pop()!;
    const arenas = new Arenas(24);
    const matrix = emptyMatrix(open, arenas);
    fill(matrix, rows);
    expect(arenas.memories.length).toBeGreaterThan(1);
    const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
    expect(await found(matrix, probe, 10)).toEqual(naive(named, probe, 10));
  });

  it.each(['spread', 'duplicate'] as const)(
    'answers as brute force where idle threads share a search: %s',
    async (kind) => {
      const rows = drawVectors(kind, 9, 32, 5000);
      const probe = rows.pop()!;
      const arenas = new Arenas(24);
      const scanner = createScanner(arenas, { workersFrom: 0, workers: 3, partBytes: 1 });
      const matrix = new GalleryMatrix(arenas, scanner);
      fill(matrix, rows);
      const named = rows.map((row, i): [string, Float32Array] => [userOf(i), row]);
      const results = await Promise.all([1, 10, 40].map((k) => found(matrix, probe, k)));
      const best = naive(named, probe, 40);
      expect(results).toEqual([1, 10, 40].map((k) => best.slice(0, k)));
      await scanner.close();
    },
  );

  it('refuses values that are not finite numbers', async () => {
    const matrix = emptyMatrix(open);
    const put = (value: number) =>
      matrix.put({ userId: 'u', userName: '', seq: 1 }, Float32Array.of(0, value));
    expect(() => put(Number.NaN)).toThrow('a template holds NaN');
    expect(() => put(Number.POSITIVE_INFINITY)).toThrow('a template holds Infinity');
  });
});

describe('the gallery matrix', () => {
  it('contains the rows that were put and not removed, also while other threads scan it', async () => {
    const arenas = new Arenas();
    const threads = createScanner(arenas, { workersFrom: 0, workers: 1 });
    const steps = fc.array(
      fc.record({
        user: fc.integer({ min: 0, max: 30 }),
        seed: fc.integer(),
        what: fc.constantFrom('put', 'put', 'remove', 'search', 'wait'),
      }),
      { minLength: 1, maxLength: 200, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (changes) => {
        const matrix = new GalleryMatrix(arenas, threads);
        const truth = new Map<string, Float32Array>();
        const probe = unitVector(randomNumbers(1), 20);
        const running: Promise<unknown>[] = [];
        for (const [i, { user, seed, what }] of changes.entries()) {
          // Ids and names of many lengths, so that their memory is soon used up.
          const [userId, template] = [userOf(user).repeat(1 + user), unitVector(randomNumbers(seed), 20)];
          if (what === 'search') running.push(matrix.search(probe, 3));
          if (what === 'wait') await Promise.all(running.splice(0));
          if (what === 'put') matrix.put({ userId, userName: `${seed}`, seq: i + 1 }, template);
          if (what === 'put') truth.set(userId, template);
          if (what === 'remove') matrix.remove(userId);
          if (what === 'remove') truth.delete(userId);
          expect(matrix.seqOf(userId) !== null).toBe(truth.has(userId));
        }
        await Promise.all(running);
        expect(matrix.size).toBe(truth.size);
        expect([...matrix.userIds()].sort()).toEqual([...truth.keys()].sort());
        expect(await found(matrix, probe, 10)).toEqual(naive(truth, probe, 10));
        matrix.dispose();
      }),
      { numRuns: rounds(6) },
    );
  });

  it('clears only tombstones after text was rewritten during a scan', async () => {
    const arenas = new Arenas();
    const matrix = new GalleryMatrix(arenas, createScanner(arenas, { workersFrom: 0, workers: 1 }));
    const rows = drawVectors('spread', 11, 64, 40);
    fill(matrix, rows.slice(0, 16));
    const scan = matrix.search(rows[0]!, 1);
    matrix.remove(userOf(3));
    // The seventeenth row needs a larger block, to which only visible rows are copied.
    fill(matrix, rows.slice(0, 3));
    await scan;
    const left = rows.slice(0, 16).map((row, i): [string, Float32Array] => [userOf(i), row]);
    left.splice(3, 1);
    expect([...matrix.userIds()].sort()).toEqual(left.map(([userId]) => userId).sort());
    expect(await found(matrix, rows[5]!, 10)).toEqual(naive(left, rows[5]!, 10));
  });

  it('releases blocks when rows are removed, and all memory when it is disposed', async () => {
    const arenas = new Arenas();
    const matrix = emptyMatrix(undefined, arenas);
    const rows = drawVectors('spread', 3, 64, 5000);
    const probe = rows.pop()!;
    fill(matrix, rows);
    const full = arenas.used;
    expect(matrix.bytes).toBeGreaterThanOrEqual(full);
    for (let row = 0; row < 4500; row++) matrix.remove(userOf(row));
    expect(arenas.used).toBeLessThan(full / 4);
    const left = rows.map((row, i): [string, Float32Array] => [userOf(i), row]).slice(4500);
    expect(await found(matrix, probe, 10)).toEqual(naive(left, probe, 10));
    matrix.dispose();
    expect(arenas.used).toBe(0);
  });

  it('overwrites templates in released memory', async () => {
    const arenas = new Arenas();
    const matrix = emptyMatrix(undefined, arenas);
    const [template] = drawVectors('spread', 5, 64, 1);
    fill(matrix, [template!, template!]);
    const bytes = Buffer.from(template!.buffer);
    const held = () => arenas.memories.some(({ buffer }) => Buffer.from(buffer).includes(bytes));
    expect(held()).toBe(true);
    matrix.remove(userOf(0));
    expect(held()).toBe(true);
    matrix.remove(userOf(1));
    expect(held()).toBe(false);
    fill(matrix, [template!]);
    matrix.dispose();
    await new Promise(setImmediate);
    expect(held()).toBe(false);
  });
});
