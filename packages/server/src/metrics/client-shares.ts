/** Time constant of the averages, milliseconds. */
const timeConstantMs = 60_000;

/** Clients that are kept, those of the largest use: the memory of the measure is bounded. */
const mostClients = 1000;

/** Time below which a client counts as idle, milliseconds. */
const idleMs = 1;

/** Measures the workers' time that each client has used lately, as exponentially decayed sums. */
export class ClientShares {
  readonly #used = new Map<string, number>();
  #at = 0;

  /** @param ms time of a worker @param now milliseconds */
  add(clientId: string, ms: number, now: number): void {
    this.#decay(now);
    this.#used.set(clientId, (this.#used.get(clientId) ?? 0) + ms);
    if (this.#used.size > mostClients) this.#keepLargest();
  }

  /** Clients that have used a worker lately. */
  count(now: number): number {
    this.#decay(now);
    return this.#used.size;
  }

  /** Whether no other client has used more lately; all are the largest while none has used any. */
  isLargest(clientId: string, now: number): boolean {
    this.#decay(now);
    return (this.#used.get(clientId) ?? 0) >= Math.max(0, ...this.#used.values());
  }

  /** Parts of the time that is used, 0…1, of the clients that use most, then of all others. @param top number of clients */
  largest(top: number, now: number): number[] {
    this.#decay(now);
    const used = [...this.#used.values()].sort((a, b) => b - a);
    const sum = used.reduce((total, ms) => total + ms, 0);
    const shares = Array.from({ length: top }, (_, i) => (sum === 0 ? 0 : (used[i] ?? 0) / sum));
    const rest = used.slice(top).reduce((total, ms) => total + ms, 0);
    return [...shares, sum === 0 ? 0 : rest / sum];
  }

  #decay(now: number): void {
    const kept = Math.exp((this.#at - now) / timeConstantMs);
    this.#at = now;
    for (const [clientId, ms] of this.#used) {
      if (ms * kept < idleMs) this.#used.delete(clientId);
      else this.#used.set(clientId, ms * kept);
    }
  }

  #keepLargest(): void {
    const sorted = [...this.#used].sort(([, a], [, b]) => b - a);
    for (const [clientId] of sorted.slice(mostClients)) this.#used.delete(clientId);
  }
}
