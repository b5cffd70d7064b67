import { innerProduct } from './best-rows.ts';
import { type BlockLayout, blockLayout, blockRows, queryBytes, state } from './layout.ts';
import { type QuantizedQuery, quantizeQuery } from './quantise.ts';
import { beginScan, blockFields, floorFloat, type ScanMemory, type ScanTarget, scanRows } from './search.ts';

/** The next part of the pairs of a matrix. The score of a pair is a · b − weight × (a + b) · mean. */
export interface PairQuestion {
  readonly after: PairPosition;
  /** Of the templates. */
  readonly dimensions: number;
  /** Least score. */
  readonly threshold: number;
  /** Null: zeros. */
  readonly mean: Float32Array | null;
  readonly weight: number;
  /** Bytes of codes to scan, about; at least one row is compared. */
  readonly work: number;
  /** Most pairs in the answer. */
  readonly most: number;
}

export interface FoundPair {
  /** Rows. */
  readonly a: number;
  readonly b: number;
  /** Seqs of the two; that of `a` is larger. */
  readonly position: PairPosition;
  readonly product: number;
  readonly score: number;
}

export interface PairAnswer {
  readonly pairs: FoundPair[];
  readonly reached: PairPosition;
  /** No pair follows. */
  readonly complete: boolean;
  /** Rows up to the position reached. */
  readonly compared: number;
}

/**
 * All pairs above a threshold in the next part. Exact, as `searchRows`: a pair is dropped only if the upper bound of its
 * score lies below the threshold; all others are scored with the float32 templates. A block of rows is scanned for many
 * rows in turn, so that it stays in the cache.
 */
export function searchPairs(
  memories: readonly ScanMemory[],
  target: ScanTarget,
  question: PairQuestion,
): PairAnswer {
  return new PairScan(memories, target, question).run();
}

/** A row that is compared with those written before it. */
interface Query {
  readonly row: number;
  readonly seq: number;
  readonly template: Float32Array;
  /** Template − weight × mean. */
  readonly vector: Float32Array;
  readonly quantized: QuantizedQuery;
  /** weight × template · mean */
  readonly shift: number;
}

class PairScan {
  readonly #memories: readonly ScanMemory[];
  readonly #target: ScanTarget;
  readonly #question: PairQuestion;
  readonly #layout: BlockLayout;
  #pairs: FoundPair[] = [];
  /** Position of the last pair that fits into the answer; null: all fit. */
  #cut: PairPosition | null = null;

  constructor(memories: readonly ScanMemory[], target: ScanTarget, question: PairQuestion) {
    this.#memories = memories;
    this.#target = target;
    this.#question = question;
    this.#layout = blockLayout(target.capacity, target.dimensions);
  }

  run(): PairAnswer {
    const { after, work } = this.#question;
    const rows = pairRows(this.#memories, this.#target, after, work);
    const queries = rows.next.map(({ row, seq }) => this.#query(row, seq));
    for (const [block, firstSeq] of rows.firstSeqs.entries()) {
      for (const query of queries) {
        if (query.seq > firstSeq && !this.#isCut(query.seq, firstSeq)) this.#block(block, query, rows.seqs);
      }
    }
    this.#sortAndCut();
    const last = queries.at(-1);
    const end = last ? { later: last.seq, earlier: last.seq } : after;
    const reached = this.#cut ?? end;
    const behind = queries.filter(({ seq }) => seq > reached.later).length;
    const complete = this.#cut === null && rows.left === 0;
    return { pairs: this.#pairs, reached, complete, compared: rows.compared - behind };
  }

  #query(row: number, seq: number): Query {
    const { mean, weight } = this.#question;
    const { norm, codeNorm } = this.#target;
    const template = this.#template(row);
    const vector = mean ? template.map((value, i) => value - weight * mean[i]!) : template;
    const shift = mean ? weight * innerProduct(template, 0, mean) : 0;
    return { row, seq, template, vector, quantized: quantizeQuery(vector, norm, codeNorm), shift };
  }

  #block(block: number, query: Query, seqs: Uint32Array): void {
    const { blocks, rows: count } = this.#target;
    const scanned = this.#memories[blocks[block * blockFields]!]!;
    const { memory, scratch } = scanned;
    const first = block * blockRows;
    const rows = Math.min(blockRows, count - first);
    const address = blocks[block * blockFields + 1]!;
    const least = this.#question.threshold + query.shift;
    const at = scratch + queryBytes;
    beginScan(memory, scratch, query.quantized, floorFloat(least));
    const counts = new Int32Array(memory.buffer, at, state.candidates);
    for (let row = 0; row < rows; ) {
      row += scanRows(scanned, this.#layout, { address, first, rows }, row);
      const candidates = new Int32Array(
        memory.buffer,
        at + state.candidates * 4,
        counts[state.candidateCount]! * 2,
      );
      for (let i = 0; i < candidates.length; i += 2) this.#add(query, candidates[i]!, seqs, least);
      counts[state.candidateCount] = 0;
    }
  }

  #add(query: Query, row: number, seqs: Uint32Array, least: number): void {
    const position = { later: query.seq, earlier: seqs[row]! };
    const { after, most } = this.#question;
    if (position.earlier >= position.later || !isAfter(position, after)) return;
    if (this.#isCut(position.later, position.earlier)) return;
    const template = this.#template(row);
    const score = innerProduct(template, 0, query.vector);
    if (score < least) return;
    const product = innerProduct(template, 0, query.template);
    this.#pairs.push({ a: query.row, b: row, position, product, score: score - query.shift });
    if (this.#pairs.length > 2 * most) this.#sortAndCut();
  }

  /** Keeps the first pairs in their order, so that the answer and the memory are bounded. */
  #sortAndCut(): void {
    this.#pairs.sort((a, b) => (isAfter(a.position, b.position) ? 1 : -1));
    if (this.#pairs.length <= this.#question.most) return;
    this.#pairs.length = this.#question.most;
    this.#cut = this.#pairs.at(-1)!.position;
  }

  #isCut(later: number, earlier: number): boolean {
    return this.#cut !== null && isAfter({ later, earlier }, this.#cut);
  }

  #template(row: number): Float32Array {
    const { dimensions, blocks } = this.#target;
    const block = Math.floor(row / blockRows) * blockFields;
    const place = blocks[block + 3]! + (row % blockRows) * dimensions * 4;
    return new Float32Array(this.#memories[blocks[block + 2]!]!.memory.buffer, place, dimensions);
  }
}

function isAfter(a: PairPosition, b: PairPosition): boolean {
  return a.later > b.later || (a.later === b.later && a.earlier > b.earlier);
}

/**
 * A position in the pairs of a gallery, which are ordered by the seq of the face that was written later, then by that of
 * the other. Every pair up to it was compared. A face that is written again comes last, and is compared with all others.
 */
export interface PairPosition {
  readonly later: number;
  readonly earlier: number;
}

/** Most rows that are compared with the others at a time. */
const maxQueries = 1024;

interface NumberedRow {
  readonly row: number;
  readonly seq: number;
}

/** The rows of a matrix in the order in which pairs are compared. */
interface PairRows {
  /** Version with which each row was written. */
  readonly seqs: Uint32Array;
  /** Of each block, the smallest seq; infinity for an empty one. */
  readonly firstSeqs: number[];
  /** The next rows after the position, in order of seq, as many as the work allows. */
  readonly next: NumberedRow[];
  /** Rows up to the last of `next`. */
  readonly compared: number;
  /** Rows after `next`. */
  readonly left: number;
}

/** @param work bytes of codes to scan, about */
function pairRows(
  memories: readonly ScanMemory[],
  target: ScanTarget,
  { later, earlier }: PairPosition,
  work: number,
): PairRows {
  const { stride } = blockLayout(target.capacity, target.dimensions);
  const most = Math.max(1, Math.min(maxQueries, Math.floor(work / (target.rows * stride))));
  const seqs = new Uint32Array(target.rows);
  const firstSeqs: number[] = [];
  const next: NumberedRow[] = [];
  let before = 0;
  let after = 0;
  for (let block = 0; block * blockRows < target.rows; block++) {
    const { seqs: own, residuals } = numbersOf(memories, target, block);
    seqs.set(own, block * blockRows);
    let first = Number.POSITIVE_INFINITY;
    for (let index = 0; index < own.length; index++) {
      if (residuals[index] === Number.NEGATIVE_INFINITY) continue;
      const seq = own[index]!;
      if (seq < first) first = seq;
      const isNext = seq > later || (seq === later && earlier < later);
      if (!isNext) before++;
      else {
        after++;
        insert(next, { row: block * blockRows + index, seq }, most);
      }
    }
    firstSeqs.push(first);
  }
  return { seqs, firstSeqs, next, compared: before + next.length, left: after - next.length };
}

/** Keeps the `most` rows with the smallest seqs, in order. Most rows come in order. */
function insert(rows: NumberedRow[], added: NumberedRow, most: number): void {
  if (rows.length === most && added.seq > rows[most - 1]!.seq) return;
  let place = rows.length;
  while (place > 0 && rows[place - 1]!.seq > added.seq) place--;
  rows.splice(place, 0, added);
  if (rows.length > most) rows.pop();
}

function numbersOf(memories: readonly ScanMemory[], target: ScanTarget, block: number) {
  const { residuals, seqs } = blockLayout(target.capacity, target.dimensions);
  const { blocks } = target;
  const at = block * blockFields;
  const rows = Math.min(blockRows, target.rows - block * blockRows);
  const scanned = memories[blocks[at]!]!.memory.buffer;
  const rest = memories[blocks[at + 2]!]!.memory.buffer;
  return {
    residuals: new Float32Array(scanned, blocks[at + 1]! + residuals, rows),
    seqs: new Uint32Array(rest, blocks[at + 3]! + seqs, rows),
  };
}
