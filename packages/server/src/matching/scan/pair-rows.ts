import { blockLayout, blockRows } from './layout.ts';
import { blockFields, type ScanMemory, type ScanTarget } from './search.ts';

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
export function pairRows(
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
