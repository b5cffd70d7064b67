import type { Allocator, MemorySegment } from '../scan/arenas.ts';
import { type BlockLayout, chunk, codesOf, interleavedRows } from '../scan/layout.ts';
import { quantizeRow } from '../scan/quantise.ts';
import { idOf, nameOf, recordBytes, writeRecord } from '../scan/row-text.ts';

/** Content of a row; text is UTF-8. */
export interface RowContent {
  readonly id: Uint8Array;
  readonly name: Uint8Array;
  readonly template: Float32Array;
  /** The gallery's version with which it was written. */
  readonly seq: number;
}

/** A block as sent to another thread; its memory is shared. */
export interface PackedBlock {
  readonly capacity: number;
  readonly scanned: MemorySegment;
  readonly rest: MemorySegment;
  readonly text: MemorySegment;
  /** Bytes of `text` in use. */
  readonly used: number;
}

/** Initial text capacity, bytes per row, and its growth factor. */
const textBytesPerRow = 28;
const textGrowth = 1.2;

/** Bytes per row of the record table at the start of the text (see row-text.ts). */
const headBytes = 4;

/** Up to 1,024 rows with codes, templates, ids and names. Rows are counted from the start of the block. */
export class MatrixBlock {
  readonly layout: BlockLayout;
  readonly #scanned: MemorySegment;
  readonly #rest: MemorySegment;
  readonly #codes: Int8Array;
  readonly #scales: Float32Array;
  readonly #residuals: Float32Array;
  readonly #seqs: Uint32Array;
  readonly #templates: Float32Array;
  readonly #arenas: Allocator;
  readonly #retire: (piece: MemorySegment) => void;
  #text: { piece: MemorySegment; bytes: Uint8Array; used: number };

  /**
   * @param retire releases segments that a running scan may still read
   * @param packed a filled block; default: a new one
   */
  constructor(
    arenas: Allocator,
    layout: BlockLayout,
    retire: (piece: MemorySegment) => void,
    packed?: PackedBlock,
  ) {
    this.layout = layout;
    this.#arenas = arenas;
    this.#retire = retire;
    const { capacity, dimensions } = layout;
    const { scanned, rest, text, used } = packed ?? newPieces(arenas, layout);
    this.#scanned = scanned;
    this.#rest = rest;
    const codes = arenas.memories[scanned.arena]!.buffer;
    this.#codes = new Int8Array(codes, scanned.address, capacity * layout.stride);
    this.#scales = new Float32Array(codes, scanned.address + layout.scales, capacity);
    this.#residuals = new Float32Array(codes, scanned.address + layout.residuals, capacity);
    const templates = arenas.memories[rest.arena]!.buffer;
    this.#templates = new Float32Array(templates, rest.address, capacity * dimensions);
    this.#seqs = new Uint32Array(templates, rest.address + layout.seqs, capacity);
    this.#text = textOf(arenas, text, used);
    if (!packed) this.#residuals.fill(Number.NEGATIVE_INFINITY);
  }

  pack(): PackedBlock {
    const { piece: text, used } = this.#text;
    return { capacity: this.layout.capacity, scanned: this.#scanned, rest: this.#rest, text, used };
  }

  get bytes(): number {
    return this.#scanned.bytes + this.#rest.bytes + this.#text.piece.bytes;
  }

  /** Arena and address of each part of the block, as in `ScanTarget.blocks`. */
  get addresses(): number[] {
    const pieces = [this.#scanned, this.#rest, this.#text.piece];
    return pieces.flatMap(({ arena, address }) => [arena, address]);
  }

  holds(row: number): boolean {
    return this.#residuals[row] !== Number.NEGATIVE_INFINITY;
  }

  id(row: number): Uint8Array {
    return idOf({ bytes: this.#text.bytes, row });
  }

  name(row: number): Uint8Array {
    return nameOf({ bytes: this.#text.bytes, row });
  }

  template(row: number): Float32Array {
    const { dimensions } = this.layout;
    return this.#templates.subarray(row * dimensions, (row + 1) * dimensions);
  }

  /** Modulo 2^32. */
  seq(row: number): number {
    return this.#seqs[row]!;
  }

  /** @returns norms of the row, see QuantizedRow */
  write(row: number, { id, name, template, seq }: RowContent): { norm: number; codeNorm: number } {
    this.#writeText(row, id, name);
    const { scale, residual, norm, codeNorm } = quantizeRow(template, this.#codes, row);
    this.template(row).set(template);
    this.#seqs[row] = seq;
    this.#scales[row] = scale;
    // Last: it makes the row visible to scans.
    this.#residuals[row] = residual;
    return { norm, codeNorm };
  }

  /** Copies a row of this or another block. */
  copyFrom(source: MatrixBlock, from: number, to: number): void {
    this.#writeText(to, source.id(from).slice(), source.name(from).slice());
    const { stride } = this.layout;
    const start = codesOf(from, stride);
    for (let done = 0; done < stride * interleavedRows; done += chunk * interleavedRows) {
      const codes = source.#codes.subarray(start + done, start + done + chunk);
      this.#codes.set(codes, codesOf(to, stride) + done);
    }
    this.template(to).set(source.template(from));
    this.#seqs[to] = source.#seqs[from]!;
    this.#scales[to] = source.#scales[from]!;
    this.#residuals[to] = source.#residuals[from]!;
  }

  /** Hides the row from new searches. Its content stays for running ones. */
  tombstone(row: number): void {
    this.#residuals[row] = Number.NEGATIVE_INFINITY;
  }

  /** Overwrites a tombstone. */
  clear(row: number): void {
    const { stride } = this.layout;
    const start = codesOf(row, stride);
    for (let done = 0; done < stride * interleavedRows; done += chunk * interleavedRows) {
      this.#codes.fill(0, start + done, start + done + chunk);
    }
    this.template(row).fill(0);
    this.id(row).fill(0);
    this.name(row).fill(0);
  }

  /** Releases the memory. */
  release(): void {
    this.#retire(this.#scanned);
    this.#retire(this.#rest);
    this.#retire(this.#text.piece);
  }

  #writeText(row: number, id: Uint8Array, name: Uint8Array): void {
    const size = recordBytes(id, name);
    if (this.#text.used + size > this.#text.bytes.length) this.#rewriteText(row, size);
    writeRecord({ bytes: this.#text.bytes, row }, this.#text.used, id, name);
    this.#text.used += size;
  }

  /** Copies the text of the visible rows into a larger segment. */
  #rewriteText(without: number, more: number): void {
    const old = this.#text;
    const kept = [...Array(this.layout.capacity).keys()].filter((row) => row !== without && this.holds(row));
    const bytesOf = (row: number) => recordBytes(this.id(row), this.name(row));
    const live = kept.reduce((sum, row) => sum + bytesOf(row), more);
    const head = this.layout.capacity * headBytes;
    const bytes = head + Math.ceil(live * textGrowth);
    const [piece] = this.#arenas.allocate([{ bytes, purpose: 'other' }]);
    const text = textOf(this.#arenas, piece!, head);
    for (const row of kept) {
      const id = this.id(row);
      const name = this.name(row);
      writeRecord({ bytes: text.bytes, row }, text.used, id, name);
      text.used += recordBytes(id, name);
    }
    this.#text = text;
    this.#retire(old.piece);
  }
}

function newPieces(arenas: Allocator, { capacity, scannedBytes, templateBytes }: BlockLayout): PackedBlock {
  const [scanned, rest, text] = arenas.allocate([
    { bytes: scannedBytes, purpose: 'scanned' },
    { bytes: templateBytes, purpose: 'other' },
    { bytes: capacity * (headBytes + textBytesPerRow), purpose: 'other' },
  ]);
  return { capacity, scanned: scanned!, rest: rest!, text: text!, used: capacity * headBytes };
}

function textOf(arenas: Allocator, piece: MemorySegment, used: number) {
  const { buffer } = arenas.memories[piece.arena]!;
  return { piece, bytes: new Uint8Array(buffer, piece.address, piece.bytes), used };
}
