/**
 * Many scans of a gallery, or one writer, which may change rows in place: it waits for the scans that run, and scans that
 * come later wait for it. A scan takes milliseconds.
 */
export class ScanLock {
  #scans = 0;
  #writers = 0;
  /** Resolves when the last writer has ended. */
  #written: Promise<unknown> = Promise.resolve();
  #onIdle: (() => void) | null = null;

  async scan<T>(work: () => T | Promise<T>): Promise<T> {
    while (this.#writers > 0) await this.#written;
    this.#scans++;
    try {
      return await work();
    } finally {
      this.#scans--;
      if (this.#scans === 0) this.#onIdle?.();
    }
  }

  /** Writers run in the order in which they came. */
  write<T>(work: () => Promise<T>): Promise<T> {
    this.#writers++;
    const result = this.#written.then(async () => {
      if (this.#scans > 0) await new Promise<void>((go) => (this.#onIdle = go));
      this.#onIdle = null;
      return work();
    });
    this.#written = result
      .catch(() => null)
      .finally(() => {
        this.#writers--;
      });
    return result;
  }
}
