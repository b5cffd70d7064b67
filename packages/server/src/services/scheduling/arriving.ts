/** Calls whose bodies are being received, by client. A call that never arrives is forgotten with its time. */
export class Arriving {
  /** Times at which they came, ascending, milliseconds. */
  readonly #since = new Map<string, number[]>();

  add(clientId: string, now: number): void {
    const times = this.#since.get(clientId);
    if (times) times.push(now);
    else this.#since.set(clientId, [now]);
  }

  /** One of the client's calls has arrived, or is given up. */
  shift(clientId: string): void {
    const times = this.#since.get(clientId);
    times?.shift();
    if (times?.length === 0) this.#since.delete(clientId);
  }

  /** Calls that came at this time or later; earlier ones are forgotten. */
  countSince(clientId: string, earliest: number): number {
    const times = this.#since.get(clientId) ?? [];
    while ((times[0] ?? earliest) < earliest) this.shift(clientId);
    return times.length;
  }
}
