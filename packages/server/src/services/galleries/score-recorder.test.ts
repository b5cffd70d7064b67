import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GalleryScoreCount } from '../../store/ports/scores.ts';
import { createScoreRecorder } from './score-recorder.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('counts probes of galleries by day, in bins of a tenth of a decade', async () => {
  vi.setSystemTime('2026-01-31T23:59:59Z');
  const scored: GalleryScoreCount[] = [];
  const store = { add: async (counts: readonly GalleryScoreCount[]) => void scored.push(...counts) };
  const { count, settled } = createScoreRecorder({ store, log: { warn: () => {} }, on: true });
  const about = { clientId: null, trxId: null };
  for (const similarity of [0, 0.624, 0.625, 0.625, 1])
    count({ name: 'face_verified', about, facts: {}, detail: { gallery: 7, similarity } });
  count({ name: 'face_identified', about, facts: {}, detail: { gallery: 7, best: [0.625] } });
  await settled();
  const day = Date.parse('2026-01-31T00:00:00Z');
  expect(scored.map(({ comparison, bin, count }) => [comparison, bin, count])).toEqual([
    ['verify', 0, 1],
    ['verify', 49, 1],
    ['verify', 50, 2],
    ['verify', 79, 1],
    ['identify', 50, 1],
  ]);
  expect(scored[0]).toMatchObject({ gallery: 7, day });
});
