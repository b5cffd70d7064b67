import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds. */
const sliceMs = 1;

/**
 * Splits long work on the event loop into slices by time. A number of items is no measure of time: until the code is
 * compiled, an item takes ten times as long.
 *
 * @example
 * for (const face of faces) {
 *   if (yielder.shouldYield) await yielder.yield();
 */
export class EventLoopYielder {
  #began = performance.now();

  get shouldYield(): boolean {
    return performance.now() - this.#began > sliceMs;
  }

  /** Resolves in the next turn of the event loop. */
  async yield(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}

/** A function to await after each item of long work: it yields when a slice has passed. */
export function yieldingPause(): () => Promise<void> {
  const yielder = new EventLoopYielder();
  return async () => {
    if (yielder.shouldYield) await yielder.yield();
  };
}
