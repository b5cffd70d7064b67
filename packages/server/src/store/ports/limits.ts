/** Counters of rate limits, shared by all servers of a store. A crash of the store may reset them. */
export interface LimitStore {
  /**
   * Increments atomically. A window begins with its first increment.
   * @param limit the count stops at `limit` + 1
   * @returns the new count and the milliseconds until the window ends
   */
  increment(key: string, limit: number, windowMs: number): Promise<{ count: number; waitMs: number }>;
  /** @param by default: resets the counter */
  decrement(key: string, by?: number): Promise<void>;
}
