import { CANDIDATE_LIMIT, HASH_WORDS, type HashProbe } from '@wajah/engine/series';
import { pageBytes, type WasmMemory, wasm } from '../scan/kernel/kernel.ts';
import { openFrameKernel } from './frame-kernel.ts';

/** Hashes of a block. */
const blockRows = 4096;
const hashBytes = HASH_WORDS * 4;
const headWords = HASH_WORDS / 4;
const headBytes = headWords * 4;
const tailBytes = hashBytes - headBytes;
const blockBytes = blockRows * hashBytes;

/** The first pages hold the probes (bits, then mask) and, behind them, what a scan found. */
const firstPages = 2;
const probeBytes = 2 * hashBytes;
const foundAt = pageBytes;
const room = pageBytes / 8;
const mostProbes = pageBytes / probeBytes;
const mostPages = 65_536;

/**
 * Share of the compared bits of a head in which a candidate may differ. More than of the whole, since a quarter of the
 * bits is a sample.
 */
const HEAD_LIMIT = 0.3;

/** A hash that resembles a probe. */
export interface ResemblingFrame {
  readonly id: number;
  /** As of `hashDistance`. */
  readonly distance: number;
}

/** Which frames are searched. */
export interface FrameRange {
  /** Ids below this one. */
  readonly before: number;
  /** Frames of this time (milliseconds) and later. */
  readonly since: number;
}

interface Block {
  /** Address of the heads; the tails follow. */
  readonly at: number;
  readonly ids: Float64Array;
  readonly times: Float64Array;
  rows: number;
  /** Of the newest row. */
  newest: number;
}

/**
 * Perceptual hashes of frames in memory of WebAssembly, 144 bytes each with id and time. A search reads every head (the
 * rows 0, 4, 8, … of cells) and the rest of the few hashes whose head resembles the probe.
 */
export class PackedHashes {
  readonly #memory: WasmMemory = new wasm.Memory({ initial: firstPages, maximum: mostPages, shared: true });
  readonly #search = openFrameKernel(this.#memory);
  readonly #free: number[] = [];
  #blocks: Block[] = [];
  #pages = firstPages;

  /** Number of hashes. */
  get size(): number {
    return this.#blocks.reduce((sum, { rows }) => sum + rows, 0);
  }

  /**
   * @param hash 128 bytes
   * @param sentAt milliseconds
   */
  add(id: number, sentAt: number, hash: Uint8Array): void {
    let block = this.#blocks.at(-1);
    if (!block || block.rows === blockRows) {
      block = this.#newBlock();
      this.#blocks.push(block);
    }
    const words = new Uint32Array(new Uint8Array(hash).buffer);
    const row = block.rows++;
    block.ids[row] = id;
    block.times[row] = sentAt;
    block.newest = Math.max(block.newest, sentAt);
    const memory = new Uint32Array(this.#memory.buffer);
    const head = (block.at + row * headBytes) / 4;
    const tail = (block.at + blockRows * headBytes + row * tailBytes) / 4;
    split(words, (i, word) => {
      memory[i < headWords ? head + i : tail + i - headWords] = word;
    });
  }

  /** Frees the blocks whose hashes are all older than a time, milliseconds. */
  expire(since: number): void {
    const old = this.#blocks.filter(({ newest }) => newest < since);
    this.#free.push(...old.map(({ at }) => at));
    this.#blocks = this.#blocks.filter(({ newest }) => newest >= since);
  }

  /** @returns for each probe the `most` nearest of its candidates, the nearest first */
  search(probes: readonly HashProbe[], range: FrameRange, most: number): ResemblingFrame[][] {
    const results: ResemblingFrame[][] = [];
    for (let from = 0; from < probes.length; from += mostProbes) {
      results.push(...this.#searchBlocks(probes.slice(from, from + mostProbes), range, most));
    }
    return results;
  }

  #searchBlocks(probes: readonly HashProbe[], range: FrameRange, most: number): ResemblingFrame[][] {
    const limits = probes.map((probe, i) => this.#place(probe, i * probeBytes));
    const found = probes.map((): ResemblingFrame[] => []);
    // All probes for a block while it is in the processor's cache.
    for (const block of this.#blocks) {
      for (const [i, { count }] of probes.entries()) {
        if (count === 0) continue;
        const { head, whole } = limits[i]!;
        const tails = block.at + blockRows * headBytes;
        const hits = this.#search(block.at, tails, block.rows, i * probeBytes, head, whole, foundAt, room);
        for (const { row, bits } of this.#hits(hits)) {
          const id = block.ids[row]!;
          if (id < range.before && block.times[row]! >= range.since) {
            found[i]!.push({ id, distance: bits / count });
          }
        }
        if (found[i]!.length > 4 * most) found[i] = nearest(found[i]!, most);
      }
    }
    return found.map((all) => nearest(all, most));
  }

  #hits(count: number): { row: number; bits: number }[] {
    const found = new Uint32Array(this.#memory.buffer, foundAt, 2 * count);
    return Array.from({ length: count }, (_, i) => ({ row: found[2 * i]!, bits: found[2 * i + 1]! }));
  }

  /** Writes a probe. @returns the largest differences in bits */
  #place({ bits, compared, count }: HashProbe, at: number): { head: number; whole: number } {
    const memory = new Uint32Array(this.#memory.buffer, at, 2 * HASH_WORDS);
    split(bits, (i, word) => {
      memory[i] = word;
    });
    let comparedInHead = 0;
    split(compared, (i, word) => {
      memory[HASH_WORDS + i] = word;
      if (i < headWords) comparedInHead += word.toString(2).replaceAll('0', '').length;
    });
    return {
      head: Math.floor(comparedInHead * HEAD_LIMIT),
      whole: Math.floor(count * CANDIDATE_LIMIT),
    };
  }

  #newBlock(): Block {
    const at = this.#free.pop() ?? this.#grow();
    const [ids, times] = [new Float64Array(blockRows), new Float64Array(blockRows)];
    return { at, ids, times, rows: 0, newest: 0 };
  }

  /** @throws RangeError at 4 GiB, 33 million frames */
  #grow(): number {
    const at = this.#pages * pageBytes;
    const pages = blockBytes / pageBytes;
    this.#memory.grow(pages);
    this.#pages += pages;
    return at;
  }
}

/** Calls back with each word and its place: every fourth word is in the head. */
function split(words: Uint32Array, put: (place: number, word: number) => void): void {
  let [head, tail] = [0, headWords];
  for (const [i, word] of words.entries()) put(i % 4 === 0 ? head++ : tail++, word);
}

function nearest(all: readonly ResemblingFrame[], most: number): ResemblingFrame[] {
  return [...all].sort((a, b) => a.distance - b.distance || b.id - a.id).slice(0, most);
}
