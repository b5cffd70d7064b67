/** What was opened, closed in reverse order. */
export class DisposableStack {
  readonly #closers: (() => unknown)[] = [];

  /** @returns what was opened, for use in the same line */
  add<T>(opened: T, close: (opened: T) => unknown): T {
    this.#closers.push(() => close(opened));
    return opened;
  }

  /** Closes everything, also when something fails to close; idempotent. @throws the first error */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
