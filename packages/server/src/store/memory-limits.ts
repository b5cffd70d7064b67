import type { LimitStore } from './ports/limits.ts';

/** Maximum number of counters; the oldest are dropped first. */
const maxCounters = 50_000;

interface Counter {
  count: number;
  readonly endsAt: number;
}

/**
 * Rate limit counters in the memory of one process.
 * @param now monotonic clock, milliseconds
 */
export function memoryLimits(now: () => number = () => performance.now()): LimitStore {
  const counters = new Map<string, Counter>();
  const counterOf = (key: string, windowMs: number): Counter => {
    const known = counters.get(key);
    if (known && known.endsAt > now()) return known;
    counters.delete(key);
    const created = { count: 0, endsAt: now() + windowMs };
    counters.set(key, created);
    if (counters.size > maxCounters) counters.delete(counters.keys().next().value ?? key);
    return created;
  };
  return {
    increment: async (key, limit, windowMs) => {
      const counter = counterOf(key, windowMs);
      counter.count = Math.min(counter.count + 1, limit + 1);
      return { count: counter.count, waitMs: Math.ceil(counter.endsAt - now()) };
    },
    decrement: async (key, by) => {
      const counter = counters.get(key);
      if (!counter) return;
      if (by === undefined) counters.delete(key);
      else counter.count = Math.max(0, counter.count - by);
    },
  };
}
