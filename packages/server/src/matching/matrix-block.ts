import type { Arenas, Piece } from './scan/arenas.ts';
import { type BlockLayout, chunk, codesOf, rowsTogether } from './scan/layout.ts';
import { writeCodes } from './scan/quantise.ts';
import { idOf, nameOf, recordBytes, writeRecord } from './scan/row-text.ts';

/** A face as a row holds it; text as UTF-8. */
export interface RowContent {
  readonly id: Uint8Array;
  readonly name: Uint8Array;
  readonly template: Float32Array;
  /** The gallery's version with which it was written. */
  readonly seq: number;
}

/** Text for so many bytes a row at first, and how much more is taken when it runs out. */
const textBytesPerRow = 28;
const textGrowth = 1.2;

/** Up to a thousand rows: codes, templates, and who they are. Rows are counted from the start of the block. */
export class MatrixBlock {
  readonly layout: BlockLayout;
  readonly #scanned: Piece;
  readonly #rest: Piece;
  readonly #codes: Int8Array;
  readonly #scales: Float32Array;
  readonly #residuals: Float32Array;
  readonly #seqs: Uint32Array;
  readonly #templates: Float32Array;
  readonly #arenas: Arenas;
  readonly #retire: (piece: Piece) => void;
  #text: { piece: Piece; bytes: Uint8Array; used: number };

  /** @param retire takes pieces that a running scan may still read */
  constructor(arenas: Arenas, layout: BlockLayout, retire: (piece: Piece) => void) {
    this.layout = layout;
    this.#arenas = arenas;
    this.#retire = retire;
    const { capacity, dimensions } = layout;
    this.#scanned = arenas.allocate(layout.scannedBytes, 'scanned');
    this.#rest = arenas.allocate(layout.templateBytes, 'other');
    const [scanned, rest] = [this.#scanned, this.#rest].map((piece) => ({
      buffer: arenas.memories[piece.arena]!.buffer,
      address: piece.address,
    }));
    const { buffer, address } = scanned!;
    this.#codes = new Int8Array(buffer, address, capacity * layout.stride);
    this.#scales = new Float32Array(buffer, address + layout.scales, capacity);
    this.#residuals = new Float32Array(buffer, address + layout.residuals, capacity);
    this.#templates = new Float32Array(rest!.buffer, rest!.address, capacity * dimensions);
    this.#seqs = new Uint32Array(rest!.buffer, rest!.address + layout.seqs, capacity);
    this.#residuals.fill(Number.NEGATIVE_INFINITY);
    this.#text = this.#newText(capacity * textBytesPerRow);
  }

  get bytes(): number {
    return this.#scanned.bytes + this.#rest.bytes + this.#text.piece.bytes;
  }

  /** Where the parts of the block are, as in `ScanTarget.blocks`. */
  get places(): number[] {
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

  /** @returns norm and width of the row (see Coded) */
  write(row: number, { id, name, template, seq }: RowContent): { norm: number; width: number } {
    this.#writeText(row, id, name);
    const { scale, residual, norm, width } = writeCodes(template, this.#codes, row);
    this.template(row).set(template);
    this.#seqs[row] = seq;
    this.#scales[row] = scale;
    // Last: from here on the row is there.
    this.#residuals[row] = residual;
    return { norm, width };
  }

  /** Takes a row from a block, this one perhaps. */
  copyFrom(source: MatrixBlock, from: number, to: number): void {
    this.#writeText(to, source.id(from).slice(), source.name(from).slice());
    const { stride } = this.layout;
    const start = codesOf(from, stride);
    for (let done = 0; done < stride * rowsTogether; done += chunk * rowsTogether) {
      const codes = source.#codes.subarray(start + done, start + done + chunk);
      this.#codes.set(codes, codesOf(to, stride) + done);
    }
    this.template(to).set(source.template(from));
    this.#seqs[to] = source.#seqs[from]!;
    this.#scales[to] = source.#scales[from]!;
    this.#residuals[to] = source.#residuals[from]!;
  }

  /** From here on no search finds the row; what it holds stays for those that are running. */
  bury(row: number): void {
    this.#residuals[row] = Number.NEGATIVE_INFINITY;
  }

  /** Overwrites a buried row. */
  clear(row: number): void {
    const { stride } = this.layout;
    const start = codesOf(row, stride);
    for (let done = 0; done < stride * rowsTogether; done += chunk * rowsTogether) {
      this.#codes.fill(0, start + done, start + done + chunk);
    }
    this.template(row).fill(0);
    this.id(row).fill(0);
    this.name(row).fill(0);
  }

  /** Gives the memory up. */
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

  /** Copies the text of the rows that are there to a new place with room for more. */
  #rewriteText(without: number, more: number): void {
    const old = this.#text;
    const kept = [...Array(this.layout.capacity).keys()].filter((row) => row !== without && this.holds(row));
    const bytesOf = (row: number) => recordBytes(this.id(row), this.name(row));
    const live = kept.reduce((sum, row) => sum + bytesOf(row), more);
    const text = this.#newText(Math.ceil(live * textGrowth));
    for (const row of kept) {
      const id = this.id(row);
      const name = this.name(row);
      writeRecord({ bytes: text.bytes, row }, text.used, id, name);
      text.used += recordBytes(id, name);
    }
    this.#text = text;
    this.#retire(old.piece);
  }

  #newText(bytes: number) {
    const head = this.layout.capacity * 4;
    const piece = this.#arenas.allocate(head + bytes, 'other');
    const { buffer } = this.#arenas.memories[piece.arena]!;
    return { piece, bytes: new Uint8Array(buffer, piece.address, head + bytes), used: head };
  }
}
