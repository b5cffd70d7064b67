import { CANDIDATE_LIMIT, HASH_WORDS, type HashProbe, hashDistance, hashWords } from '@wajah/engine/series';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageBytes, wasm } from '../scan/kernel.ts';
import { fewRows, PackedHashes } from './packed-hashes.ts';

const all = { before: Number.MAX_SAFE_INTEGER, since: 0 };
const hash = fc.uint8Array({ minLength: 128, maxLength: 128 });

/** A probe of a hash that compares seven tenths of the bits. */
function probeOf(bytes: Uint8Array, seed: number): HashProbe {
  const compared = new Uint32Array(HASH_WORDS);
  let count = 0;
  for (let i = 0; i < HASH_WORDS * 32; i++) {
    if ((i * 7919 + seed) % 10 >= 7) continue;
    compared[i >> 5]! |= 1 << (i & 31);
    count++;
  }
  return { bits: hashWords(bytes), compared, count };
}

/** Flips every bit whose number leaves a remainder below `of` 100. */
const changed = (bytes: Uint8Array, of: number) =>
  bytes.map((byte, i) =>
    [...Array(8).keys()].reduce(
      (now, bit) => (((i * 8 + bit) * 37) % 100 < of ? now ^ (1 << bit) : now),
      byte,
    ),
  );

describe('packed hashes', () => {
  it('are found as by the distance of the engine, the nearest first', () => {
    const packed = new PackedHashes();
    const words = Uint32Array.from({ length: 32 }, () => 0x9e3779b9);
    for (let id = 0; id < fewRows; id++) {
      for (let i = 0; i < 32; i++) words[i] = Math.imul(words[i]! ^ (words[i]! >>> 15), 0x2c1b3c6d) + i;
      packed.add(id, 1, new Uint8Array(words.buffer.slice(0)));
    }
    let first = fewRows;
    fc.assert(
      fc.property(fc.array(hash, { minLength: 1, maxLength: 40 }), fc.nat(99), (rows, seed) => {
        first += 1000;
        const probe = probeOf(rows[0]!, seed);
        const known = rows.flatMap((row, i) =>
          [0, 3, 9, 15, 40].map((of) => ({ id: first + 10 * i + of, row: changed(row, of) })),
        );
        for (const { id, row } of known) packed.add(id, 1, row);
        const expected = known
          .map(({ id, row }) => ({
            id,
            words: hashWords(row),
            distance: hashDistance(probe, hashWords(row)),
          }))
          .filter(({ distance }) => distance <= CANDIDATE_LIMIT - 0.03);
        const found = packed.search([probe], all, 1000)[0]!.filter(({ id }) => id >= first);
        // Near the limit the sketch may reject a hash.
        expect(found.map(({ distance }) => distance)).toEqual(
          found.map(({ distance }) => distance).sort((a, b) => a - b),
        );
        for (const one of expected) expect(found).toContainEqual(one);
        for (const { id, distance } of found) {
          expect(distance).toBe(hashDistance(probe, hashWords(known.find((other) => other.id === id)!.row)));
          expect(distance).toBeLessThanOrEqual(CANDIDATE_LIMIT);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('are searched in a range of ids and times, over several blocks, without those that were erased', () => {
    const packed = new PackedHashes();
    const row = new Uint8Array(128).fill(0b10110010);
    const other = row.map((byte) => ~byte & 255);
    for (let id = 1; id <= 10_000; id++) packed.add(id, id, id % 1000 === 0 ? row : other);
    expect(packed.size).toBe(10_000);
    const probe = probeOf(row, 3);
    const ids = (range: Partial<typeof all>, most = 100) =>
      packed
        .search([probe], { ...all, ...range }, most)[0]!
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    expect(ids({})).toEqual([1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]);
    expect(ids({ before: 3000 })).toEqual([1000, 2000]);
    expect(ids({ since: 8500 })).toEqual([9000, 10_000]);
    expect(ids({}, 2)).toEqual([9000, 10_000]);
    for (let id = 1; id <= 5000; id++) packed.erase(id);
    packed.erase(5000);
    packed.erase(20_000);
    expect(packed.size).toBe(5000);
    expect(ids({})).toEqual([6000, 7000, 8000, 9000, 10_000]);
    for (let id = 10_001; id <= 16_000; id++) packed.add(id, id, row);
    expect(ids({}, 7000)).toHaveLength(6005);
    packed.clear();
    expect([packed.size, ids({})]).toEqual([0, []]);
  });

  it('are overwritten with zeros when they are erased', () => {
    const memory = new wasm.Memory({ initial: 2, maximum: 65_536, shared: true });
    const packed = new PackedHashes(memory);
    for (const id of [1, 2, 3]) packed.add(id, 1, new Uint8Array(128).fill(0xff));
    const used = () => new Uint8Array(memory.buffer, 2 * pageBytes).filter((byte) => byte !== 0).length;
    expect(used()).toBe(3 * 128 + 256);
    for (const id of [3, 1]) packed.erase(id);
    expect(used()).toBe(128 + 256);
    packed.erase(2);
    expect(used()).toBe(0);
  });

  it('do not resemble a probe that compares nothing', () => {
    const packed = new PackedHashes();
    packed.add(1, 1, new Uint8Array(128));
    const words = new Uint32Array(HASH_WORDS);
    expect(packed.search([{ bits: words, compared: words, count: 0 }], all, 8)).toEqual([[]]);
  });
});
