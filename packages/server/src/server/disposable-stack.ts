/**
 * Closes what was opened, in reverse order. Follows `AsyncDisposableStack` of ECMAScript 2026, which Node 20 lacks.
 */
export class DisposableStack {
  readonly #disposers: (() => unknown)[] = [];

  /** @returns the value, for use in the same statement */
  adopt<T>(value: T, dispose: (value: T) => unknown): T {
    this.#disposers.push(() => dispose(value));
    return value;
  }

  /** Closes everything, also when a part fails to close; idempotent. @throws the first error */
  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (const dispose of this.#disposers.splice(0).reverse()) {
      try {
        await dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
