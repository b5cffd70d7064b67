import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RecordedCall } from '../../events/ports.ts';
import type { CallCount, RefusedCall } from './ports.ts';
import { createActivityRecorder } from './recorder.ts';

/** What a store was given, in batches. */
let added: { counts: readonly CallCount[]; refused: readonly RefusedCall[] }[];
let warnings: object[];

beforeEach(() => {
  vi.useFakeTimers();
  added = [];
  warnings = [];
});
afterEach(() => void vi.useRealTimers());

const nobody = { clientId: null, trxId: null };

function recorder({ most = 1000, add = async () => {} }: { most?: number; add?: () => Promise<void> } = {}) {
  const activity = createActivityRecorder({
    store: {
      add: async (counts, refused) => {
        await add();
        added.push({ counts, refused });
      },
    },
    log: { warn: (fields) => void warnings.push(fields) },
    everyMs: 2000,
    most,
  });
  const record = (of: RecordedCall) =>
    activity.count({ name: 'request', about: nobody, facts: {}, detail: { call: of } });
  return { ...activity, record };
}

function call(change: Partial<RecordedCall> = {}): RecordedCall {
  const at = new Date('2026-01-31T12:34:56Z');
  const of = { at, clientId: 'alice', route: '/verify', status: '200' };
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

it('counts equal calls by day, and writes them at intervals', async () => {
  const { record } = recorder();
  for (let i = 0; i < 50; i++) record(call());
  await vi.advanceTimersByTimeAsync(1999);
  expect(added).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const day = Date.parse('2026-01-31T00:00:00Z');
  expect(added[0]?.counts).toMatchObject([{ day, status: '200', count: 50 }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(added).toHaveLength(1);
});

it('drops records beyond its limit, and logs their number', async () => {
  const { record, settled } = recorder({ most: 10 });
  for (let i = 0; i < 25; i++) record(call({ route: `/${i}`, refused: refused('u') }));
  await settled();
  expect(added[0]?.counts).toHaveLength(10);
  expect(added[0]?.refused).toHaveLength(10);
  expect(warnings).toEqual([{ dropped: 15 + 15 }]);
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
