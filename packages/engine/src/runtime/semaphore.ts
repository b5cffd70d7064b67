import { EngineError } from '../errors.ts';

interface Waiting {
  readonly start: () => void;
}

/**
 * Lets a number of calls run at once and a number of further ones wait, first come first served. Beyond that,
 * calls are refused.
 */
export class Semaphore {
  readonly #size: number;
  readonly #queueLimit: number;
  readonly #queue = new Set<Waiting>();
  #running = 0;
  #whenIdle: (() => void)[] = [];

  /**
   * @param size calls that run at once, 1 or more
   * @param queueLimit calls that may wait, 0 or more
   */
  constructor(size: number, queueLimit: number) {
    this.#size = size;
    this.#queueLimit = queueLimit;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a slot. The answer gives it back; call it once.
   *
   * @throws EngineError `busy` when the queue is full; the reason of `signal` when it aborts first
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running < this.#size) {
      this.#running += 1;
    } else {
      await this.#wait(signal);
    }
    return () => this.#release();
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#queue.size >= this.#queueLimit) {
      throw new EngineError('busy', `All workers are busy and ${this.#queue.size} calls are waiting.`);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.delete(waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(waiting);
    });
  }

  /** Hands the slot to the call that waited longest. */
  #release(): void {
    const [next] = this.#queue;
    if (next) {
      this.#queue.delete(next);
      next.start();
      return;
    }
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
