import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RecordedCall } from '../../events/ports.ts';
import type { ActivityCount, GalleryScoreCount, RefusedCall } from '../../store/ports.ts';
import { createActivityRecorder } from './activity-recorder.ts';

/** What a store was given, in batches. */
let added: { counts: readonly ActivityCount[]; refused: readonly RefusedCall[] }[];
let scored: GalleryScoreCount[];
let warnings: object[];

beforeEach(() => {
  vi.useFakeTimers();
  added = [];
  scored = [];
  warnings = [];
});
afterEach(() => void vi.useRealTimers());

function recorder({ most = 1000, add = async () => {} }: { most?: number; add?: () => Promise<void> } = {}) {
  return createActivityRecorder({
    store: {
      add: async (counts, refused) => {
        await add();
        added.push({ counts, refused });
      },
      addScores: async (counts) => void scored.push(...counts),
    },
    log: { warn: (fields) => void warnings.push(fields) },
    everyMs: 2000,
    most,
  });
}

function call(change: Partial<RecordedCall> = {}): RecordedCall {
  const at = new Date('2026-01-31T12:34:56Z');
  const of = { at, clientId: 'alice', route: '/verify', status: '200', ms: 100 };
  return { ...of, refused: null, ...change };
}

const refused = (userId: string) => ({
  error: 'x',
  params: {},
  detail: 'd',
  trxId: 't',
  galleryId: 'main',
  userId,
  similarity: null,
  spoofScore: null,
});

it('counts equal calls by minute and by hour, and writes them at intervals', async () => {
  const { record } = recorder();
  for (let i = 0; i < 50; i++) record(call());
  await vi.advanceTimersByTimeAsync(1999);
  expect(added).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const starts = ['2026-01-31T12:34:00Z', '2026-01-31T12:00:00Z'].map((iso) => Date.parse(iso));
  expect(added[0]?.counts).toMatchObject([
    { seconds: 60, start: starts[0], status: '200', count: 50 },
    { seconds: 3600, start: starts[1], status: '200', count: 50 },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(added).toHaveLength(1);
});

it('counts probes of galleries by day, in bins of a tenth of a decade', async () => {
  const { compared, settled } = recorder();
  const at = new Date('2026-01-31T23:59:59Z');
  for (const similarity of [0, 0.624, 0.625, 0.625, 1])
    compared({ at, gallery: 7, comparison: 'verify', similarity });
  compared({ at, gallery: 7, comparison: 'identify', similarity: 0.625 });
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

it('drops records beyond its limit, and logs their number', async () => {
  const { record, settled } = recorder({ most: 10 });
  for (let i = 0; i < 25; i++) record(call({ route: `/${i}`, refused: refused('u') }));
  await settled();
  expect(added[0]?.counts).toHaveLength(10);
  expect(added[0]?.refused).toHaveLength(10);
  expect(warnings).toEqual([{ dropped: 40 + 15 }]);
});

it('forgets the unwritten records of a filter', async () => {
  const { record, forget, settled } = recorder();
  for (const user of ['u', 'v']) record(call({ refused: refused(user) }));
  record(call({ clientId: 'bob', refused: refused('u') }));
  await forget({ clientId: 'alice', galleryId: 'main', userId: 'u' });
  await settled();
  expect(added[0]?.refused.map(({ clientId, userId }) => [clientId, userId])).toEqual([
    ['alice', 'v'],
    ['bob', 'u'],
  ]);
  record(call());
  record(call({ clientId: 'bob' }));
  await forget({ clientId: 'alice' });
  await settled();
  expect(new Set(added[1]?.counts.map(({ clientId }) => clientId))).toEqual(new Set(['bob']));
});

it('has written or dropped the records of a filter when it has forgotten them', async () => {
  const order: string[] = [];
  const { record, forget, settled } = recorder({
    add: async () => {
      for (let turns = 0; turns < 10; turns++) await null;
      order.push('written');
    },
  });
  record(call({ refused: refused('u') }));
  const written = settled();
  await forget({ clientId: 'alice' });
  order.push('forgotten');
  await written;
  expect(order).toEqual(['written', 'forgotten']);
});

it('continues when the store fails, and writes one batch at a time', async () => {
  let fails = true;
  const { record, settled } = recorder({
    add: async () => {
      if (fails) throw new Error('away');
    },
  });
  record(call());
  await settled();
  expect(warnings).toMatchObject([{ reason: 'Error: away' }]);
  fails = false;
  record(call({ status: '412' }));
  await settled();
  expect(added.map(({ counts }) => counts[0]?.status)).toEqual(['412']);
});
