import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Allocator, MemorySegment } from '../scan/arenas.ts';
import { blockLayout, blockRows, maxDimensions } from '../scan/layout.ts';
import { maxTextBytes } from '../scan/row-text.ts';
import { MatrixBlock, type PackedBlock, type RowContent } from './matrix-block.ts';
import { type PackedIndex, UserIndex } from './user-index.ts';

/** A face of the matrix. */
export interface MatrixFace {
  readonly userId: string;
  readonly userName: string;
  readonly seq: number;
}

/** Rows as sent to another thread; the templates stay in shared memory. */
export interface PackedRows {
  readonly dimensions: number;
  readonly count: number;
  readonly norm: number;
  readonly codeNorm: number;
  readonly blocks: PackedBlock[];
  readonly index: PackedIndex;
}

const leastRows = 16;

/** Blocks unpacked in one turn of the event loop: less than a millisecond. */
const unpackedPerTick = 32;

/** The rows of a gallery with an index by user. Rows may be tombstones. */
export class MatrixRows {
  readonly dimensions: number;
  readonly #arenas: Allocator;
  readonly #retire: (piece: MemorySegment) => void;
  readonly #blocks: MatrixBlock[] = [];
  readonly #index: UserIndex;
  readonly #tombstones: number[] = [];
  #count = 0;
  #size = 0;
  #norm = 0;
  #codeNorm = 0;
  /** Null when outdated. */
  #places: Float64Array | null = null;

  /** @param retire releases segments that a running scan may still read */
  constructor(
    arenas: Allocator,
    dimensions: number,
    retire: (piece: MemorySegment) => void,
    index?: PackedIndex,
  ) {
    if (dimensions > maxDimensions) throw new RangeError(`templates of ${dimensions} dimensions`);
    this.dimensions = dimensions;
    this.#arenas = arenas;
    this.#retire = (piece) => {
      this.#places = null;
      retire(piece);
    };
    this.#index = new UserIndex((row) => this.id(row), index);
  }

  /** Takes over rows, without tombstones, that another thread filled. */
  static async unpack(arenas: Allocator, packed: PackedRows, retire: (piece: MemorySegment) => void) {
    const rows = new MatrixRows(arenas, packed.dimensions, retire, packed.index);
    for (const [index, block] of packed.blocks.entries()) {
      if (index > 0 && index % unpackedPerTick === 0) await nextTurn();
      const layout = blockLayout(block.capacity, packed.dimensions);
      rows.#blocks.push(new MatrixBlock(arenas, layout, rows.#retire, block));
    }
    rows.#count = packed.count;
    rows.#size = packed.count;
    rows.#norm = packed.norm;
    rows.#codeNorm = packed.codeNorm;
    return rows;
  }

  /** @throws Error when there are tombstones */
  pack(): PackedRows {
    if (this.#tombstones.length > 0) throw new Error('rows with tombstones are not packed');
    const blocks = this.#blocks.map((block) => block.pack());
    const { dimensions } = this;
    const [count, norm, codeNorm] = [this.#count, this.#norm, this.#codeNorm];
    return { dimensions, count, norm, codeNorm, blocks, index: this.#index.pack() };
  }

  /** Number of rows, tombstones included. */
  get count(): number {
    return this.#count;
  }

  /** Number of users. */
  get size(): number {
    return this.#size;
  }

  get tombstones(): number {
    return this.#tombstones.length;
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.bytes, this.#index.bytes);
  }

  /** Largest norms of a row, see QuantizedRow. */
  get bounds(): { norm: number; codeNorm: number } {
    return { norm: this.#norm, codeNorm: this.#codeNorm };
  }

  /** Rows that fit in a block. */
  get capacity(): number {
    return this.#blocks[0]?.layout.capacity ?? leastRows;
  }

  /** As in `ScanTarget.blocks`. */
  get blockAddresses(): Float64Array {
    this.#places ??= shared(this.#blocks.flatMap((block) => block.addresses));
    return this.#places;
  }

  /** @returns the row, or −1 */
  find(userId: Uint8Array): number {
    return this.#index.find(userId);
  }

  holds(row: number): boolean {
    return row < this.#count && this.#block(row).holds(row % blockRows);
  }

  id(row: number): Uint8Array {
    return this.#block(row).id(row % blockRows);
  }

  name(row: number): Uint8Array {
    return this.#block(row).name(row % blockRows);
  }

  /** Modulo 2^32. */
  seq(row: number): number {
    return this.#block(row).seq(row % blockRows);
  }

  template(row: number): Float32Array {
    return this.#block(row).template(row % blockRows);
  }

  /** @param inPlace overwrites the user's row; otherwise that becomes a tombstone */
  put({ userId, userName, seq }: MatrixFace, template: Float32Array, inPlace: boolean): void {
    if (template.length !== this.dimensions) throw new Error('templates of two lengths in one gallery');
    const content = { id: Buffer.from(userId), name: Buffer.from(userName), template, seq };
    if (Math.max(content.id.length, content.name.length) > maxTextBytes) {
      throw new RangeError(`a user_id or name of more than ${maxTextBytes} bytes`);
    }
    const old = this.find(content.id);
    if (old >= 0 && inPlace) {
      this.#write(old, content);
      return;
    }
    this.#write(this.#append(), content);
    this.#size++;
    if (old >= 0) this.#tombstone(old);
  }

  remove(userId: Uint8Array): void {
    const row = this.find(userId);
    if (row < 0) return;
    this.#index.delete(userId);
    this.#tombstone(row);
  }

  /** Moves the last row into the place of a tombstone; not during a scan. */
  reuseTombstone(): void {
    const free = this.#tombstones.pop();
    if (free === undefined || free >= this.#count || this.holds(free)) return;
    const block = this.#block(free);
    block.clear(free % blockRows);
    const last = this.#count - 1;
    const source = this.#block(last);
    if (source.holds(last % blockRows)) {
      block.copyFrom(source, last % blockRows, free % blockRows);
      this.#index.set(source.id(last % blockRows), free);
      source.tombstone(last % blockRows);
      source.clear(last % blockRows);
    } else if (last !== free) {
      source.clear(last % blockRows);
      this.#tombstones.push(free);
    }
    this.#count = last;
    if (last % blockRows === 0) this.#blocks.pop()?.release();
  }

  /** Releases the memory. */
  release(): void {
    for (const block of this.#blocks.splice(0)) block.release();
    this.#count = 0;
  }

  #block(row: number): MatrixBlock {
    return this.#blocks[Math.floor(row / blockRows)]!;
  }

  #write(row: number, content: RowContent): void {
    const { norm, codeNorm } = this.#block(row).write(row % blockRows, content);
    this.#norm = Math.max(this.#norm, norm);
    this.#codeNorm = Math.max(this.#codeNorm, codeNorm);
    this.#index.set(content.id, row);
  }

  #tombstone(row: number): void {
    this.#block(row).tombstone(row % blockRows);
    this.#tombstones.push(row);
    this.#size--;
  }

  /** Appends a row. @returns its number */
  #append(): number {
    const row = this.#count;
    const only = this.#blocks[0];
    if (this.#blocks.length === 1 && only && row === only.layout.capacity && row < blockRows) {
      this.#blocks[0] = this.#newBlock(only.layout.capacity * 2);
      for (let each = 0; each < row; each++) if (only.holds(each)) this.#blocks[0].copyFrom(only, each, each);
      only.release();
    } else if (row === this.#blocks.length * blockRows) {
      this.#blocks.push(this.#newBlock(row === 0 ? leastRows : blockRows));
    }
    this.#count++;
    return row;
  }

  #newBlock(capacity: number): MatrixBlock {
    this.#places = null;
    return new MatrixBlock(this.#arenas, blockLayout(capacity, this.dimensions), this.#retire);
  }
}

/** In shared memory, so that threads read it without a copy. */
function shared(values: number[]): Float64Array {
  const array = new Float64Array(new SharedArrayBuffer(values.length * 8));
  array.set(values);
  return array;
}
