import { readFileSync } from 'node:fs';
import { CANDIDATE_LIMIT, HASH_WORDS, type HashProbe, hashWords } from '@wajah/engine/series';
import { pageBytes, type WasmMemory, wasm } from '../scan/kernel.ts';

/** Cells of a hash across. */
const across = 32;
/** Bits of a hash that have a plane: of every other cell across and down, since neighbouring ones agree. */
const planeBits: readonly number[] = Array.from(
  { length: (across / 2) ** 2 },
  (_, i) => 2 * across * Math.floor((2 * i) / across) + ((2 * i) % across),
);

/** The bits of word `i` of a hash that have a plane. */
function planeMask(i: number): number {
  return i % 2 === 0 ? 0x55555555 : 0;
}

/** Inverse of `planeBits`. */
function planeOf(bit: number): number {
  return ((bit >> 6) << 4) | ((bit & 31) >> 1);
}

/** Bits of a sketch. */
const sketchBits = 96;
/**
 * Most differing bits of a sketch whose whole hash is compared. Of 3,124 changed `dev` frames within `CANDIDATE_LIMIT` of
 * the original none differs in more than 29, of pairs of two pictures 99.7 % do in more than 32.
 */
const mostDiffering = 32;

/** The kernel rejects what it counts beyond this. */
const counted = 63;

/** With fewer hashes all are compared: the shares of bits are those of few people. */
export const fewRows = 8192;

/** Bytes of a placed sketch: six vectors to count from, a vector and the address of a plane for each bit. */
const sketchBytes = (6 + sketchBits) * 16 + sketchBits * 4;

/** How many of the stored hashes have the bit of each plane set. */
interface PlaneCounts {
  readonly rows: number;
  readonly set: Uint32Array;
}

/**
 * Writes the sketch of a probe: the 96 compared bits that the fewest stored hashes share. Bits that all faces have tell
 * nothing; with the rare ones other faces differ in half of a sketch.
 * @param at address in words of 32 bits
 * @param planeBytes distance of two planes
 */
function placeSketch(
  memory: Uint32Array,
  at: number,
  { bits, compared }: HashProbe,
  { rows, set }: PlaneCounts,
  planeBytes: number,
): void {
  const isSet = (words: Uint32Array, bit: number) => (words[bit >> 5]! >>> (bit & 31)) & 1;
  const chosen = planeBits
    .flatMap((bit, plane) => {
      if (!isSet(compared, bit)) return [];
      const own = isSet(bits, bit);
      return { plane, own, sharing: own ? set[plane]! : rows - set[plane]! };
    })
    .sort((a, b) => a.sharing - b.sharing)
    .slice(0, sketchBits);
  const selective = rows >= fewRows && chosen.length === sketchBits;
  const start = selective ? counted - mostDiffering : 0;
  const fill = (vector: number, bit: number) =>
    memory.fill(bit ? 0xffffffff : 0, at + 4 * vector, at + 4 * vector + 4);
  for (let i = 0; i < 6; i++) fill(i, (start >> i) & 1);
  for (let i = 0; i < sketchBits; i++) {
    fill(6 + i, chosen[i]?.own ?? 0);
    memory[at + (6 + sketchBits) * 4 + i] = (chosen[i]?.plane ?? 0) * planeBytes;
  }
}

/** Hashes of a block. */
const blockRows = 4096;
const hashBytes = HASH_WORDS * 4;
const planeBytes = blockRows / 8;
const planesAt = blockRows * hashBytes;
const blockBytes = planesAt + planeBits.length * planeBytes;

/** Rows of a vector of the kernel. */
const groupRows = 128;

/** The first pages hold the probes (bits, mask, sketch) and, behind them, what a scan found. */
const probeBytes = 2 * hashBytes + sketchBytes;
const mostProbes = Math.floor(pageBytes / probeBytes);
const foundAt = pageBytes;
const firstPages = 2;
const mostPages = 65_536;

/** Of an erased row. */
const never = Number.NEGATIVE_INFINITY;

/** A hash that resembles a probe. */
export interface ResemblingFrame {
  readonly id: number;
  /** As of `hashDistance`. */
  readonly distance: number;
  readonly words: Uint32Array;
}

/** Which frames are searched. */
export interface FrameRange {
  /** Ids below this one. */
  readonly before: number;
  /** Frames of this time (milliseconds) and later. */
  readonly since: number;
}

interface Block {
  /** Address of the rows; the planes follow. */
  readonly at: number;
  readonly ids: Float64Array;
  readonly times: Float64Array;
  rows: number;
  /** Those that were not erased. */
  held: number;
}

/**
 * Perceptual hashes of frames in memory of WebAssembly, 176 bytes each with id and time: whole, and every fourth bit again
 * in planes. A search counts the differing bits of a sketch over the planes and reads the few hashes where these are few.
 */
export class PackedHashes {
  readonly #memory: WasmMemory;
  readonly #search: FrameKernel;
  readonly #set = new Uint32Array(planeBits.length);
  readonly #free: number[] = [];
  #blocks: Block[] = [];
  #pages = firstPages;

  /** @param memory of two pages, which grows */
  constructor(memory = new wasm.Memory({ initial: firstPages, maximum: mostPages, shared: true })) {
    this.#memory = memory;
    this.#search = openFrameKernel(memory);
  }

  /** Number of hashes. */
  get size(): number {
    return this.#blocks.reduce((sum, { held }) => sum + held, 0);
  }

  /**
   * @param id larger than those of all hashes
   * @param sentAt milliseconds
   * @param hash 128 bytes
   */
  add(id: number, sentAt: number, hash: Uint8Array): void {
    let block = this.#blocks.at(-1);
    if (!block || block.rows === blockRows) {
      block = this.#newBlock();
      this.#blocks.push(block);
    }
    const row = block.rows++;
    block.ids[row] = id;
    block.times[row] = sentAt;
    block.held++;
    this.#put(block, row, hashWords(hash));
  }

  /** Overwrites a hash with zeros. */
  erase(id: number): void {
    const index = this.#blocks.findLastIndex(({ ids }) => ids[0]! <= id);
    const block = this.#blocks[index];
    const row = block ? rowOf(block, id) : -1;
    if (!block || row < 0 || block.times[row] === never) return;
    block.times[row] = never;
    block.held--;
    this.#put(block, row, new Uint32Array(HASH_WORDS));
    if (block.held > 0 || block.rows < blockRows) return;
    this.#free.push(block.at);
    this.#blocks.splice(index, 1);
  }

  /** Overwrites all hashes with zeros. */
  clear(): void {
    new Uint8Array(this.#memory.buffer).fill(0);
    this.#set.fill(0);
    this.#free.push(...this.#blocks.map(({ at }) => at));
    this.#blocks = [];
  }

  /** @returns for each probe the `most` nearest hashes within `CANDIDATE_LIMIT`, the nearest first */
  search(probes: readonly HashProbe[], range: FrameRange, most: number): ResemblingFrame[][] {
    const results: ResemblingFrame[][] = [];
    for (let from = 0; from < probes.length; from += mostProbes) {
      results.push(...this.#searchBlocks(probes.slice(from, from + mostProbes), range, most));
    }
    return results;
  }

  #searchBlocks(probes: readonly HashProbe[], range: FrameRange, most: number): ResemblingFrame[][] {
    for (const [i, probe] of probes.entries()) this.#place(probe, i * probeBytes);
    const found = probes.map((): ResemblingFrame[] => []);
    // All probes for a block while it is in the processor's cache.
    for (const block of this.#blocks) {
      const groups = Math.ceil(block.rows / groupRows);
      for (const [i, { count }] of probes.entries()) {
        if (count === 0) continue;
        const probe = i * probeBytes;
        const limit = Math.floor(count * CANDIDATE_LIMIT);
        const sketch = probe + 2 * hashBytes;
        const hits = this.#search(block.at + planesAt, block.at, groups, sketch, probe, limit, foundAt);
        if (hits === 0) continue;
        const near = found[i]!;
        for (const { row, bits } of this.#hits(hits)) {
          if (row >= block.rows || !(block.ids[row]! < range.before && block.times[row]! >= range.since))
            continue;
          near.push({ id: block.ids[row]!, distance: bits / count, words: this.#wordsOf(block, row) });
        }
        if (near.length > 4 * most) found[i] = nearest(near, most);
      }
    }
    return found.map((all) => nearest(all, most));
  }

  #hits(count: number): { row: number; bits: number }[] {
    const found = new Uint32Array(this.#memory.buffer, foundAt, 2 * count);
    return Array.from({ length: count }, (_, i) => ({ row: found[2 * i]!, bits: found[2 * i + 1]! }));
  }

  #wordsOf({ at }: Block, row: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, at + row * hashBytes, HASH_WORDS).slice();
  }

  #place(probe: HashProbe, at: number): void {
    const memory = new Uint32Array(this.#memory.buffer);
    memory.set(probe.bits, at / 4);
    memory.set(probe.compared, at / 4 + HASH_WORDS);
    const counts = { rows: this.size, set: this.#set };
    placeSketch(memory, at / 4 + 2 * HASH_WORDS, probe, counts, planeBytes);
  }

  /** Writes a hash over the one in a row, zeros at first. */
  #put({ at }: Block, row: number, words: Uint32Array): void {
    const old = new Uint32Array(this.#memory.buffer, at + row * hashBytes, HASH_WORDS);
    const planes = new Uint8Array(
      this.#memory.buffer,
      at + planesAt + (row >> 3),
      blockBytes - planesAt - (row >> 3),
    );
    for (const [i, word] of words.entries()) {
      for (let left = (old[i]! ^ word) & planeMask(i); left !== 0; left &= left - 1) {
        const bit = 31 - Math.clz32(left & -left);
        const plane = planeOf(32 * i + bit);
        planes[plane * planeBytes]! ^= 1 << (row & 7);
        this.#set[plane]! += (word >>> bit) & 1 ? 1 : -1;
      }
    }
    old.set(words);
  }

  #newBlock(): Block {
    const at = this.#free.pop() ?? this.#grow();
    const [ids, times] = [new Float64Array(blockRows), new Float64Array(blockRows)];
    return { at, ids, times, rows: 0, held: 0 };
  }

  /** @throws RangeError at 4 GiB, 26 million frames */
  #grow(): number {
    const at = this.#pages * pageBytes;
    const pages = blockBytes / pageBytes;
    this.#memory.grow(pages);
    this.#pages += pages;
    return at;
  }
}

/** @returns -1 when the block has no such id */
function rowOf({ ids, rows }: Block, id: number): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low < rows && ids[low] === id ? low : -1;
}

function nearest(all: readonly ResemblingFrame[], most: number): ResemblingFrame[] {
  return [...all].sort((a, b) => a.distance - b.distance || b.id - a.id).slice(0, most);
}

/** `search` of frames.wat; addresses are bytes in the memory. @returns number of rows found */
type FrameKernel = (
  planes: number,
  rows: number,
  groups: number,
  sketch: number,
  probe: number,
  limit: number,
  out: number,
) => number;

/** @throws Error where WASM SIMD is missing; Node has had it on every processor that it supports since version 16 */
function openFrameKernel(memory: WasmMemory): FrameKernel {
  const bytes = readFileSync(new URL('../../../wasm/frames.wasm', import.meta.url));
  const { exports } = new wasm.Instance(new wasm.Module(bytes), { host: { memory } });
  return exports['search'] as FrameKernel;
}
