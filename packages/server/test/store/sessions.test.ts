import { describe, expect, it } from 'vitest';
import type { FramesRecord, LivenessSessionRecord } from '../../src/store/ports/sessions.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

function session(id: string, clientId = 'a'): LivenessSessionRecord {
  return {
    id,
    clientId,
    steps: ['face front', 'face left', 'face front'],
    waits: null,
    secret: null,
    redirectUrl: null,
    keepFrame: null,
    minFace: null,
    nonce: `nonce of ${id}`,
    galleryId: null,
    userId: null,
    subject: null,
    createdAt: now,
    expiresAt: later(60),
  };
}

function framesOf(text: string, frames = 1): FramesRecord {
  return { frames, shapes: Buffer.from(text) };
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** What is remembered of all sessions. */
async function rememberedOf({ frames }: Store): Promise<string[]> {
  return (await frames.list(0, 100)).map(({ shapes }) => textOf(shapes));
}

async function withClients(store: Store): Promise<Store> {
  for (const clientId of ['a', 'b']) {
    await store.clients.create({ clientId, passwordHash: null, quota: unlimited });
    await store.clients.register(clientId, now);
  }
  return store;
}

describeStores('sessions of a store', (open) => {
  describe('a session', () => {
    it('is erased with the user that it names, or with the gallery', async () => {
      const { sessions } = await withClients(await open());
      const of = (id: string, galleryId: string, userId: string, clientId = 'a') =>
        sessions.create({ ...session(id, clientId), galleryId, userId });
      await of('u of g', 'g', 'u');
      await of('v of g', 'g', 'v');
      await of('u of h', 'h', 'u');
      await of('u of another client', 'g', 'u', 'b');
      await sessions.eraseOf({ clientId: 'a', galleryId: 'g', userId: 'u' });
      expect(await sessions.claim('a', 'u of g', now)).toBe('unknown');
      expect(await sessions.claim('a', 'v of g', now)).toMatchObject({ userId: 'v' });
      await sessions.eraseOf({ clientId: 'a', galleryId: 'g' });
      expect(await sessions.claim('a', 'v of g', now)).toBe('unknown');
      expect(await sessions.claim('a', 'u of h', now)).toMatchObject({ userId: 'u' });
      expect(await sessions.claim('b', 'u of another client', now)).toMatchObject({ userId: 'u' });
    });

    it('is claimed once, by its client, before it expires; and can be released', async () => {
      const { sessions } = await withClients(await open());
      await sessions.create(session('s'));
      expect(await sessions.claim('b', 's', now)).toBe('unknown');
      expect(await sessions.claim('a', 'other', now)).toBe('unknown');
      expect(await sessions.claim('a', 's', later(60))).toBe('expired');
      const claims = await Promise.all(Array.from({ length: 8 }, () => sessions.claim('a', 's', later(1))));
      expect(claims.filter((claim) => claim === 'judged')).toHaveLength(7);
      expect(claims.find((claim) => typeof claim === 'object')).toMatchObject(session('s'));
      await sessions.release('b', 's');
      expect(await sessions.claim('a', 's', later(2))).toBe('judged');
      await sessions.release('a', 's');
      expect(await sessions.claim('a', 's', later(2))).toMatchObject(session('s'));
    });
  });

  describe('opening a session', () => {
    const subject = Buffer.alloc(32, 1);
    const history = { clientId: 'a', subject, since: later(-600), limit: 3 };

    it('decides from the earlier ones of its subject, one call after the other', async () => {
      const { sessions } = await withClients(await open());
      const others = { ...session('x'), subject: Buffer.alloc(32, 2) };
      for (const other of [others, session('y'), { ...session('z', 'b'), subject }])
        await sessions.create(other);
      const seen = await Promise.all(
        Array.from({ length: 5 }, (_, i) =>
          sessions.open(history, (earlier) => ({
            ids: earlier.map(({ id }) => id),
            create: { ...session(`s${i}`), subject, createdAt: later(i) },
          })),
        ),
      );
      expect(seen.map(({ ids }) => ids.length).sort()).toEqual([0, 1, 2, 3, 3]);
      const none = await sessions.open({ ...history, since: later(60) }, ({ length }) => ({ length }));
      expect(none).toEqual({ length: 0 });
      const { ids } = await sessions.open({ ...history, subject: null }, (earlier) => ({
        ids: earlier.map(({ id }) => id),
      }));
      expect(ids).toEqual(['y']);
    });

    it('that waits, or begins after it, ends the others of its subject, which are claimed no more', async () => {
      const { sessions } = await withClients(await open());
      const waits = { steps: 2 };
      const waiting = (id: string) => ({ ...session(id), subject, steps: [], waits });
      const create = (one: LivenessSessionRecord) => sessions.open(history, () => ({ create: one }));
      await create({ ...session('begun'), subject });
      await create({ ...session('judging'), subject });
      await sessions.claim('a', 'judging', now);
      await Promise.all(['w1', 'w2', 'w3'].map((id) => create(waiting(id))));
      const states = await Promise.all(['w1', 'w2', 'w3'].map((id) => sessions.find('a', id, now)));
      expect(states.filter((state) => state === 'ended')).toHaveLength(2);
      const last = states.find((state) => typeof state === 'object')!;
      expect(await sessions.claim('a', 'begun', now)).toBe('ended');
      const seen = () => sessions.open(history, (earlier) => ({ ids: earlier.map(({ id }) => id).sort() }));
      expect(await seen()).toEqual({ ids: ['begun', 'judging'] });

      const begins = { ...history, begins: last.id };
      const { own } = await sessions.open(begins, (_, found) => ({
        own: found?.id,
        begin: { ...session(last.id), subject },
      }));
      expect(own).toBe(last.id);
      // What had begun counts.
      expect(await seen()).toEqual({ ids: ['begun', 'judging', last.id].sort() });
      await sessions.release('a', 'judging');
      expect(await sessions.claim('a', 'judging', now)).toBe('ended');
      expect(await sessions.claim('a', last.id, now)).toMatchObject({ id: last.id });
    });

    it('shows what became of them, the newest first', async () => {
      const { sessions } = await withClients(await open());
      for (const [i, id] of ['failed', 'passed', 'open'].entries())
        await sessions.create({ ...session(id), subject, createdAt: later(i) });
      for (const id of ['failed', 'passed']) await sessions.claim('a', id, later(5));
      await sessions.markFailed('b', 'passed');
      await sessions.markFailed('a', 'failed');
      await sessions.storeTemplate('a', 'passed', { template: Buffer.from('sealed'), until: later(300) });
      const { found } = await sessions.open(history, (earlier) => ({ found: earlier }));
      expect(found.map(({ id, claimedAt, passed }) => [id, claimedAt, passed])).toEqual([
        ['open', null, null],
        ['passed', later(5), true],
        ['failed', later(5), false],
      ]);
      expect(Buffer.from(found[0]!.subject!)).toEqual(subject);
    });
  });

  describe('frames', () => {
    it('of all clients are read in the order of their ids', async () => {
      const { frames } = await withClients(await open());
      const first = await frames.record(session('s1'), framesOf('one', 3), now);
      const second = await frames.record(session('s2', 'b'), framesOf('two'), later(1));
      expect(second).toBeGreaterThan(first);
      const all = await frames.list(0, 10);
      expect(all.map(({ shapes, ...row }) => ({ ...row, shapes: textOf(shapes) }))).toEqual([
        { id: first, sessionId: 's1', sentAt: now, frames: 3, shapes: 'one' },
        { id: second, sessionId: 's2', sentAt: later(1), frames: 1, shapes: 'two' },
      ]);
      expect(await frames.list(0, 1)).toEqual([all[0]]);
      expect(await frames.list(first, 10)).toEqual([all[1]]);
      expect(await frames.extent(first)).toEqual({ count: 1, sum: first });
      expect(await frames.ids(second)).toEqual([first, second]);
      // Those of an earlier try stay.
      await frames.forget({ ...session('s1'), createdAt: later(1) });
      expect(await frames.ids(second)).toEqual([first, second]);
      await frames.forget(session('s1'));
      expect(await frames.extent(second)).toEqual({ count: 1, sum: second });
      expect(await frames.extent(first)).toEqual({ count: 0, sum: 0 });
    });

    it('recorded concurrently are visible in the order of their ids', async () => {
      const store = await withClients(await open());
      const { frames } = store;
      const seen = await Promise.all(
        Array.from({ length: 6 }, async (_, i) => {
          const id = await frames.record(session(`s${i}`), framesOf('x'), now);
          const earlier = await frames.list(0, 100);
          return earlier.filter((other) => other.id < id).length;
        }),
      );
      expect(seen.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it('are erased with their session, user, gallery or client', async () => {
      const store = await withClients(await open());
      const { frames } = store;
      const of = (id: string, clientId: string, galleryId: string | null, userId: string | null) =>
        frames.record({ ...session(id, clientId), galleryId, userId }, framesOf(id, 2), now);
      await of('s1', 'a', 'g', 'u');
      await of('s2', 'a', 'g', 'v');
      await of('s3', 'b', 'g', 'u');
      await of('s4', 'a', null, null);
      await of('s5', 'a', 'h', 'u');
      expect(await frames.countOf({ clientId: 'a', userId: 'u' })).toBe(4);
      expect(await frames.forgetUser({ clientId: 'a', galleryId: 'g', userId: 'u' })).toBe(2);
      expect(await rememberedOf(store)).toEqual(['s2', 's3', 's4', 's5']);
      await frames.forgetUser({ clientId: 'a', galleryId: 'g' });
      expect(await rememberedOf(store)).toEqual(['s3', 's4', 's5']);
      await frames.forget(session('s4', 'b'));
      await frames.forget(session('s4'));
      expect(await rememberedOf(store)).toEqual(['s3', 's5']);
      await store.clients.unregister('a');
      expect(await rememberedOf(store)).toEqual(['s3']);
      await store.clients.remove('b');
      expect(await rememberedOf(store)).toEqual([]);
    });
  });

  describe('a template', () => {
    const template = Buffer.from('sealed');

    it('is consumed once, by its client, before it expires', async () => {
      const { sessions } = await withClients(await open());
      await sessions.create(session('s'));
      expect(await sessions.consumeTemplate('a', 's', now)).toBeNull();
      await sessions.storeTemplate('a', 's', { template, until: later(300) });
      expect(await sessions.consumeTemplate('b', 's', now)).toBeNull();
      expect(await sessions.consumeTemplate('a', 's', later(300))).toBeNull();
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => sessions.consumeTemplate('a', 's', later(1))),
      );
      expect(taken.filter((one) => one !== null).map((one) => Buffer.from(one).toString())).toEqual([
        'sealed',
      ]);
    });
  });

  it('prune expired data', async () => {
    const store = await withClients(await open());
    const { sessions } = store;
    await sessions.create(session('s'));
    await sessions.storeTemplate('a', 's', { template: Buffer.from('sealed'), until: later(300) });
    await store.frames.record(session('s'), framesOf('one'), now);

    await sessions.prune(later(299), { sessions: later(3600), frames: later(-60) });
    expect(Buffer.from((await sessions.consumeTemplate('a', 's', later(1)))!).toString()).toBe('sealed');
    await sessions.storeTemplate('a', 's', { template: Buffer.from('sealed'), until: later(300) });
    await sessions.prune(later(300), { sessions: now, frames: later(-60) });
    expect(await sessions.consumeTemplate('a', 's', now)).toBeNull();
    expect(await sessions.claim('a', 's', now)).toMatchObject(session('s'));
    expect(await rememberedOf(store)).toEqual(['one']);

    await sessions.prune(later(300), { sessions: later(61), frames: later(60) });
    expect(await sessions.claim('a', 's', now)).toBe('unknown');
    expect(await rememberedOf(store)).toEqual([]);
  });
});
