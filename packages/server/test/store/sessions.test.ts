import { describe, expect, it } from 'vitest';
import type { LivenessSessionRecord, SubmittedFrame } from '../../src/store/session-store.ts';
import type { Store } from '../../src/store/store.ts';
import { unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

function session(id: string, clientId = 'a'): LivenessSessionRecord {
  return {
    id,
    clientId,
    steps: ['face front', 'face left', 'face front'],
    lights: id === 'one' ? null : [0, 7, 3, 4, 1, 6],
    nonce: `nonce of ${id}`,
    galleryId: null,
    userId: null,
    subject: null,
    createdAt: now,
    expiresAt: later(60),
  };
}

function frame(text: string, perceptualHash: string | null = text): SubmittedFrame {
  return {
    digest: Buffer.from(text),
    perceptualHash: perceptualHash === null ? null : Buffer.from(perceptualHash),
  };
}

const texts = (frames: readonly SubmittedFrame[]) =>
  frames.map(({ digest }) => Buffer.from(digest).toString());

async function withClients(store: Store): Promise<Store> {
  for (const clientId of ['a', 'b']) {
    await store.clients.create({ clientId, passwordHash: null, quota: unlimited });
    await store.clients.register(clientId, now);
  }
  return store;
}

describeStores('sessions of a store', (open) => {
  describe('a session', () => {
    it('is claimed once, by its client, before it expires; and can be released', async () => {
      const { sessions } = await withClients(await open());
      await sessions.create(session('s'));
      expect(await sessions.claim('b', 's', now)).toBe('unknown');
      expect(await sessions.claim('a', 'other', now)).toBe('unknown');
      expect(await sessions.claim('a', 's', later(60))).toBe('expired');
      const claims = await Promise.all(Array.from({ length: 8 }, () => sessions.claim('a', 's', later(1))));
      expect(claims.filter((claim) => claim === 'judged')).toHaveLength(7);
      expect(claims.find((claim) => typeof claim === 'object')).toEqual(session('s'));
      await sessions.release('b', 's');
      expect(await sessions.claim('a', 's', later(2))).toBe('judged');
      await sessions.release('a', 's');
      expect(await sessions.claim('a', 's', later(2))).toEqual(session('s'));
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

    it('shows what became of them, the newest first', async () => {
      const { sessions } = await withClients(await open());
      for (const [i, id] of ['failed', 'passed', 'open'].entries())
        await sessions.create({ ...session(id), subject, createdAt: later(i) });
      for (const id of ['failed', 'passed']) await sessions.claim('a', id, later(5));
      await sessions.markFailed('b', 'passed');
      await sessions.markFailed('a', 'failed');
      await sessions.storeTemplate('a', 'passed', Buffer.from('sealed'), later(300));
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
    it('of other sessions of the client are returned, from a given time on', async () => {
      const { sessions } = await withClients(await open());
      expect(await sessions.recordFrames('a', 's1', [frame('one'), frame('two', null)], now)).toEqual([]);
      expect(await sessions.recordFrames('a', 's1', [], now)).toEqual([]);
      expect(await sessions.recordFrames('b', 's2', [], now)).toEqual([]);
      const earlier = await sessions.recordFrames('a', 's3', [frame('one')], now);
      expect(texts(earlier).sort()).toEqual(['one', 'two']);
      expect(earlier.find(({ perceptualHash }) => perceptualHash === null)).toBeDefined();
      expect(await sessions.recordFrames('a', 's4', [], later(3600))).toEqual([]);
    });

    it('recorded concurrently are returned to all sessions but one', async () => {
      const { sessions } = await withClients(await open());
      const names = Array.from({ length: 6 }, (_, i) => `s${i}`);
      const seen = await Promise.all(
        names.map((name) => sessions.recordFrames('a', name, [frame('x')], now)),
      );
      expect(seen.map(({ length }) => length).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    });
  });

  describe('a template', () => {
    const template = Buffer.from('sealed');

    it('is consumed once, by its client, before it expires', async () => {
      const { sessions } = await withClients(await open());
      await sessions.create(session('s'));
      expect(await sessions.consumeTemplate('a', 's', now)).toBeNull();
      await sessions.storeTemplate('a', 's', template, later(300));
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
    await sessions.storeTemplate('a', 's', Buffer.from('sealed'), later(300));
    await sessions.recordFrames('a', 's', [frame('one')], now);

    await sessions.prune(later(299), { sessions: later(3600), frames: later(-60) });
    expect(Buffer.from((await sessions.consumeTemplate('a', 's', later(1)))!).toString()).toBe('sealed');
    await sessions.storeTemplate('a', 's', Buffer.from('sealed'), later(300));
    await sessions.prune(later(300), { sessions: now, frames: later(-60) });
    expect(await sessions.consumeTemplate('a', 's', now)).toBeNull();
    expect(await sessions.claim('a', 's', now)).toEqual(session('s'));
    expect(await sessions.recordFrames('a', 'other', [], now)).toHaveLength(1);

    await sessions.prune(later(300), { sessions: later(61), frames: later(60) });
    expect(await sessions.claim('a', 's', now)).toBe('unknown');
    expect(await sessions.recordFrames('a', 'other', [], later(-60))).toEqual([]);
  });

  it('are erased with their client, also when it is unregistered', async () => {
    const store = await withClients(await open());
    for (const end of [() => store.clients.unregister('a'), () => store.clients.remove('a')]) {
      await store.sessions.create(session('s'));
      await store.sessions.recordFrames('a', 's', [frame('one')], now);
      await end();
      expect(await store.sessions.claim('a', 's', now)).toBe('unknown');
    }
    await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
    expect(await store.sessions.recordFrames('a', 'other', [], later(-60))).toEqual([]);
  });

  it('a gallery may require liveness', async () => {
    const { galleries } = await withClients(await open());
    const key = () => Buffer.alloc(1);
    expect(await galleries.create('a', 'plain', key)).toMatchObject({ requireLiveness: false });
    expect(await galleries.create('a', 'strict', key, true)).toMatchObject({ requireLiveness: true });
    await galleries.updateSettings('a', 'strict', { threshold: 0.7 });
    expect(await galleries.get('a', 'strict')).toMatchObject({ requireLiveness: true, threshold: 0.7 });
    await galleries.updateSettings('a', 'strict', { requireLiveness: false });
    expect(await galleries.get('a', 'strict')).toMatchObject({ requireLiveness: false, threshold: 0.7 });
  });
});
