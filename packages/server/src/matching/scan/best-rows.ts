/** A row with its exact score. */
interface ScoredRow {
  readonly row: number;
  /** Inner product of the float32 values, summed in float64 from the first dimension to the last. */
  readonly score: number;
}

/** The k best rows, best first, and all that tie with the last of them where `compare` does not separate them. */
export class BestRows {
  readonly rows: ScoredRow[] = [];
  readonly #k: number;
  readonly #least: number;
  readonly #compare: (a: number, b: number) => number;

  /**
   * @param k Infinity: all, in any order
   * @param least least score of a row
   * @param compare negative when row `a` comes before row `b` at equal scores
   */
  constructor(k: number, least: number, compare: (a: number, b: number) => number = () => 0) {
    this.#k = k;
    this.#least = least;
    this.#compare = compare;
  }

  /** Minimum score of a further row. */
  get threshold(): number {
    return this.rows.length < this.#k ? this.#least : this.rows[this.#k - 1]!.score;
  }

  add(row: number, score: number): void {
    if (score < this.threshold) return;
    let place = this.rows.length;
    const found = { row, score };
    if (this.#k === Number.POSITIVE_INFINITY) {
      this.rows.push(found);
      return;
    }
    while (place > 0 && this.#order(found, this.rows[place - 1]!) < 0) place--;
    this.rows.splice(place, 0, found);
    while (this.rows.length > this.#k && this.#order(this.rows[this.#k - 1]!, this.rows.at(-1)!) < 0)
      this.rows.pop();
  }

  #order(a: ScoredRow, b: ScoredRow): number {
    return b.score - a.score || this.#compare(a.row, b.row);
  }
}

/** @param at where the row begins in `templates` */
export function innerProduct(templates: Float32Array, at: number, probe: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < probe.length; i++) sum += templates[at + i]! * probe[i]!;
  return sum;
}
