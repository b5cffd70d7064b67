import { BestRows, innerProduct } from './best-rows.ts';
import { type Kernel, openKernel, type WasmMemory } from './kernel.ts';
import {
  codesOf,
  maxCandidates,
  maxLowerBounds,
  type PageLayout,
  pageLayout,
  pruneThreshold,
  queryBytes,
  scratchOf,
  state,
} from './layout.ts';
import { placeOf } from './page-memory.ts';
import { type QuantizedQuery, quantizeQuery } from './quantise.ts';

/** Rows of a gallery to search; structured-cloneable. */
export interface ScanTarget {
  readonly dimensions: number;
  /** Rows to scan, from the first on. */
  readonly rows: number;
  /** Numbers of its pages, in order of the rows; in shared memory. */
  readonly codes: Uint32Array;
  readonly templates: Uint32Array;
  /** Pages of codes to scan: from the first up to, and without, the second. */
  readonly span: readonly [from: number, end: number];
  /** Largest norms of a row, see QuantizedRow. */
  readonly norm: number;
  readonly codeNorm: number;
}

export interface ScanQuestion {
  readonly probe: Float32Array;
  /** How many of the best; Infinity: all that reach `least`. */
  readonly k: number;
  /** Least score. */
  readonly least: number;
}

/** Rows with their exact scores: the k best first, then those that tie with the last of them. */
export interface FoundRows {
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly scores: Float64Array<ArrayBuffer>;
}

/** The memories of all galleries, as one thread scans them. */
export class ScanMemories {
  /** Address of this thread's scratch area in the memories of codes. */
  readonly scratch: number;
  readonly codes: { readonly memory: WasmMemory; readonly kernel: Kernel }[] = [];
  readonly templates: WasmMemory[] = [];

  /** @param thread number below `maxThreads` */
  constructor(thread: number) {
    this.scratch = scratchOf(thread);
  }

  add(codes: readonly WasmMemory[], templates: readonly WasmMemory[]): void {
    for (const memory of codes) this.codes.push({ memory, kernel: openKernel(memory) });
    this.templates.push(...templates);
  }
}

/**
 * The k rows with the largest exact scores. Exact for each query: for every row
 * |probe · template − probe · codes| ≤ |probe| · |template − codes| (Cauchy–Schwarz), and the norm of that difference
 * is stored with the codes. The kernel drops a row only if the upper bound of its score lies below the lower bounds of
 * k others, below k exact scores or below `least`; all others are scored exactly, at worst (duplicates) every row.
 */
export function searchRows(memories: ScanMemories, target: ScanTarget, question: ScanQuestion): FoundRows {
  const { rows } = new Scan(memories, target, question).run();
  return {
    rows: Uint32Array.from(rows, ({ row }) => row),
    scores: Float64Array.from(rows, ({ score }) => score),
  };
}

class Scan {
  readonly #memories: ScanMemories;
  readonly #target: ScanTarget;
  readonly #question: ScanQuestion;
  readonly #query: QuantizedQuery;
  readonly #layout: PageLayout;
  readonly #templates: Float32Array[];
  readonly #best: BestRows;

  constructor(memories: ScanMemories, target: ScanTarget, question: ScanQuestion) {
    this.#memories = memories;
    this.#target = target;
    this.#question = question;
    this.#query = quantizeQuery(question.probe, target.norm, target.codeNorm);
    this.#layout = pageLayout(target.dimensions);
    this.#templates = memories.templates.map(({ buffer }) => new Float32Array(buffer));
    this.#best = new BestRows(question.k, question.least);
  }

  run(): BestRows {
    const { codes, span } = this.#target;
    let scanned = -1;
    for (let page = span[0]; page < span[1]; page++) {
      const { memory, address } = placeOf(codes[page]!);
      if (memory !== scanned) {
        if (scanned >= 0) this.#score(scanned);
        this.#begin(memory);
        scanned = memory;
      }
      this.#scanPage(page, memory, address);
    }
    if (scanned >= 0) this.#score(scanned);
    return this.#best;
  }

  /** Prepares the scratch area of a memory. */
  #begin(memory: number): void {
    const { scratch } = this.#memories;
    const { buffer } = this.#memories.codes[memory]!.memory;
    const { values, scale, a, b } = this.#query;
    new Int16Array(buffer, scratch).set(values);
    const at = scratch + queryBytes;
    const floats = new Float32Array(buffer, at, state.candidates);
    const ints = new Int32Array(buffer, at, state.candidates);
    floats[state.threshold] = floorFloat(this.#best.threshold);
    floats[state.scale] = scale;
    floats[state.a] = a;
    floats[state.b] = b;
    const { k } = this.#question;
    const raises = k <= maxLowerBounds;
    // No lower bound exceeds the largest number, so none is recorded.
    floats.fill(raises ? -largestFloat : largestFloat, state.lowerBounds, state.candidates);
    ints[state.k] = raises ? k : 1;
    ints[state.candidateCount] = 0;
    ints[state.maxCandidates] = maxCandidates;
    ints[state.pruneThreshold] = pruneThreshold;
  }

  #scanPage(page: number, memory: number, address: number): void {
    const { stride, codeRows } = this.#layout;
    const { kernel } = this.#memories.codes[memory]!;
    const { scratch } = this.#memories;
    const first = page * codeRows;
    const rows = Math.min(codeRows, this.#target.rows - first);
    for (let row = 0; row < rows; ) {
      row += kernel.scan(
        address + codesOf(row, stride),
        rows - row,
        first + row,
        stride,
        scratch,
        scratch + queryBytes,
      );
      if (row < rows) this.#score(memory);
    }
  }

  /** Scores candidates exactly, in order of upper bound, until none of the others can be among the best. */
  #score(memory: number): void {
    const { kernel, memory: scanned } = this.#memories.codes[memory]!;
    const at = this.#memories.scratch + queryBytes;
    const floats = new Float32Array(scanned.buffer, at, state.candidates);
    const ints = new Int32Array(scanned.buffer, at, state.candidates);
    kernel.prune(at);
    const count = ints[state.candidateCount]!;
    const rows = new Int32Array(scanned.buffer, at + state.candidates * 4, count * 2);
    const upperBounds = new Float32Array(scanned.buffer, at + state.candidates * 4, count * 2);
    const order = Array.from({ length: count }, (_, i) => 2 * i).sort(
      (a, b) => upperBounds[b + 1]! - upperBounds[a + 1]!,
    );
    for (const index of order) {
      if (upperBounds[index + 1]! < floorFloat(this.#best.threshold)) break;
      this.#best.add(rows[index]!, this.#exact(rows[index]!));
    }
    ints[state.candidateCount] = 0;
    floats[state.threshold] = Math.max(floats[state.threshold]!, floorFloat(this.#best.threshold));
  }

  #exact(row: number): number {
    const { dimensions, templates } = this.#target;
    const { templateRows } = this.#layout;
    const { memory, address } = placeOf(templates[Math.floor(row / templateRows)]!);
    const at = address / 4 + (row % templateRows) * dimensions;
    return innerProduct(this.#templates[memory]!, at, this.#question.probe);
  }
}

const largestFloat = 3.4028234663852886e38;

/** The largest float32 at or below a value. */
function floorFloat(value: number): number {
  if (value === Number.NEGATIVE_INFINITY) return -largestFloat;
  const rounded = Math.fround(value);
  return rounded <= value ? rounded : rounded - Math.abs(rounded) * 2 ** -23 - 2 ** -149;
}
