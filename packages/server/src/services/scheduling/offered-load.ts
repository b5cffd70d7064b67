/** Least time constant of the averages, milliseconds: a burst of two seconds of work is no overload. */
const leastTimeConstant = 2000;

/** Nor is one of this many calls, however long each takes: programs have as many in flight. */
const burst = 32;

/** Offered calls ÷ calls that are done from which the server is overloaded. */
const threshold = 1.25;

/** Time constants after which callers that wait so long have ended an overload. */
const patience = 4;

/** What the server can do. */
export interface Capacity {
  readonly workers: number;
  /** Mean duration of work, milliseconds. */
  readonly cost: number;
}

/**
 * Measures the calls that come, those that are refused included, against those that are done. Clients that wait for their
 * answers cannot overload a server for long, however many calls they have in flight. Calls are counted, not their
 * expected durations: after a slow time these are too long, and an overload would be seen where there is none.
 */
export class OfferedLoad {
  /** Exponentially decayed numbers of calls. */
  #offered = 0;
  #done = 0;
  #at = 0;

  /** @param now milliseconds */
  offer(now: number, capacity: Capacity): void {
    this.#decay(now, capacity);
    // Bounded, so that the end of an overload is noticed within a time constant.
    this.#offered = Math.min(this.#offered + 1, 2 * this.#possible(capacity));
  }

  done(now: number, capacity: Capacity): void {
    this.#decay(now, capacity);
    this.#done += 1;
  }

  isOverload(now: number, capacity: Capacity): boolean {
    this.#decay(now, capacity);
    return this.#offered > threshold * this.#possible(capacity);
  }

  /** Time after which refused callers may try again in an overload, milliseconds. */
  backoffMs(capacity: Capacity): number {
    return patience * windowOf(capacity);
  }

  /** Calls that are done in a time constant, measured or expected. */
  #possible(capacity: Capacity): number {
    return Math.max(this.#done, (windowOf(capacity) * capacity.workers) / capacity.cost);
  }

  #decay(now: number, capacity: Capacity): void {
    const kept = Math.exp((this.#at - now) / windowOf(capacity));
    this.#offered *= kept;
    this.#done *= kept;
    this.#at = now;
  }
}

/** Time constant of the averages, milliseconds. */
function windowOf({ workers, cost }: Capacity): number {
  return Math.max(leastTimeConstant, (burst * cost) / (threshold * workers));
}
