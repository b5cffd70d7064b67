import { expect, it } from 'vitest';
import { describeStores } from '../../../test/store/kinds.ts';
import { activityStore } from '../../../test/support/activity.ts';
import { newGallery } from '../../../test/support/store.ts';
import type { Store } from '../../store/ports/store.ts';
import type { CallCount, CountedDays, RefusedCall, RefusedQuery } from './ports.ts';
import { maxRefusedCalls } from './store.ts';

const minute = 60_000;
const dayMs = 86_400_000;
/** Long after the clients of these tests are registered. */
const start = (Math.floor(Date.now() / dayMs) + 2) * dayMs;

function calls(change: Partial<CallCount> = {}): CallCount {
  const of = { clientId: 'alice', route: '/verify', status: '200' };
  return { ...of, day: start, count: 1, ...change };
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
    ...change,
  };
}

const days = (first: number, count: number): CountedDays => ({
  from: new Date(start + first * dayMs),
  to: new Date(start + (first + count) * dayMs),
});

const countOf = async (store: Store, clientId: string) =>
  (await activityStore(store).countsByRoute(clientId, days(0, 1))).reduce((sum, { count }) => sum + count, 0);

/** The latest refused calls of a client. */
async function refusedOf(store: Store, clientId: string, limit: number): Promise<RefusedCall[]> {
  return (await activityStore(store).refusedCalls(clientId, { limit })).map(({ call }) => call);
}

describeStores('activity', (open) => {
  it('is summed by day or route, and status, of one client', async () => {
    const store = await open();
    for (const client of ['alice', 'bob']) await newGallery(store, client);
    await activityStore(store).add([calls({ count: 2 }), calls({ day: start + dayMs, status: '412' })], []);
    const others = [{ day: start - dayMs }, { day: start + 2 * dayMs }, { clientId: 'bob', count: 50 }];
    const further = [{}, { route: '/identify', count: 9 }, ...others];
    await activityStore(store).add(further.map(calls), []);
    const byDay = (route?: string) => activityStore(store).countsByDay('alice', days(0, 2), route);
    expect(await byDay()).toEqual([
      { day: start, status: '200', count: 12 },
      { day: start + dayMs, status: '412', count: 1 },
    ]);
    expect((await byDay('/identify')).map(({ count }) => count)).toEqual([9]);
    expect(await activityStore(store).countsByRoute('alice', days(0, 2))).toEqual([
      { route: '/identify', status: '200', count: 9 },
      { route: '/verify', status: '200', count: 3 },
      { route: '/verify', status: '412', count: 1 },
    ]);
  });

  it('counts concurrent additions exactly, and skips unknown clients', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    const many = (seed: number) =>
      Array.from({ length: 150 }, (_, i) => calls({ route: `/${(i * seed) % 151}` }));
    await Promise.all([1, 3, 5, 7].map((seed) => activityStore(store).add(many(seed), [])));
    await activityStore(store).add([calls({ clientId: 'nobody' })], [refused({ clientId: 'nobody' })]);
    expect(await countOf(store, 'alice')).toBe(600);
    expect(await countOf(store, 'nobody')).toBe(0);
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
    await activityStore(store).add([], [refused(), refused(bare)]);
    expect(await refusedOf(store, 'alice', 5)).toEqual([refused(bare), refused()]);
    const more = Array.from({ length: maxRefusedCalls + 5 }, (_, i) => refused({ trxId: String(i) }));
    await activityStore(store).add([], more);
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
    await activityStore(store).add([], calls);
    const list = async (query: Partial<RefusedQuery>) =>
      (await activityStore(store).refusedCalls('alice', { limit: 9, ...query }))
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
    const [, second] = await activityStore(store).refusedCalls('alice', { limit: 2 });
    expect(await list({ before: second?.id })).toBe('321');
  });

  it('is not written of a client who has registered since', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    await store.clients.unregister('alice');
    await store.clients.register('alice', new Date(start + 1));
    await activityStore(store).add([], [refused()]);
    expect(await refusedOf(store, 'alice', 9)).toEqual([]);
  });

  it('is pruned by age', async () => {
    const store = await open();
    await newGallery(store, 'alice');
    await activityStore(store).add(
      [calls({ day: start - dayMs }), calls()],
      [refused(), refused({ at: new Date(start + minute) })],
    );
    await activityStore(store).prune(new Date(start + 1));
    const left = await activityStore(store).countsByDay('alice', days(-1, 2));
    expect(left.map(({ day }) => day)).toEqual([start]);
    expect(await refusedOf(store, 'alice', 9)).toHaveLength(1);
  });
});
