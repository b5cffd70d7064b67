import { expect, it } from 'vitest';
import { describeStores } from '../../../test/store/kinds.ts';
import { face, newGallery, unlimited } from '../../../test/support/store.ts';
import { webhookStore } from '../../../test/support/webhooks.ts';
import type { Store } from '../../store/ports/store.ts';
import type { OutboxEvent } from './ports.ts';

const now = new Date(1_700_000_000_000);
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

function event(id: string, more: Partial<OutboxEvent> = {}): OutboxEvent {
  const about = { clientId: 'alice', galleryId: 'main', userId: 'ani' };
  return { id, type: 'face.verified', ...about, at: now, payload: `{"id":"${id}"}`, limit: 100, ...more };
}

async function add(
  store: Store,
  id: string,
  types: readonly OutboxEvent['type'][] | null = null,
  clientId = 'alice',
) {
  const secret = Buffer.from(`secret ${id}`);
  const given = { id, clientId, url: `https://example.com/${id}`, types, secret, createdAt: now };
  return webhookStore(store).add(given, 3);
}

const dueAt = async (store: Store, at: Date) =>
  (await webhookStore(store).enabled(at)).flatMap(({ id, due }) => (due ? [id] : []));

const idsOf = async (store: Store, endpoint: string) =>
  (await webhookStore(store).deliveries(endpoint, null, 100)).map(({ eventId }) => eventId).reverse();

describeStores('the outbox', (open) => {
  it('has a row for each endpoint of the client that wants the event', async () => {
    const store = await open();
    await newGallery(store);
    await newGallery(store, 'bob');
    expect(await add(store, 'a')).toBe('added');
    expect(await add(store, 'b', ['face.enrolled', 'face.verified'])).toBe('added');
    expect(await add(store, 'c', ['liveness.failed'])).toBe('added');
    expect(await add(store, 'd')).toBe('full');
    expect(await add(store, 'e', null, 'nobody')).toBe('gone');
    await add(store, 'f', null, 'bob');
    await webhookStore(store).append([event('1')]);
    await webhookStore(store).append([event('2', { type: 'liveness.failed' })]);
    await webhookStore(store).disable('a', 'tired');
    await webhookStore(store).append([event('3')]);
    const all = await Promise.all(['a', 'b', 'c', 'f'].map((id) => idsOf(store, id)));
    expect(all).toEqual([['1', '2'], ['1', '3'], ['2'], []]);
    expect(await webhookStore(store).find('a')).toMatchObject({
      enabled: false,
      disabledReason: 'tired',
      types: null,
    });
    await webhookStore(store).update('a', { types: ['face.erased'] });
    expect(await webhookStore(store).find('a')).toMatchObject({
      enabled: true,
      disabledReason: null,
      types: ['face.erased'],
      url: 'https://example.com/a',
    });
    await webhookStore(store).update('a', { url: 'https://example.com/b' });
    expect(await webhookStore(store).find('a')).toMatchObject({
      types: ['face.erased'],
      url: 'https://example.com/b',
    });
    expect(await webhookStore(store).find('b')).toMatchObject({ types: ['face.enrolled', 'face.verified'] });
    expect(Buffer.from((await webhookStore(store).find('b'))!.secret).toString()).toBe('secret b');
  });

  it('is written with the face, or not at all', async () => {
    const store = await open();
    const { id } = await newGallery(store, 'alice', { ...unlimited, faces: 1 });
    await add(store, 'a');
    const enrolled = { type: 'face.enrolled' } as const;
    await store.faces.put(
      id,
      { ...face('ani'), alongside: webhookStore(store).alongside(event('1', enrolled)) },
      false,
    );
    expect(
      await store.faces.put(
        id,
        { ...face('ani'), alongside: webhookStore(store).alongside(event('2', enrolled)) },
        false,
      ),
    ).toBe('exists');
    expect(
      await store.faces.put(
        id,
        { ...face('budi'), alongside: webhookStore(store).alongside(event('3', enrolled)) },
        false,
      ),
    ).toBe('quota');
    await store.faces.put(
      id,
      { ...face('ani'), alongside: webhookStore(store).alongside(event('4', enrolled)) },
      true,
    );
    expect(await idsOf(store, 'a')).toEqual(['1', '4']);
  });

  it('is written with the erasure of a face, with a failed session, or not at all', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await add(store, 'a');
    const erased = { type: 'face.erased' } as const;
    await store.faces.put(
      id,
      { ...face('ani'), alongside: webhookStore(store).alongside(event('1')) },
      false,
    );
    expect(
      await store.faces.remove(id, 'budi', { alongside: webhookStore(store).alongside(event('2', erased)) }),
    ).toBe(false);
    await store.faces.remove(id, 'ani', { alongside: webhookStore(store).alongside(event('3', erased)) });
    // Those before were erased with the person; this one tells it.
    expect(await idsOf(store, 'a')).toEqual(['3']);
    expect(await webhookStore(store).forget('alice', 'ani')).toBe(0);
    await store.sessions.markFailed(
      'alice',
      'any',
      webhookStore(store).alongside(event('4', { type: 'liveness.failed' })),
    );
    expect(await idsOf(store, 'a')).toEqual(['3', '4']);
  });

  it('takes several events at once, or none of them', async () => {
    const store = await open();
    await newGallery(store);
    await add(store, 'a');
    await webhookStore(store).append([event('1'), event('2')]);
    await expect(webhookStore(store).append([event('3'), event('4', { payload: '\0' })])).rejects.toThrow();
    expect(await idsOf(store, 'a')).toEqual(['1', '2']);
  });

  it('is bounded for each endpoint, and counts what it drops', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await add(store, 'a');
    for (const n of ['1', '2', '3', '4']) await webhookStore(store).append([event(n, { limit: 2 })]);
    await store.faces.put(
      id,
      { ...face('ani'), alongside: webhookStore(store).alongside(event('5', { limit: 2 })) },
      false,
    );
    expect(await idsOf(store, 'a')).toEqual(['1', '2']);
    expect((await webhookStore(store).find('a'))?.dropped).toBe(3);
    expect(await webhookStore(store).use()).toEqual({ pending: 2, dead: 0, oldest: now, dropped: 3 });
  });

  it('gives a delivery to one server until its lease ends', async () => {
    const store = await open();
    await newGallery(store);
    await add(store, 'a');
    for (const n of ['1', '2', '3']) await webhookStore(store).append([event(n)]);
    expect(await dueAt(store, now)).toEqual(['a']);
    expect(await dueAt(store, later(-1))).toEqual([]);
    const taken = await Promise.all([1, 2, 3, 4].map(() => webhookStore(store).lease('a', now, later(30))));
    expect(taken.flatMap((it) => it?.eventId ?? []).sort()).toEqual(['1', '2', '3']);
    expect(await dueAt(store, later(29))).toEqual([]);
    const again = await webhookStore(store).lease('a', later(30), later(60));
    expect(again?.eventId).toBe('1');
    // The first server comes too late.
    const late = taken.find((it) => it?.eventId === '1')!;
    await webhookStore(store).settle(late, later(31), null, 'late');
    expect((await webhookStore(store).deliveries('a', 'dead', 10)).length).toBe(0);
    await webhookStore(store).settle(again!, later(32), null, null);
    expect(
      (await webhookStore(store).deliveries('a', 'delivered', 10)).map(({ eventId }) => eventId),
    ).toEqual(['1']);
  });

  it.each([
    ['delivered', null],
    ['dead', 'answered 500'],
  ] as const)('names nobody once an event is %s', async (state, error) => {
    const store = await open();
    const webhooks = webhookStore(store);
    await newGallery(store);
    await add(store, 'a');
    await webhooks.append([event('1'), event('2', { type: 'face.erased' }), event('3')]);
    for (const _ of ['1', '2'])
      await webhooks.settle((await webhooks.lease('a', now, later(9)))!, now, null, error);
    const done = await webhooks.deliveries('a', state, 10);
    expect(done.map(({ eventId, payload }) => [eventId, payload])).toEqual([
      ['2', ''],
      ['1', ''],
    ]);
    const about = await webhooks.listOf('alice', 'ani');
    expect(about.map(({ eventId, payload }) => [eventId, payload])).toEqual([['3', '{"id":"3"}']]);
  });

  it('counts failures, gives up, and forgets what was written long ago', async () => {
    const store = await open();
    const webhooks = webhookStore(store);
    await newGallery(store);
    await add(store, 'a');
    await webhooks.append([event('1')]);
    await webhooks.settle((await webhooks.lease('a', now, later(9)))!, now, later(5), 'answered 500');
    expect(await webhooks.lease('a', later(4), later(9))).toBeNull();
    const second = await webhooks.lease('a', later(5), later(9));
    expect(second).toMatchObject({ attempts: 1, error: 'answered 500' });
    await webhooks.settle(second!, later(6), null, 'answered 503');
    expect(await webhooks.use()).toMatchObject({ pending: 0, dead: 1, oldest: null });
    // An endpoint that is disabled sends none of them.
    await webhooks.append([event('2'), event('3', { at: later(7) })]);
    await webhooks.prune(now);
    expect(await idsOf(store, 'a')).toEqual(['1', '2', '3']);
    await webhooks.prune(later(7));
    expect(await idsOf(store, 'a')).toEqual(['3']);
  });
});

describeStores('events of the outbox are erased', (open) => {
  it('with a person of the client, of any gallery or none', async () => {
    const store = await open();
    await newGallery(store);
    await add(store, 'a');
    for (const [id, galleryId] of [
      ['1', 'main'],
      ['2', 'nowhere'],
      ['3', null],
    ] as const)
      await webhookStore(store).append([event(id, { galleryId })]);
    await webhookStore(store).append([event('4', { userId: 'budi' })]);
    expect(await webhookStore(store).forget('bob', 'ani')).toBe(0);
    expect(await webhookStore(store).forget('alice', 'ani')).toBe(3);
    expect(await idsOf(store, 'a')).toEqual(['4']);
  });

  it('with the endpoint', async () => {
    const store = await open();
    await newGallery(store);
    await add(store, 'a');
    for (const userId of ['ani', null]) await webhookStore(store).append([event(String(userId), { userId })]);
    expect(await idsOf(store, 'a')).toHaveLength(2);
    expect(await webhookStore(store).remove('a')).toBe(true);
    expect(await webhookStore(store).remove('a')).toBe(false);
    expect(await idsOf(store, 'a')).toEqual([]);
  });
});
