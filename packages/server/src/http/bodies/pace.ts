/** A body that is being received. */
export interface Arriving {
  /** Milliseconds of `performance.now()`. */
  readonly since: number;
  /** Bytes so far. */
  received: number;
  /** Ends it, naming the bytes and the seconds that they took. */
  tooSlow(bytes: number, seconds: number): void;
}

/** Time in which a body may arrive at any rate, milliseconds. */
const grace = 10_000;

const checkEvery = 1000;

/** Ends bodies that arrive too slowly: each of them holds memory and a connection. */
export class Pace {
  readonly #bytesPerSecond: number;
  readonly #arriving = new Set<Arriving>();
  #timer: NodeJS.Timeout | undefined;

  /** @param bytesPerSecond least mean rate after the grace period; 0: any */
  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  add(body: Arriving): void {
    this.#arriving.add(body);
    if (this.#bytesPerSecond > 0) this.#timer ??= setInterval(() => this.#check(), checkEvery).unref();
  }

  delete(body: Arriving): void {
    this.#arriving.delete(body);
    if (this.#arriving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = performance.now();
    for (const body of this.#arriving) {
      const elapsed = now - body.since;
      const needed = (this.#bytesPerSecond * elapsed) / 1000;
      if (elapsed > grace && body.received < needed) body.tooSlow(body.received, Math.round(elapsed / 1000));
    }
  }
}
