import { expect, it } from 'vitest';
import { maxRefusedCalls } from '../../src/store/activity-store.ts';
import type {
  ActivityCount,
  BucketCount,
  RefusedCall,
  RefusedQuery,
  SeriesRange,
  Store,
} from '../../src/store/ports.ts';
import { newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const minute = 60_000;
/** Long after the clients of these tests are registered. */
const start = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000;

function calls(change: Partial<ActivityCount> = {}): ActivityCount {
  const of = { clientId: 'alice', route: '/verify', status: '200' };
  return { ...of, start, seconds: 60, latency: 7, count: 1, ...change };
}

function refused(change: Partial<RefusedCall> = {}): RefusedCall {
  return {
    at: new Date(start),
    clientId: 'alice',
    route: '/verify',
    status: '412',
    error: 'faceNotDetected',
    params: { field: 'image', problems: ['a', { code: 'largestFace', params: { found: 3 } }] },
    detail: 'image: no face',
    trxId: 't',
    galleryId: 'main',
    userId: 'u',
    similarity: 0.25,
    spoofScore: null,
    ms: 12,
    ...change,
  };
}

const range = (change: Partial<SeriesRange> = {}): SeriesRange => ({
  seconds: 60,
  from: start,
  bucketMs: 2 * minute,
  buckets: 3,
  ...change,
});

/** The counts of a call in all its series. */
async function seriesOf(store: Store, clientId: string, asked: SeriesRange): Promise<BucketCount[]> {
  const sums = new Map<string, BucketCount>();
  for await (const rows of store.activity.series(clientId, asked)) {
    for (const { count, ...row } of rows) {
      const key = JSON.stringify(Object.entries(row).sort());
      sums.set(key, { ...row, count: count + (sums.get(key)?.count ?? 0) });
    }
  }
  return [...sums.values()];
}

/** The latest refused calls of a client. */
async function refusedOf(store: Store, clientId: string, limit: number): Promise<RefusedCall[]> {
  return (await store.activity.refusedCalls(clientId, { limit })).map(({ call }) => call);
}

describeStores('activity', (open) => {
  it('is summed, and read in buckets, by client', async () => {
    const store = await open();
    for (const client of ['alice', 'bob']) await newGallery(store, client);
    await store.activity.add([calls({ count: 2 }), calls({ start: start + 5 * minute, status: '412' })], []);
    await store.activity.add(
      [
        calls({ start: start + minute }),
        calls(),
        calls({ clientId: 'bob', count: 50 }),
        calls({ seconds: 3600, count: 9 }),
        calls({ start: start + 6 * minute }),
        calls({ start: start - minute }),
        calls({ latency: 19 }),
      ],
      [],
    );
    const found = await seriesOf(store, 'alice', range());
    const of = { route: '/verify', status: '200', latency: 7 };
    expect(found).toHaveLength(3);
    expect(found).toContainEqual({ ...of, bucket: 0, count: 4 });
    expect(found).toContainEqual({ ...of, bucket: 2, status: '412', count: 1 });
    expect(found).toContainEqual({ ...of, bucket: 0, latency: 19, count: 1 });
    const hours = range({ seconds: 3600, bucketMs: 60 * minute, buckets: 1 });
    expect(await seriesOf(store, 'alice', hours)).toEqual([{ ...of, bucket: 0, count: 9 }]);
  });

  it('is read completely for any length of a bucket', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    const each = Array.from({ length: 100 }, (_, i) => calls({ start: start + i * minute, count: i }));
    await store.activity.add(each, []);
    for (const [minutes, buckets] of [
      [100, 1],
      [9, 12],
      [1, 100],
    ] as const) {
      const found = await seriesOf(store, 'alice', range({ bucketMs: minutes * minute, buckets }));
      expect(found.reduce((sum, { count }) => sum + count, 0)).toBe((99 * 100) / 2);
      const first = found.filter(({ bucket }) => bucket === 0).reduce((sum, { count }) => sum + count, 0);
      expect(first).toBe((minutes * (minutes - 1)) / 2);
    }
  });

  it('counts concurrent additions exactly, and skips unknown clients', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    const many = (seed: number) =>
      Array.from({ length: 150 }, (_, i) => calls({ latency: (i * seed) % 151, clientId: 'alice' }));
    await Promise.all([1, 3, 5, 7].map((seed) => store.activity.add(many(seed), [])));
    await store.activity.add([calls({ clientId: 'nobody' })], [refused({ clientId: 'nobody' })]);
    const found = await seriesOf(store, 'alice', range());
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(600);
    expect(await seriesOf(store, 'nobody', range())).toEqual([]);
    expect(await refusedOf(store, 'nobody', 10)).toEqual([]);
  });

  it('returns refused calls unchanged, newest first, and keeps only the latest', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    const bare = {
      error: null,
      params: null,
      detail: null,
      galleryId: null,
      userId: null,
      similarity: null,
      spoofScore: 0.75,
    };
    await store.activity.add([], [refused(), refused(bare)]);
    expect(await refusedOf(store, 'alice', 5)).toEqual([refused(bare), refused()]);
    const more = Array.from({ length: maxRefusedCalls + 5 }, (_, i) => refused({ trxId: String(i) }));
    await store.activity.add([], more);
    const kept = await refusedOf(store, 'alice', 2 * maxRefusedCalls);
    expect(kept).toHaveLength(maxRefusedCalls);
    expect(kept.at(-1)?.trxId).toBe('5');
  });

  it('lists refused calls by each condition, and by page', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    const calls = [
      refused({ trxId: '1' }),
      refused({ trxId: '2', status: '200', at: new Date(start + minute) }),
      refused({ trxId: '3', route: '/identify', userId: null, at: new Date(start + 2 * minute) }),
      refused({ trxId: '4', galleryId: 'other', at: new Date(start + 3 * minute) }),
      refused({ trxId: '5', userId: 'v', at: new Date(start + 3 * minute) }),
    ];
    await store.activity.add([], calls);
    const list = async (query: Partial<RefusedQuery>) =>
      (await store.activity.refusedCalls('alice', { limit: 9, ...query }))
        .map(({ call }) => call.trxId)
        .join('');
    expect(await list({})).toBe('54321');
    expect(await list({ status: '200' })).toBe('2');
    expect(await list({ route: '/identify' })).toBe('3');
    expect(await list({ userId: 'u' })).toBe('421');
    expect(await list({ galleryId: 'main', userId: 'u' })).toBe('21');
    expect(await list({ galleryId: 'main', userId: 'u', limit: 1 })).toBe('2');
    expect(await list({ galleryId: 'other' })).toBe('4');
    expect(await list({ from: new Date(start + minute), to: new Date(start + 3 * minute) })).toBe('32');
    expect(await list({ among: { statuses: ['200', '411'], isOne: true } })).toBe('2');
    expect(await list({ among: { statuses: ['200', '411'], isOne: false }, userId: 'u' })).toBe('41');
    const [, second] = await store.activity.refusedCalls('alice', { limit: 2 });
    expect(await list({ before: second?.id })).toBe('321');
  });

  it('is not written of a client who has registered since', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    await store.clients.unregister('alice');
    await store.clients.register('alice', new Date(start + 1));
    await store.activity.add([], [refused()]);
    expect(await refusedOf(store, 'alice', 9)).toEqual([]);
  });

  it('is pruned by age', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    const late = { start: start + minute };
    await store.activity.add(
      [calls(), calls(late), calls({ seconds: 3600 })],
      [refused(), refused({ at: new Date(start + minute) })],
    );
    const before = new Date(start + 1);
    await store.activity.prune([{ seconds: 60, before }], before);
    expect(await seriesOf(store, 'alice', range())).toMatchObject([{ count: 1 }]);
    const hours = range({ seconds: 3600, bucketMs: 60 * minute, buckets: 1 });
    expect(await seriesOf(store, 'alice', hours)).toHaveLength(1);
    expect(await refusedOf(store, 'alice', 9)).toHaveLength(1);
  });
});
