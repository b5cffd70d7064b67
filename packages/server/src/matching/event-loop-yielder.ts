import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds. */
const sliceMs = 1;

/**
 * Long work on the event loop, in turns. Measured by the clock and not by what is done: the first of a kind takes ten
 * times as long as the thousandth, for which the code has been compiled.
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

  /** Resolves when others have had their turn. */
  async yield(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
