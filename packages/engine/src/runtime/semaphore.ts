import { EngineError } from '../errors.ts';

/** Counting semaphore with a bounded first-in, first-out queue. */
export class Semaphore {
  readonly #size: number;
  readonly #queueLimit: number;
  readonly #queue = new Set<() => void>();
  #running = 0;
  #whenIdle: (() => void)[] = [];

  /**
   * @param size largest number of concurrent calls, 1 or more
   * @param queueLimit largest number of waiting calls, 0 or more
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
   * Waits for a permit. Returns a function that releases it; call it once.
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

  /** Resolves when no call runs or waits. */
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
        this.#queue.delete(start);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(start);
    });
  }

  /** Passes the permit to the call that has waited longest. */
  #release(): void {
    const [next] = this.#queue;
    if (next) {
      this.#queue.delete(next);
      next();
      return;
    }
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
