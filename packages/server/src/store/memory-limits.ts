import type { LimitStore } from './store.ts';

/** Counters kept; beyond that the oldest go, which only an attacker with so many addresses brings about. */
const maxCounters = 50_000;

interface Counter {
  count: number;
  readonly endsAt: number;
}

/**
 * Counts of one process, in its memory: a restart forgives.
 * @param now milliseconds that only grow: a clock that is set back would keep windows open for as long
 */
export function memoryLimits(now: () => number = () => performance.now()): LimitStore {
  const counters = new Map<string, Counter>();
  const counterOf = (key: string, windowMs: number): Counter => {
    const known = counters.get(key);
    if (known && known.endsAt > now()) return known;
    counters.delete(key);
    const fresh = { count: 0, endsAt: now() + windowMs };
    counters.set(key, fresh);
    if (counters.size > maxCounters) counters.delete(counters.keys().next().value ?? key);
    return fresh;
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
