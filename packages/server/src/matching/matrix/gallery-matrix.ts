import { EventLoopYielder } from '../../lib/event-loop-yielder.ts';
import type { AboveQuestion, Match } from '../ports.ts';
import { BestRows } from '../scan/best-rows.ts';
import { interleavedRows, type PageLayout, pageBytes, pageLayout, scaleOf } from '../scan/layout.ts';
import { type PageMemory, placeOf } from '../scan/page-memory.ts';
import { quantizeRow } from '../scan/quantise.ts';
import type { MatrixMemory, Scanner } from '../scan/scanner.ts';
import type { ScanTarget } from '../scan/search.ts';

/** Heap of a person in the map and both lists, beside the characters, bytes: 88 of a million people. */
const personBytes = 100;

/** A face of the matrix. */
export interface MatrixFace {
  readonly userId: string;
  readonly userName: string;
  /** Version of the gallery with which it was written. */
  readonly seq: number;
}

/**
 * The templates of one gallery: a row a person, in codes and in float32, without gaps. Rows are changed in place, so the
 * caller changes none while a search runs.
 */
export class GalleryMatrix {
  readonly #scanner: Pick<Scanner, 'search'>;
  readonly #rowOf = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #names: string[] = [];
  #characters = 0;
  readonly #codes: PageTable;
  readonly #templates: PageTable;
  #dimensions = 0;
  #layout: PageLayout = pageLayout(0);
  #rows = 0;
  #seqs = new Uint32Array(16);
  /** Largest norms of a row so far, see QuantizedRow. */
  #norm = 0;
  #codeNorm = 0;

  constructor(memory: MatrixMemory, scanner: Pick<Scanner, 'search'>) {
    this.#scanner = scanner;
    this.#codes = new PageTable(memory.codes);
    this.#templates = new PageTable(memory.templates);
  }

  /** Number of people. */
  get size(): number {
    return this.#rows;
  }

  get bytes(): number {
    const people = this.#rows * personBytes + this.#characters + this.#seqs.byteLength;
    return this.#codes.bytes + this.#templates.bytes + people;
  }

  /** Whether templates of this length can be added. */
  fits(dimensions: number): boolean {
    return this.#rows === 0 || this.#dimensions === dimensions;
  }

  /** Version with which the user's face was written, modulo 2^32; null when there is none. */
  seqOf(userId: string): number | null {
    const row = this.#rowOf.get(userId);
    return row === undefined ? null : this.#seqs[row]!;
  }

  /** Users, from the last row to the first: one that was named may be removed meanwhile. */
  *userIds(): Generator<string> {
    for (let row = this.#rows - 1; row >= 0; row--) yield this.#ids[row]!;
  }

  /** @throws Error when the template has another length than others; RangeError of its values, or without memory */
  put({ userId, userName, seq }: MatrixFace, template: Float32Array): void {
    if (!this.fits(template.length)) throw new Error('templates of two lengths in one gallery');
    if (this.#rows === 0) this.#restart(template.length);
    const found = this.#rowOf.get(userId);
    const row = found ?? this.#rows;
    if (found === undefined) this.#makeRoom();
    this.#writeTemplate(row, template);
    this.#characters += userName.length - (this.#names[row]?.length ?? 0);
    this.#names[row] = userName;
    this.#seqs[row] = seq;
    if (found !== undefined) return;
    this.#characters += userId.length;
    this.#ids[row] = userId;
    this.#rowOf.set(userId, row);
    this.#rows++;
  }

  /** Moves the last row into the place of the user's, and clears it. */
  remove(userId: string): void {
    const row = this.#rowOf.get(userId);
    if (row === undefined) return;
    this.#rowOf.delete(userId);
    this.#characters -= userId.length + this.#names[row]!.length;
    const last = this.#rows - 1;
    const [movedId, movedName] = [this.#ids.pop()!, this.#names.pop()!];
    if (row !== last) {
      this.#writeTemplate(row, this.#template(last));
      this.#ids[row] = movedId;
      this.#names[row] = movedName;
      this.#seqs[row] = this.#seqs[last]!;
      this.#rowOf.set(movedId, row);
    }
    this.#writeTemplate(last, new Float32Array(this.#dimensions));
    this.#rows = last;
    const { codeRows, templateRows } = this.#layout;
    if (last % codeRows === 0) this.#codes.pop();
    if (last % templateRows === 0) this.#templates.pop();
  }

  /**
   * The `k` best, best first; ties by user_id.
   * @throws Error when the probe has another length than the templates
   */
  async search(probe: Float32Array, k: number, signal?: AbortSignal): Promise<Match[]> {
    if (this.#rows === 0 || k < 1) return [];
    const question = { probe, k, least: Number.NEGATIVE_INFINITY };
    const found = await this.#scanner.search(this.#target(probe), question, signal);
    const { least } = question;
    const id = (row: number) => Buffer.from(this.#ids[row]!);
    // The order of UTF-8 is that of code points.
    const best = new BestRows(k, least, (a, b) => Buffer.compare(id(a), id(b)));
    const yielder = new EventLoopYielder();
    for (const { rows, scores } of found) {
      for (const [at, row] of rows.entries()) {
        // As many as the gallery has rows, when all have one score.
        if (yielder.shouldYield) await yielder.yield();
        best.add(row, scores[at]!);
      }
    }
    return best.rows.map(({ row, score }) => this.#match(row, score));
  }

  /** As `Matcher.above`. @throws as `search` */
  async above(
    probe: Float32Array,
    { least, after, before, most }: AboveQuestion,
    signal?: AbortSignal,
  ): Promise<Match[]> {
    if (this.#rows === 0) return [];
    // Rows are nearly in the order in which they were written.
    let end = this.#rows;
    while (end > 0 && this.#seqs[end - 1]! >= before) end--;
    const question = { probe, k: Number.POSITIVE_INFINITY, least };
    const found = await this.#scanner.search(this.#target(probe, end), question, signal);
    const next: { row: number; score: number; seq: number }[] = [];
    for (const { rows, scores } of found) {
      for (const [at, row] of rows.entries()) {
        const seq = this.#seqs[row]!;
        if (seq > after && seq < before) next.push({ row, seq, score: scores[at]! });
      }
    }
    next.sort((a, b) => a.seq - b.seq);
    return next.slice(0, most).map(({ row, score }) => this.#match(row, score));
  }

  /** Releases the memory. */
  release(): void {
    this.#rows = 0;
    this.#codes.release();
    this.#templates.release();
  }

  /** @param rows those to scan, from the first on */
  #target({ length }: Float32Array, rows = this.#rows): ScanTarget {
    if (length !== this.#dimensions)
      throw new Error(`a probe of ${length} dimensions in a gallery of ${this.#dimensions}`);
    return {
      dimensions: length,
      rows,
      codes: this.#codes.pages,
      templates: this.#templates.pages,
      span: [0, Math.ceil(rows / this.#layout.codeRows)],
      norm: this.#norm,
      codeNorm: this.#codeNorm,
    };
  }

  #match(row: number, score: number): Match {
    return { userId: this.#ids[row]!, userName: this.#names[row]!, score, seq: this.#seqs[row]! };
  }

  /** Of an empty matrix. */
  #restart(dimensions: number): void {
    this.#dimensions = dimensions;
    this.#layout = pageLayout(dimensions);
    this.#norm = 0;
    this.#codeNorm = 0;
  }

  /** For one more row. */
  #makeRoom(): void {
    const { codeRows, templateRows } = this.#layout;
    this.#codes.resize(Math.floor(this.#rows / codeRows) + 1);
    this.#templates.resize(Math.floor(this.#rows / templateRows) + 1);
    if (this.#rows < this.#seqs.length) return;
    const seqs = new Uint32Array(2 * this.#rows);
    seqs.set(this.#seqs);
    this.#seqs = seqs;
  }

  #writeTemplate(row: number, template: Float32Array): void {
    const { stride, codeRows, templateRows } = this.#layout;
    const { codes, floats } = this.#codes.viewOf(Math.floor(row / codeRows));
    const place = row % codeRows;
    const quantized = quantizeRow(template, codes, place);
    const scale = scaleOf(place, stride) / 4;
    floats[scale] = quantized.scale;
    floats[scale + interleavedRows] = quantized.residual;
    this.#norm = Math.max(this.#norm, quantized.norm);
    this.#codeNorm = Math.max(this.#codeNorm, quantized.codeNorm);
    const page = this.#templates.viewOf(Math.floor(row / templateRows));
    page.floats.set(template, (row % templateRows) * this.#dimensions);
  }

  #template(row: number): Float32Array {
    const { templateRows } = this.#layout;
    const at = (row % templateRows) * this.#dimensions;
    return this.#templates.viewOf(Math.floor(row / templateRows)).floats.subarray(at, at + this.#dimensions);
  }
}

/** A page, as bytes and as numbers. */
interface PageView {
  readonly codes: Int8Array;
  readonly floats: Float32Array;
}

/** The pages of a matrix, in order of the rows. */
class PageTable {
  readonly #memory: PageMemory;
  /** In shared memory, so that threads read it without a copy; longer than the table. */
  pages: Uint32Array = sharedTable(4);
  #count = 0;
  /** Of the page that was written last: rows are written in their order. */
  #view: PageView | undefined;
  #viewed = -1;

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  get bytes(): number {
    return this.#count * pageBytes + this.pages.byteLength;
  }

  /** Allocates pages up to a number. @throws RangeError when the system has no more memory */
  resize(count: number): void {
    for (; this.#count < count; this.#count++) {
      const page = this.#memory.allocate();
      if (this.#count === this.pages.length) {
        const longer = sharedTable(2 * this.#count);
        longer.set(this.pages);
        this.pages = longer;
      }
      this.pages[this.#count] = page;
    }
  }

  /** @param place in the table */
  viewOf(place: number): PageView {
    const page = this.pages[place]!;
    if (this.#view && page === this.#viewed) return this.#view;
    const { memory, address } = placeOf(page);
    const { buffer } = this.#memory.memories[memory]!;
    this.#viewed = page;
    this.#view = {
      codes: new Int8Array(buffer, address, pageBytes),
      floats: new Float32Array(buffer, address, pageBytes / 4),
    };
    return this.#view;
  }

  pop(): void {
    this.#count--;
    this.#memory.release(this.pages[this.#count]!);
  }

  release(): void {
    while (this.#count > 0) this.pop();
  }
}

function sharedTable(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}
