import { EngineError } from '../errors.ts';

/** Resources that one call at a time uses, and a bounded first-in, first-out queue of calls that wait for one. */
export class ResourceQueue<T> {
  readonly #queueLimit: number;
  readonly #idle = new Set<T>();
  readonly #queue = new Set<(resource: T) => void>();
  #inUse = 0;
  #whenIdle: (() => void)[] = [];

  /** @param queueLimit largest number of waiting calls, 0 or more */
  constructor(queueLimit: number) {
    this.#queueLimit = queueLimit;
  }

  /** Resources in use. */
  get running(): number {
    return this.#inUse;
  }

  /** Waiting calls. */
  get queued(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a resource; give it back with `release`.
   * @throws EngineError `busy` when the queue is full; the reason of `signal` when it aborts first
   */
  async acquire(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const [resource] = this.#idle;
    if (resource === undefined) return this.#wait(signal);
    this.#idle.delete(resource);
    this.#inUse += 1;
    return resource;
  }

  /** Gives back a resource, or reports with null that it is lost. */
  release(resource: T | null): void {
    this.#inUse -= 1;
    if (resource !== null) this.add(resource);
    this.#notifyIdle();
  }

  /** Adds a resource; the call that has waited longest gets it. */
  add(resource: T): void {
    const [next] = this.#queue;
    if (!next) {
      this.#idle.add(resource);
      return;
    }
    this.#queue.delete(next);
    this.#inUse += 1;
    next(resource);
  }

  /** Removes an unused resource. @returns whether it was unused */
  remove(resource: T): boolean {
    return this.#idle.delete(resource);
  }

  /** Resolves when no call uses a resource or waits for one. */
  idle(): Promise<void> {
    if (this.#inUse === 0 && this.#queue.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #notifyIdle(): void {
    if (this.#inUse > 0 || this.#queue.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #wait(signal: AbortSignal): Promise<T> {
    if (this.#queue.size >= this.#queueLimit) {
      throw new EngineError('busy', `All workers are busy and ${this.#queue.size} calls are waiting.`);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.delete(start);
        this.#notifyIdle();
        reject(signal.reason);
      };
      const start = (resource: T) => {
        signal.removeEventListener('abort', leave);
        resolve(resource);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(start);
    });
  }
}
