import type { Match, MatchedPair, PairPage } from '../matcher.ts';
import type { Arenas, MemorySegment } from '../scan/arenas.ts';
import { BestRows, innerProduct, type ScoredRow } from '../scan/best-rows.ts';
import type { FoundPair, PairQuestion } from '../scan/pairs.ts';
import type { Scanner } from '../scan/scanner.ts';
import type { ScanTarget } from '../scan/search.ts';
import { type MatrixFace, MatrixRows, type PackedRows } from './matrix-rows.ts';

/** Tombstones reused in one turn of the event loop: about a millisecond. */
const compactedPerTick = 500;

/** With more tombstones, and more than a quarter of the rows, new scans wait for a compaction. */
const maxTombstones = 1000;

/** Rows requested beyond k by the second attempt: rows found may be removed during the scan. */
const spare = 8;

/**
 * The templates of one gallery. While scans run in other threads, rows are only appended and tombstoned; when no scan
 * runs, the last rows move into the place of tombstones.
 */
export class GalleryMatrix {
  readonly #arenas: Arenas;
  readonly #scanner: Pick<Scanner, 'search' | 'pairs'>;
  #rows: MatrixRows;
  /** Released during scans. */
  readonly #retired: MemorySegment[] = [];
  #scans = 0;
  /** Number of resets. */
  #generation = 0;
  /** Resolvers of `whenIdle`. */
  readonly #waiting: (() => void)[] = [];
  #disposed = false;

  constructor(arenas: Arenas, scanner: Pick<Scanner, 'search' | 'pairs'>) {
    this.#arenas = arenas;
    this.#scanner = scanner;
    this.#rows = this.#newRows(0);
  }

  get size(): number {
    return this.#rows.size;
  }

  get bytes(): number {
    return this.#rows.bytes;
  }

  /** Whether new scans should wait until tombstones are reused. */
  get needsCompaction(): boolean {
    return this.#scans > 0 && this.#rows.tombstones > Math.max(maxTombstones, this.#rows.count / 4);
  }

  /** Resolves when no scan runs. */
  async whenIdle(): Promise<void> {
    while (this.#scans > 0) await new Promise<void>((go) => this.#waiting.push(go));
  }

  /** Whether templates of this length can be added. */
  fits(dimensions: number): boolean {
    return this.size === 0 || this.#rows.dimensions === dimensions;
  }

  /** Version with which the user's face was written, modulo 2^32; null when there is none. */
  seqOf(userId: string): number | null {
    const row = this.#rows.find(Buffer.from(userId));
    return row < 0 ? null : this.#rows.seq(row);
  }

  /** Users who are in the matrix at some moment of the iteration. */
  *userIds(): Generator<string> {
    for (let row = this.#rows.count - 1; row >= 0; row--) {
      if (this.#rows.holds(row)) yield textOf(this.#rows.id(row));
    }
  }

  put(face: MatrixFace, template: Float32Array): void {
    if (this.size === 0 && this.#rows.dimensions !== template.length) this.#restart(template.length);
    this.#rows.put(face, template, this.#scans === 0);
    this.#finishScan();
  }

  remove(userId: string): void {
    this.#rows.remove(Buffer.from(userId));
    this.#finishScan();
  }

  /** Replaces the rows by those that a worker filled. */
  async replaceRows(packed: PackedRows): Promise<void> {
    const rows = await MatrixRows.unpack(this.#arenas, packed, (piece) => this.#retire(piece));
    this.#rows.release();
    this.#rows = rows;
    this.#generation++;
    this.#finishScan();
  }

  /** The `k` best at the moment of the answer, best first; ties by user_id. */
  async search(probe: Float32Array, k: number, signal?: AbortSignal): Promise<Match[]> {
    if (this.size === 0 || k < 1) return [];
    if (probe.length !== this.#rows.dimensions) {
      throw new Error(`a probe of ${probe.length} dimensions in a gallery of ${this.#rows.dimensions}`);
    }
    return this.#scan(probe, k, signal);
  }

  async #scan(probe: Float32Array, k: number, signal: AbortSignal | undefined): Promise<Match[]> {
    const generation = this.#generation;
    this.#scans++;
    try {
      for (let wanted = k; ; wanted += spare) {
        const { count } = this.#rows;
        const found = await this.#scanner.search(this.#target(), probe, wanted, signal);
        // All rows were removed meanwhile.
        if (generation !== this.#generation) return [];
        const all = count === this.#rows.count ? found : this.#withAdded(found, count, probe, wanted);
        const there = all.filter(({ row }) => this.#rows.holds(row));
        if (there.length >= k || all.length < wanted)
          return there.slice(0, k).map((each) => this.#match(each));
      }
    } finally {
      this.#scans--;
      this.#finishScan();
    }
  }

  /** The next pairs of people, of those who are in the matrix before and after the scan. */
  async pairs(question: PairQuestion, signal?: AbortSignal): Promise<PairPage> {
    const generation = this.#generation;
    const people = this.size;
    if (people === 0) return { pairs: [], reached: question.after, complete: true, people, compared: 0 };
    this.#scans++;
    try {
      const answer = await this.#scanner.pairs(this.#target(), question, signal);
      // All rows were replaced meanwhile: these pairs are compared again.
      if (generation !== this.#generation) {
        return { pairs: [], reached: question.after, complete: false, people, compared: 0 };
      }
      const there = answer.pairs.filter(({ a, b }) => this.#rows.holds(a) && this.#rows.holds(b));
      return { ...answer, people, pairs: there.map((pair) => this.#matchedPair(pair)) };
    } finally {
      this.#scans--;
      this.#finishScan();
    }
  }

  /** Releases the memory when no scan runs. */
  dispose(): void {
    this.#disposed = true;
    this.#finishScan();
  }

  #target(): ScanTarget {
    const { dimensions, count, capacity, blockAddresses: blocks, bounds } = this.#rows;
    return { dimensions, rows: count, capacity, blocks, ...bounds };
  }

  /** Adds rows appended during the scan: one may have replaced a row that was tombstoned. */
  #withAdded(found: readonly ScoredRow[], from: number, probe: Float32Array, k: number): ScoredRow[] {
    const rows = this.#rows;
    const best = new BestRows(k, (a, b) => Buffer.compare(rows.id(a), rows.id(b)));
    for (const { row, score } of found) best.add(row, score);
    for (let row = from; row < rows.count; row++) {
      if (rows.holds(row)) best.add(row, innerProduct(rows.template(row), 0, probe));
    }
    return best.rows;
  }

  #match({ row, score }: ScoredRow): Match {
    return { userId: textOf(this.#rows.id(row)), userName: textOf(this.#rows.name(row)), score };
  }

  #matchedPair({ a, b, position, product, score }: FoundPair): MatchedPair {
    const userIds = [textOf(this.#rows.id(a)), textOf(this.#rows.id(b))] as const;
    return { userIds, seqs: [position.later, position.earlier], product, score };
  }

  #newRows(dimensions: number): MatrixRows {
    return new MatrixRows(this.#arenas, dimensions, (piece) => this.#retire(piece));
  }

  #retire(piece: MemorySegment): void {
    if (this.#scans > 0) this.#retired.push(piece);
    else this.#arenas.release(piece);
  }

  /** Does what is not possible during scans. */
  #finishScan(): void {
    if (this.#scans > 0) return;
    for (const piece of this.#retired.splice(0)) this.#arenas.release(piece);
    for (const go of this.#waiting.splice(0)) go();
    if (this.#disposed) this.#restart(0);
    for (let filled = 0; this.#rows.tombstones > 0; filled++) {
      if (filled === compactedPerTick) {
        setImmediate(() => this.#finishScan());
        return;
      }
      this.#rows.reuseTombstone();
    }
  }

  /** Empties the matrix, for templates of `dimensions`. */
  #restart(dimensions: number): void {
    this.#rows.release();
    this.#rows = this.#newRows(dimensions);
    this.#generation++;
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
