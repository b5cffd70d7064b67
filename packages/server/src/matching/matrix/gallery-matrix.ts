import type { Match } from '../matcher.ts';
import type { Arenas, MemorySegment } from '../scan/arenas.ts';
import { BestRows, innerProduct, type ScoredRow } from '../scan/best-rows.ts';
import type { Scanner } from '../scan/scanner.ts';
import type { ScanTarget } from '../scan/search.ts';
import { type MatrixFace, MatrixRows, type PackedRows } from './matrix-rows.ts';

/** Holes filled in one turn of the event loop: about a millisecond. */
const filledInATurn = 500;

/** So many holes, and a quarter of the rows, are too many to wait for a moment without scans. */
const manyHoles = 1000;

/** Asked for beyond k at the second try: rows found may have been removed while the scan ran. */
const spare = 8;

/**
 * The templates of one gallery. Scans may run in other threads while rows are written: meanwhile rows are only added
 * at the end and buried where they are; when no scan runs, the last rows move into the holes.
 */
export class GalleryMatrix {
  readonly #arenas: Arenas;
  readonly #scanner: Pick<Scanner, 'search'>;
  #rows: MatrixRows;
  /** Given up while scans were running. */
  readonly #retired: MemorySegment[] = [];
  #scans = 0;
  /** Counts how often the matrix began anew. */
  #generation = 0;
  /** Those who wait until no scan runs. */
  readonly #waiting: (() => void)[] = [];
  #disposed = false;

  constructor(arenas: Arenas, scanner: Pick<Scanner, 'search'>) {
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

  /** Whether so many rows wait for a moment without scans that there should be one. */
  get needsCompaction(): boolean {
    return this.#scans > 0 && this.#rows.holes > Math.max(manyHoles, this.#rows.count / 4);
  }

  /** Waits until no scan runs. */
  async whenIdle(): Promise<void> {
    while (this.#scans > 0) await new Promise<void>((go) => this.#waiting.push(go));
  }

  /** Whether templates of this length can be added. */
  fits(dimensions: number): boolean {
    return this.size === 0 || this.#rows.dimensions === dimensions;
  }

  /** With which version a user's face was written, modulo 2^32; null when there is none. */
  seqOf(userId: string): number | null {
    const row = this.#rows.find(Buffer.from(userId));
    return row < 0 ? null : this.#rows.seq(row);
  }

  /** Everybody who is there at some moment of the reading. */
  *userIds(): Generator<string> {
    for (let row = this.#rows.count - 1; row >= 0; row--) {
      if (this.#rows.holds(row)) yield textOf(this.#rows.id(row));
    }
  }

  put(face: MatrixFace, template: Float32Array): void {
    if (this.size === 0 && this.#rows.dimensions !== template.length) this.#restart(template.length);
    this.#rows.put(face, template, this.#scans === 0);
    this.#settle();
  }

  remove(userId: string): void {
    this.#rows.remove(Buffer.from(userId));
    this.#settle();
  }

  /** Takes the rows that another thread filled, in place of its own. */
  async replaceRows(packed: PackedRows): Promise<void> {
    const rows = await MatrixRows.unpack(this.#arenas, packed, (piece) => this.#retire(piece));
    this.#rows.release();
    this.#rows = rows;
    this.#generation++;
    this.#settle();
  }

  /** The `k` best as of the moment of the answer, best first; ties by user_id. The scan begins at once. */
  async search(probe: Float32Array, k: number): Promise<Match[]> {
    if (this.size === 0 || k < 1) return [];
    if (probe.length !== this.#rows.dimensions) {
      throw new Error(`a probe of ${probe.length} dimensions in a gallery of ${this.#rows.dimensions}`);
    }
    return this.#scan(probe, k);
  }

  async #scan(probe: Float32Array, k: number): Promise<Match[]> {
    const generation = this.#generation;
    this.#scans++;
    try {
      for (let wanted = k; ; wanted += spare) {
        const { count } = this.#rows;
        const found = await this.#scanner.search(this.#target(), probe, wanted);
        // Everybody was removed meanwhile.
        if (generation !== this.#generation) return [];
        const all = count === this.#rows.count ? found : this.#withAdded(found, count, probe, wanted);
        const there = all.filter(({ row }) => this.#rows.holds(row));
        if (there.length >= k || all.length < wanted)
          return there.slice(0, k).map((each) => this.#match(each));
      }
    } finally {
      this.#scans--;
      this.#settle();
    }
  }

  /** Gives the memory up once no scan runs any more. */
  dispose(): void {
    this.#disposed = true;
    this.#settle();
  }

  #target(): ScanTarget {
    const { dimensions, count, capacity, blockAddresses: blocks, bounds } = this.#rows;
    return { dimensions, rows: count, capacity, blocks, ...bounds };
  }

  /** Rows that came while the scan ran belong into its answer: one may have replaced a row that it missed. */
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

  #newRows(dimensions: number): MatrixRows {
    return new MatrixRows(this.#arenas, dimensions, (piece) => this.#retire(piece));
  }

  #retire(piece: MemorySegment): void {
    if (this.#scans > 0) this.#retired.push(piece);
    else this.#arenas.release(piece);
  }

  /** What had to wait for scans to end. */
  #settle(): void {
    if (this.#scans > 0) return;
    for (const piece of this.#retired.splice(0)) this.#arenas.release(piece);
    for (const go of this.#waiting.splice(0)) go();
    if (this.#disposed) this.#restart(0);
    for (let filled = 0; this.#rows.holes > 0; filled++) {
      if (filled === filledInATurn) {
        setImmediate(() => this.#settle());
        return;
      }
      this.#rows.fillHole();
    }
  }

  /** Empty, for templates of another length perhaps. */
  #restart(dimensions: number): void {
    this.#rows.release();
    this.#rows = this.#newRows(dimensions);
    this.#generation++;
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
