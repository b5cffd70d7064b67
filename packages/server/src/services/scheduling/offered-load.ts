/** Time constant of the average, milliseconds: a burst of two seconds of work is no overload. */
const timeConstant = 2000;

/** Offered work ÷ work that can be done from which the server is overloaded. */
const threshold = 1.25;

/**
 * Measures the work that callers ask for, including what is refused, against what the workers can do. Clients that wait
 * for their answers cannot overload a server, however many calls they have in flight.
 */
export class OfferedLoad {
  /** Offered work, milliseconds of a worker, exponentially decayed. */
  #offered = 0;
  #at = 0;

  /** @param now milliseconds @param cost of a new call, milliseconds of a worker */
  add(now: number, cost: number, workers: number): void {
    this.#decay(now);
    // Bounded, so that the end of an overload is noticed within a time constant.
    this.#offered = Math.min(this.#offered + cost, 2 * timeConstant * workers);
  }

  isOverload(now: number, workers: number): boolean {
    this.#decay(now);
    return this.#offered > threshold * timeConstant * workers;
  }

  #decay(now: number): void {
    this.#offered *= Math.exp((this.#at - now) / timeConstant);
    this.#at = now;
  }
}
