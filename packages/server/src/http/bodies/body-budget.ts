/** Bytes of bodies in flight: of all callers and of each. */
export class BodyBudget {
  readonly #total: number;
  readonly #share: number;
  readonly #owners = new Map<string, number>();
  #used = 0;

  /** @param total bytes that all callers may have in flight @param share bytes of one caller */
  constructor(total: number, share: number) {
    this.#total = total;
    this.#share = share;
  }

  get used(): number {
    return this.#used;
  }

  /**
   * Takes bytes for a caller.
   * @returns which of the two has too few left, in which case nothing is taken; null: they are taken
   */
  take(owner: string, bytes: number): 'share' | 'total' | null {
    const own = (this.#owners.get(owner) ?? 0) + bytes;
    if (own > this.#share) return 'share';
    if (this.#used + bytes > this.#total) return 'total';
    this.#owners.set(owner, own);
    this.#used += bytes;
    return null;
  }

  giveBack(owner: string, bytes: number): void {
    const own = (this.#owners.get(owner) ?? 0) - bytes;
    if (own > 0) this.#owners.set(owner, own);
    else this.#owners.delete(owner);
    this.#used -= bytes;
  }
}
