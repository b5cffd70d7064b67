import type { Match } from './matcher.ts';
import { MatrixBlock, type RowContent } from './matrix-block.ts';
import type { Arenas, Piece } from './scan/arenas.ts';
import { BestRows, type Found, innerProduct } from './scan/best-rows.ts';
import { blockLayout, blockRows, maxDimensions } from './scan/layout.ts';
import { maxTextBytes } from './scan/row-text.ts';
import type { Scanner } from './scan/scanner.ts';
import type { ScanTarget } from './scan/search.ts';
import { UserIndex } from './user-index.ts';

/** A face as it goes into the matrix. */
export interface MatrixFace {
  readonly userId: string;
  readonly userName: string;
  readonly seq: number;
}

const leastRows = 16;

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
  readonly #scanner: Scanner;
  #index = this.#newIndex();
  readonly #blocks: MatrixBlock[] = [];
  readonly #holes: number[] = [];
  /** Given up while scans were running. */
  readonly #retired: Piece[] = [];
  #dimensions = 0;
  #rows = 0;
  #size = 0;
  #norm = 0;
  #width = 0;
  #scans = 0;
  /** Counts how often the matrix began anew. */
  #generation = 0;
  /** What scans are told of the blocks; null when it is out of date. */
  #places: Float64Array | null = null;
  /** Those who wait until no scan runs. */
  readonly #waiting: (() => void)[] = [];
  #disposed = false;

  constructor(arenas: Arenas, scanner: Scanner) {
    this.#arenas = arenas;
    this.#scanner = scanner;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.bytes, this.#index.bytes);
  }

  /** Whether so many rows wait for a moment without scans that there should be one. */
  get isCrowded(): boolean {
    return this.#scans > 0 && this.#holes.length > Math.max(manyHoles, this.#rows / 4);
  }

  /** Waits until no scan runs. */
  async idle(): Promise<void> {
    while (this.#scans > 0) await new Promise<void>((go) => this.#waiting.push(go));
  }

  /** Whether templates of this length can be added. */
  fits(dimensions: number): boolean {
    return this.#size === 0 || this.#dimensions === dimensions;
  }

  /** With which version a user's face was written, modulo 2^32; null when there is none. */
  seqOf(userId: string): number | null {
    const row = this.#index.find(Buffer.from(userId));
    return row < 0 ? null : this.#block(row).seq(row % blockRows);
  }

  /** Everybody who is there at some moment of the reading. */
  *userIds(): Generator<string> {
    for (let row = this.#rows - 1; row >= 0; row--) {
      if (row < this.#rows && this.#block(row).holds(row % blockRows)) {
        yield textOf(this.#block(row).id(row % blockRows));
      }
    }
  }

  put({ userId, userName, seq }: MatrixFace, template: Float32Array): void {
    if (!this.fits(template.length)) throw new Error('templates of two lengths in one gallery');
    if (template.length > maxDimensions) throw new RangeError(`templates of ${template.length} dimensions`);
    if (this.#size === 0 && this.#dimensions !== template.length) this.#restart(template.length);
    const content = { id: Buffer.from(userId), name: Buffer.from(userName), template, seq };
    if (Math.max(content.id.length, content.name.length) > maxTextBytes) {
      throw new RangeError(`a user_id or name of more than ${maxTextBytes} bytes`);
    }
    const old = this.#index.find(content.id);
    if (old >= 0 && this.#scans === 0) this.#write(old, content);
    else {
      this.#write(this.#append(), content);
      if (old >= 0) this.#bury(old);
      this.#size++;
    }
    this.#settle();
  }

  remove(userId: string): void {
    const id = Buffer.from(userId);
    const row = this.#index.find(id);
    if (row < 0) return;
    this.#index.delete(id);
    this.#bury(row);
    this.#settle();
  }

  /** The `k` best as of the moment of the answer, best first; ties by user_id. The scan begins at once. */
  async best(probe: Float32Array, k: number): Promise<Match[]> {
    if (this.#size === 0 || k < 1) return [];
    if (probe.length !== this.#dimensions) {
      throw new Error(`a probe of ${probe.length} dimensions in a gallery of ${this.#dimensions}`);
    }
    return this.#scan(probe, k);
  }

  async #scan(probe: Float32Array, k: number): Promise<Match[]> {
    const generation = this.#generation;
    this.#scans++;
    try {
      for (let wanted = k; ; wanted += spare) {
        const rows = this.#rows;
        const found = await this.#scanner.search(this.#target(), probe, wanted);
        // Everybody was removed meanwhile.
        if (generation !== this.#generation) return [];
        const all = rows === this.#rows ? found : this.#withAdded(found, rows, probe, wanted);
        const there = all.filter(({ row }) => this.#block(row).holds(row % blockRows));
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
    this.#places ??= shared(this.#blocks.flatMap((block) => block.places));
    return {
      dimensions: this.#dimensions,
      rows: this.#rows,
      capacity: this.#blocks[0]!.layout.capacity,
      blocks: this.#places,
      norm: this.#norm,
      width: this.#width,
    };
  }

  /** Rows that came while the scan ran belong into its answer: one may have replaced a row that it missed. */
  #withAdded(found: readonly Found[], from: number, probe: Float32Array, k: number): Found[] {
    const idOf = (row: number) => this.#block(row).id(row % blockRows);
    const best = new BestRows(k, (a, b) => Buffer.compare(idOf(a), idOf(b)));
    for (const { row, score } of found) best.add(row, score);
    for (let row = from; row < this.#rows; row++) {
      const block = this.#block(row);
      if (!block.holds(row % blockRows)) continue;
      best.add(row, innerProduct(block.template(row % blockRows), 0, probe));
    }
    return best.rows;
  }

  #match({ row, score }: Found): Match {
    const block = this.#block(row);
    const [userId, userName] = [block.id(row % blockRows), block.name(row % blockRows)].map(textOf);
    return { userId: userId!, userName: userName!, score };
  }

  #block(row: number): MatrixBlock {
    return this.#blocks[Math.floor(row / blockRows)]!;
  }

  #write(row: number, content: RowContent): void {
    const { norm, width } = this.#block(row).write(row % blockRows, content);
    this.#norm = Math.max(this.#norm, norm);
    this.#width = Math.max(this.#width, width);
    this.#index.set(content.id, row);
  }

  #bury(row: number): void {
    this.#block(row).bury(row % blockRows);
    this.#holes.push(row);
    this.#size--;
  }

  /** @returns a new row at the end */
  #append(): number {
    const row = this.#rows++;
    const only = this.#blocks[0];
    if (this.#blocks.length === 1 && only && row === only.layout.capacity && row < blockRows) {
      this.#blocks[0] = this.#newBlock(only.layout.capacity * 2);
      for (let each = 0; each < row; each++) if (only.holds(each)) this.#blocks[0].copyFrom(only, each, each);
      only.release();
    } else if (row === this.#blocks.length * blockRows) {
      this.#blocks.push(this.#newBlock(row === 0 ? leastRows : blockRows));
    }
    return row;
  }

  #newIndex(): UserIndex {
    return new UserIndex((row) => this.#block(row).id(row % blockRows));
  }

  #newBlock(capacity: number): MatrixBlock {
    this.#places = null;
    return new MatrixBlock(this.#arenas, blockLayout(capacity, this.#dimensions), (piece) =>
      this.#retire(piece),
    );
  }

  #retire(piece: Piece): void {
    this.#places = null;
    if (this.#scans > 0) this.#retired.push(piece);
    else this.#arenas.release(piece);
  }

  /** What had to wait for scans to end. */
  #settle(): void {
    if (this.#scans > 0) return;
    for (const piece of this.#retired.splice(0)) this.#arenas.release(piece);
    for (const go of this.#waiting.splice(0)) go();
    if (this.#disposed) this.#restart(0);
    for (let filled = 0; this.#holes.length > 0; filled++) {
      if (filled === filledInATurn) {
        setImmediate(() => this.#settle());
        return;
      }
      this.#fill(this.#holes.pop()!);
    }
  }

  /** The last row moves into the hole. */
  #fill(hole: number): void {
    const block = this.#block(hole);
    if (hole >= this.#rows || block.holds(hole % blockRows)) return;
    block.clear(hole % blockRows);
    const last = this.#rows - 1;
    const source = this.#block(last);
    if (source.holds(last % blockRows)) {
      block.copyFrom(source, last % blockRows, hole % blockRows);
      this.#index.set(source.id(last % blockRows), hole);
      source.bury(last % blockRows);
      source.clear(last % blockRows);
    } else if (last !== hole) {
      source.clear(last % blockRows);
      this.#holes.push(hole);
    }
    this.#rows = last;
    if (last % blockRows === 0) this.#blocks.pop()?.release();
  }

  /** Empty, for templates of another length perhaps. */
  #restart(dimensions: number): void {
    for (const block of this.#blocks.splice(0)) block.release();
    this.#holes.length = 0;
    this.#index = this.#newIndex();
    this.#generation++;
    this.#dimensions = dimensions;
    this.#rows = 0;
    this.#size = 0;
    this.#norm = 0;
    this.#width = 0;
  }
}

/** Threads read the same numbers without a copy. */
function shared(values: number[]): Float64Array {
  const array = new Float64Array(new SharedArrayBuffer(values.length * 8));
  array.set(values);
  return array;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
