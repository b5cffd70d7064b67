import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Arena, Arenas } from './arenas.ts';

it('allocates zeroed segments that do not overlap', () => {
  const steps = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 5000 }), keep: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (wanted) => {
      const arena = new Arena(64);
      const held: { address: number; bytes: number; mark: number }[] = [];
      const viewOf = (piece: { address: number; bytes: number }) =>
        new Uint8Array(arena.memory.buffer, piece.address, piece.bytes);
      for (const [i, { bytes, keep }] of wanted.entries()) {
        const address = arena.allocate(bytes)!;
        const piece = { address, bytes, mark: 1 + (i % 255) };
        expect(viewOf(piece).every((byte) => byte === 0)).toBe(true);
        viewOf(piece).fill(piece.mark);
        held.push(piece);
        if (!keep) {
          const [gone] = held.splice((i * 7) % held.length, 1);
          arena.release(gone!.address, gone!.bytes);
        }
        for (const each of held) expect(viewOf(each).every((byte) => byte === each.mark)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

it('returns null when it is full, and reuses released segments', () => {
  const arena = new Arena(16);
  const pieces: number[] = [];
  for (let piece = arena.allocate(100_000); piece !== null; piece = arena.allocate(100_000))
    pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(5);
  arena.release(pieces[3]!, 100_000);
  arena.release(pieces[2]!, 100_000);
  expect(arena.allocate(200_000)).toBe(pieces[2]);
});

it('allocates in another memory when one is full', () => {
  const arenas = new Arenas(16);
  const pieces = Array.from(
    { length: 20 },
    () => arenas.allocate([{ bytes: 100_000, purpose: 'other' }])[0]!,
  );
  expect(arenas.memories.length).toBeGreaterThan(1);
  expect(arenas.used).toBe(2_000_000);
  expect(new Set(pieces.map(({ arena, address }) => `${arena}:${address}`)).size).toBe(20);
});
