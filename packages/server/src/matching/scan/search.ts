import { BestRows, innerProduct, type ScoredRow } from './best-rows.ts';
import type { Kernel, WasmMemory } from './kernel.ts';
import {
  type BlockLayout,
  blockLayout,
  blockRows,
  codesOf,
  maxCandidates,
  maxLowerBounds,
  pruneThreshold,
  queryBytes,
  state,
} from './layout.ts';
import { type QuantizedQuery, quantizeQuery } from './quantise.ts';
import { compareIds } from './row-text.ts';

/** A memory with blocks, as one thread scans it. */
export interface ScanMemory {
  readonly memory: WasmMemory;
  readonly kernel: Kernel;
  /** Address of this thread's scratch area of `scratchBytes`. */
  readonly scratch: number;
}

/** A matrix to search; structured-cloneable. */
export interface ScanTarget {
  readonly dimensions: number;
  readonly rows: number;
  /** Rows per block; less than `blockRows` only for a single block. */
  readonly capacity: number;
  /** For each block: memory and address of the scanned part, of the templates and of the text. */
  readonly blocks: Float64Array;
  /** Largest norms of a row, see QuantizedRow. */
  readonly norm: number;
  readonly codeNorm: number;
}

/** Numbers for each block in `ScanTarget.blocks`. */
export const blockFields = 6;

/**
 * The k rows with the largest exact scores, best first, ties by user_id. Exact for each query: for every row
 * |probe · template − probe · codes| ≤ |probe| · |template − codes| (Cauchy–Schwarz), and the norm of that difference
 * is stored with the codes. The kernel drops a row only if the upper bound of its score lies below the lower bounds of
 * k others or below k exact scores; all others are scored exactly, at worst (duplicates) every row.
 */
export function searchRows(
  memories: readonly ScanMemory[],
  target: ScanTarget,
  probe: Float32Array,
  k: number,
): ScoredRow[] {
  const scan = new Scan(memories, target, probe, k);
  for (const [index, scanned] of memories.entries()) scan.memory(index, scanned);
  return scan.best.rows;
}

/** Orders rows by their user_ids. @param buffers of the memories */
export function orderOfIds(
  buffers: readonly ArrayBufferLike[],
  { blocks }: Pick<ScanTarget, 'blocks'>,
): (a: number, b: number) => number {
  const text = (row: number) => {
    const block = Math.floor(row / blockRows) * blockFields;
    const bytes = new Uint8Array(buffers[blocks[block + 4]!]!, blocks[block + 5]!);
    return { bytes, row: row % blockRows };
  };
  return (a, b) => compareIds(text(a), text(b));
}

class Scan {
  readonly best: BestRows;
  readonly #target: ScanTarget;
  readonly #probe: Float32Array;
  readonly #k: number;
  readonly #query: QuantizedQuery;
  readonly #layout;
  readonly #buffers: ArrayBufferLike[];

  constructor(memories: readonly ScanMemory[], target: ScanTarget, probe: Float32Array, k: number) {
    this.#target = target;
    this.#probe = probe;
    this.#k = k;
    this.#query = quantizeQuery(probe, target.norm, target.codeNorm);
    this.#layout = blockLayout(target.capacity, target.dimensions);
    this.#buffers = memories.map(({ memory }) => memory.buffer);
    this.best = new BestRows(k, orderOfIds(this.#buffers, target));
  }

  /** Scans the blocks that lie in one memory. */
  memory(index: number, scanned: ScanMemory): void {
    const { blocks, rows } = this.#target;
    let begun = false;
    for (let block = 0; block * blockFields < blocks.length; block++) {
      if (blocks[block * blockFields] !== index) continue;
      if (!begun) this.#begin(scanned);
      begun = true;
      const first = block * blockRows;
      this.#block(scanned, blocks[block * blockFields + 1]!, first, Math.min(blockRows, rows - first));
    }
    if (begun) this.#score(scanned);
  }

  #begin({ memory, scratch }: ScanMemory): void {
    const keeps = this.#k <= maxLowerBounds;
    beginScan(memory, scratch, this.#query, floorFloat(this.best.threshold), keeps ? this.#k : 0);
  }

  #block(scanned: ScanMemory, address: number, first: number, rows: number): void {
    for (let row = 0; row < rows; ) {
      row += scanRows(scanned, this.#layout, { address, first, rows }, row);
      if (row < rows) this.#score(scanned);
    }
  }

  /** Scores candidates exactly, in order of upper bound, until none of the others can be among the best. */
  #score({ memory, kernel, scratch }: ScanMemory): void {
    const at = scratch + queryBytes;
    const floats = new Float32Array(memory.buffer, at, state.candidates);
    const ints = new Int32Array(memory.buffer, at, state.candidates);
    kernel.prune(at);
    const count = ints[state.candidateCount]!;
    const rows = new Int32Array(memory.buffer, at + state.candidates * 4, count * 2);
    const upperBounds = new Float32Array(memory.buffer, at + state.candidates * 4, count * 2);
    const order = Array.from({ length: count }, (_, i) => 2 * i).sort(
      (a, b) => upperBounds[b + 1]! - upperBounds[a + 1]!,
    );
    for (const index of order) {
      if (upperBounds[index + 1]! < floorFloat(this.best.threshold)) break;
      this.best.add(rows[index]!, this.#exact(rows[index]!));
    }
    ints[state.candidateCount] = 0;
    floats[state.threshold] = Math.max(floats[state.threshold]!, floorFloat(this.best.threshold));
  }

  #exact(row: number): number {
    const { dimensions, blocks } = this.#target;
    const block = Math.floor(row / blockRows) * blockFields;
    const place = blocks[block + 3]! + (row % blockRows) * dimensions * 4;
    const template = new Float32Array(this.#buffers[blocks[block + 2]!]!, place, dimensions);
    return innerProduct(template, 0, this.#probe);
  }
}

/**
 * Prepares a kernel's scratch area.
 * @param k rows whose lower bounds raise the threshold, up to `maxLowerBounds`; 0: the threshold stays
 */
export function beginScan(
  memory: WasmMemory,
  scratch: number,
  query: QuantizedQuery,
  threshold: number,
  k = 0,
): void {
  new Int16Array(memory.buffer, scratch).set(query.values);
  const at = scratch + queryBytes;
  const floats = new Float32Array(memory.buffer, at, state.candidates);
  const ints = new Int32Array(memory.buffer, at, state.candidates);
  floats[state.threshold] = threshold;
  floats[state.scale] = query.scale;
  floats[state.a] = query.a;
  floats[state.b] = query.b;
  // No lower bound exceeds the largest number, so none is recorded.
  floats.fill(k === 0 ? largestFloat : -largestFloat, state.lowerBounds, state.candidates);
  ints[state.k] = Math.max(1, k);
  ints[state.candidateCount] = 0;
  ints[state.maxCandidates] = maxCandidates;
  ints[state.pruneThreshold] = pruneThreshold;
}

/** Rows of a block: where it lies, the number of its first row, and how many it has. */
interface Block {
  readonly address: number;
  readonly first: number;
  readonly rows: number;
}

/** Scans a block from a row on, until its end or until the candidates are full. @returns rows scanned */
export function scanRows(
  { kernel, scratch }: ScanMemory,
  { stride, scales, residuals }: BlockLayout,
  { address, first, rows }: Block,
  row: number,
): number {
  return kernel.scan(
    address + codesOf(row, stride),
    address + scales + row * 4,
    address + residuals + row * 4,
    rows - row,
    first + row,
    stride,
    scratch,
    scratch + queryBytes,
  );
}

const largestFloat = 3.4028234663852886e38;

/** The largest float32 at or below a value. */
export function floorFloat(value: number): number {
  if (value === Number.NEGATIVE_INFINITY) return -largestFloat;
  const rounded = Math.fround(value);
  return rounded <= value ? rounded : rounded - Math.abs(rounded) * 2 ** -23 - 2 ** -149;
}
