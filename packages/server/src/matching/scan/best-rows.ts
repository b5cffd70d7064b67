/** A row with its exact score. */
export interface ScoredRow {
  readonly row: number;
  /** Inner product of the float32 values, summed in float64 from the first dimension to the last. */
  readonly score: number;
}

/** The k best rows, best first; ties in the given order. */
export class BestRows {
  readonly rows: ScoredRow[] = [];
  readonly #k: number;
  readonly #compare: (a: number, b: number) => number;

  /** @param compare negative when row `a` comes before row `b` at equal scores */
  constructor(k: number, compare: (a: number, b: number) => number) {
    this.#k = k;
    this.#compare = compare;
  }

  /** Minimum score of a further row. */
  get threshold(): number {
    return this.rows.length < this.#k ? Number.NEGATIVE_INFINITY : this.rows.at(-1)!.score;
  }

  add(row: number, score: number): void {
    if (score < this.threshold) return;
    let place = this.rows.length;
    while (place > 0 && this.#before(row, score, this.rows[place - 1]!)) place--;
    this.rows.splice(place, 0, { row, score });
    if (this.rows.length > this.#k) this.rows.pop();
  }

  #before(row: number, score: number, other: ScoredRow): boolean {
    return score > other.score || (score === other.score && this.#compare(row, other.row) < 0);
  }
}

/** @param at where the row begins in `templates` */
export function innerProduct(templates: Float32Array, at: number, probe: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < probe.length; i++) sum += templates[at + i]! * probe[i]!;
  return sum;
}
