import { afterEach, expect, it, vi } from 'vitest';
import { memoryLimits } from './memory-limits.ts';

afterEach(() => vi.useRealTimers());

it('a window ends by the monotonic clock, also when the system clock is set back', async () => {
  vi.useFakeTimers({ now: new Date('2031-01-01') });
  const limits = memoryLimits();
  for (const count of [1, 2, 3, 3]) expect(await limits.increment('k', 2, 60_000)).toMatchObject({ count });
  vi.setSystemTime(new Date('2026-01-01'));
  vi.advanceTimersByTime(59_000);
  expect(await limits.increment('k', 2, 60_000)).toEqual({ count: 3, waitMs: 1000 });
  vi.advanceTimersByTime(1000);
  expect(await limits.increment('k', 2, 60_000)).toEqual({ count: 1, waitMs: 60_000 });
});
