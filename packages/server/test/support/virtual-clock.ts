import { setImmediate as promisesSettled } from 'node:timers/promises';

/** A clock whose time passes as fast as its timers can be run: a simulation with the real scheduler. */
export class VirtualClock {
  #now = 0;
  /** Ascending by time; of the same time in the order of their calls. */
  readonly #timers: { readonly at: number; readonly action: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, action: () => void): () => void {
    const timer = { at: this.#now + milliseconds, action };
    let place = this.#timers.length;
    while (place > 0 && this.#timers[place - 1]!.at > timer.at) place -= 1;
    this.#timers.splice(place, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Runs timers in order, until this time. */
  async runUntil(milliseconds: number): Promise<void> {
    for (;;) {
      await promisesSettled();
      const next = this.#timers[0];
      if (!next || next.at > milliseconds) break;
      this.#timers.shift();
      this.#now = next.at;
      next.action();
    }
    this.#now = milliseconds;
  }
}
