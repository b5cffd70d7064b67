import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds. */
const sliceMs = 1;

/**
 * Splits long work on the event loop into slices of time. A fixed number of items would not do: before compilation an
 * item takes ten times as long.
 *
 * @example
 * for (const face of faces) {
 *   if (turns.isOver) await turns.next();
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
