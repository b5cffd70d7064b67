/** Least time constant of the average, milliseconds: a burst of two seconds of work is no overload. */
const leastTimeConstant = 2000;

/** Nor is one of this many calls, however long each takes: programs have as many in flight. */
const burst = 32;

/** Offered work ÷ work that can be done from which the server is overloaded. */
const threshold = 1.25;

/** What the server can do. */
export interface Capacity {
  readonly workers: number;
  /** Mean duration of work, milliseconds. */
  readonly cost: number;
}

/**
 * Measures the work that callers ask for, including what is refused, against what the workers can do. Clients that wait
 * for their answers cannot overload a server for long, however many calls they have in flight.
 */
export class OfferedLoad {
  /** Offered work, milliseconds of a worker, exponentially decayed. */
  #offered = 0;
  #at = 0;

  /** @param now milliseconds @param cost of a new call, milliseconds of a worker */
  add(now: number, cost: number, capacity: Capacity): void {
    this.#decay(now, capacity);
    // Bounded, so that the end of an overload is noticed within a time constant.
    this.#offered = Math.min(this.#offered + cost, 2 * windowOf(capacity) * capacity.workers);
  }

  isOverload(now: number, capacity: Capacity): boolean {
    this.#decay(now, capacity);
    return this.#offered > threshold * windowOf(capacity) * capacity.workers;
  }

  #decay(now: number, capacity: Capacity): void {
    this.#offered *= Math.exp((this.#at - now) / windowOf(capacity));
    this.#at = now;
  }
}

/** Time constant of the average, milliseconds. */
function windowOf({ workers, cost }: Capacity): number {
  return Math.max(leastTimeConstant, (burst * cost) / (threshold * workers));
}
