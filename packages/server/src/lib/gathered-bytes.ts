/** Bytes from which a further block is begun: to move more takes longer than to put the blocks together in the end. */
const largestMoved = 2 ** 20;

/** Bytes that come in pieces of any size: each piece in memory of its own would take a hundred bytes more. */
export class GatheredBytes {
  readonly #limit: number;
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** Bytes of the block. */
  #used = 0;
  /** Bytes that were added. */
  size = 0;

  /** @param limit most bytes that are kept: of more, only their number is known */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** All that are kept. */
  get bytes(): Buffer {
    const last = this.#block.subarray(0, this.#used);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last]);
  }

  end(): { readonly bytes: Buffer } | { readonly tooLarge: number } {
    return this.size > this.#limit ? { tooLarge: this.size } : { bytes: this.bytes };
  }

  add(bytes: Buffer): void {
    bytes.copy(this.#room(bytes.length));
    this.#count(bytes.length);
  }

  /** Adds what base64 decodes to. @param letters groups of four @returns false: they are not letters alone, and were not added */
  addBase64(letters: string): boolean {
    const bytes = (letters.length / 4) * 3;
    // Node skips what is no letter: it shows in the length.
    if (this.#room(bytes).write(letters, 'base64') !== bytes) return false;
    this.#count(bytes);
    return true;
  }

  #room(bytes: number): Buffer {
    if (this.#used + bytes > this.#block.length) {
      const before = this.#block.subarray(0, this.#used);
      const isMoved = this.#used < largestMoved;
      this.#block = Buffer.allocUnsafe(isMoved ? 2 * (this.#used + bytes) : Math.max(largestMoved, bytes));
      if (isMoved) before.copy(this.#block);
      else {
        this.#full.push(before);
        this.#used = 0;
      }
    }
    return this.#block.subarray(this.#used);
  }

  #count(bytes: number): void {
    this.size += bytes;
    this.#used += bytes;
    if (this.size <= this.#limit) return;
    this.#full.length = 0;
    this.#used = 0;
  }
}
