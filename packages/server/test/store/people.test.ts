import { expect, it } from 'vitest';
import { dayMs } from '../../src/lib/time.ts';
import { noTerms } from '../../src/store/person-store.ts';
import type { Consent } from '../../src/store/ports/people.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { allFaces, face, newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const consent: Consent = {
  reference: 'form 12',
  purpose: 'entry',
  givenAt: new Date('2026-01-31T08:00:00Z'),
  until: null,
};
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

async function prepare(store: Store) {
  const { id } = await newGallery(store);
  for (const user of ['u', 'v', 'w']) await store.faces.put(id, face(user), false);
}

describeStores('terms of people', (open) => {
  const opened = async () => {
    const store = await open(prepare);
    return { store, id: (await store.galleries.get('alice', 'main'))!.id };
  };
  const idsOf = async (store: Store, id: number, since = 0) =>
    (await allFaces(store, id, since))?.faces.map(({ userId }) => userId);

  it('are written with a face or alone, a consent as a whole, and read one by one or by page', async () => {
    const { store, id } = await opened();
    const { people, faces } = store;
    expect(await people.get(id, 'u')).toEqual(noTerms);
    const expiresAt = inDays(3);
    await faces.put(id, { ...face('u'), terms: { consent, expiresAt } }, true);
    await faces.put(id, { ...face('u'), terms: {} }, true);
    expect(await people.get(id, 'u')).toEqual({ consent, expiresAt, suspendedAt: null });
    const next = { ...consent, reference: 'form 13', purpose: null, until: inDays(9) };
    expect(await people.update(id, 'u', { consent: next, expiresAt: null })).toBe(true);
    expect(await people.update(id, 'nobody', { consent })).toBe(false);
    expect(await people.list(id, 'a', 'v')).toEqual(
      new Map([['u', { consent: next, expiresAt: null, suspendedAt: null }]]),
    );
    await people.update(id, 'v', { consent });
    const count = { clientId: 'alice', galleryId: 'main', people: 1 };
    const counts = await people.purposes('alice');
    expect(counts).toHaveLength(2);
    expect(counts).toEqual(
      expect.arrayContaining([
        { ...count, purpose: 'entry' },
        { ...count, purpose: null },
      ]),
    );
    expect(await people.purposes('nobody')).toEqual([]);
    expect(await people.galleriesOf('alice', 'u')).toEqual(['main']);
  });

  it('of a suspended person keep the face from matching, and from being written', async () => {
    const { store, id } = await opened();
    const at = new Date();
    expect(await store.people.suspend(id, 'v', at)).toBe(4);
    expect(await store.people.suspend(id, 'v', at)).toBe('unchanged');
    expect(await store.people.suspend(id, 'nobody', at)).toBe(null);
    expect(await allFaces(store, id)).toMatchObject({ version: 4, total: 2 });
    expect(await idsOf(store, id)).toEqual(['u', 'w']);
    const slice = async (whose: 'suspended' | 'everybody') => {
      const { total, faces } = (await store.faces.slice(id, 0, 10, whose))!;
      return [total, ...faces.map(({ userId }) => userId)];
    };
    expect([await slice('suspended'), await slice('everybody')]).toEqual([
      [1, 'v'],
      [3, 'u', 'v', 'w'],
    ]);
    const listed = async (matched: boolean) =>
      (await store.faces.list(id, { matched })).map(({ userId }) => userId);
    expect([await listed(true), await listed(false)]).toEqual([
      ['u', 'w'],
      ['u', 'v', 'w'],
    ]);
    expect((await store.faces.get(id, 'v'))?.suspendedAt).toEqual(at);
    expect((await store.galleries.get('alice', 'main'))?.faces).toBe(3);
    expect(await store.faces.put(id, face('v'), true)).toBe('suspended');
    expect(await store.faces.put(id, { ...face('v'), renamed: true }, true)).toBe(5);
    expect(await store.people.suspend(id, 'v', null)).toBe(6);
    expect(await allFaces(store, id, 5)).toMatchObject({ version: 6, total: 3 });
    expect(await idsOf(store, id, 5)).toEqual(['v']);
    expect(await store.people.get(id, 'v')).toEqual(noTerms);
  });

  it('of a person who is resumed amid a migration of templates leave the face with those that are to be replaced', async () => {
    const { store, id } = await opened();
    await store.people.suspend(id, 'v', new Date());
    await store.reembedding.begin(id, 'c2');
    const pending = await store.reembedding.next(id, 'c2', 0, 1, false);
    const made = pending.map(({ userId, seq }) => ({ userId, seq, template: Buffer.from(`n ${userId}`) }));
    expect(await store.reembedding.replace(id, 'c2', made)).toBe(true);
    const [first] = made;
    const waiting = ['u', 'v', 'w'].filter((userId) => userId !== first!.userId);
    await store.people.suspend(id, 'v', null);
    await store.people.suspend(id, first!.userId, new Date());
    await store.people.suspend(id, first!.userId, null);
    const left = await store.reembedding.next(id, 'c2', 0, 9, false);
    expect(left.map(({ userId }) => userId).sort()).toEqual(waiting);
  });

  it('end with the own time, the time of the gallery or the consent, and only then they are erased', async () => {
    const { store, id } = await opened();
    const { people } = store;
    const due = async (until: Date, more = {}) =>
      (await people.expiring({ until, limit: 10, ...more })).map(({ userId }) => userId);
    expect(await due(inDays(1000))).toEqual([]);
    await store.galleries.updateSettings('alice', 'main', { retentionDays: 30 });
    await people.update(id, 'v', { expiresAt: inDays(5) });
    await people.update(id, 'w', { expiresAt: inDays(50), consent: { ...consent, until: inDays(7) } });
    expect(await people.enrolledBy(id, inDays(1))).toBe(1);
    expect(await people.enrolledBy(id, inDays(-1))).toBe(0);
    expect(await due(inDays(6))).toEqual(['v']);
    expect(await due(inDays(31))).toEqual(['v', 'w', 'u']);
    const [first] = await people.expiring({ until: inDays(31), limit: 1 });
    expect(await due(inDays(31), { after: first })).toEqual(['w', 'u']);
    expect(await due(inDays(31), { clientId: 'bob' })).toEqual([]);
    expect(await due(inDays(31), { clientId: 'alice', galleryId: 'main' })).toHaveLength(3);
    await people.update(id, 'w', { consent });
    expect(await due(inDays(31))).toEqual(['v', 'u']);
    await store.galleries.updateSettings('alice', 'main', { retentionDays: null });
    expect(await due(inDays(31))).toEqual(['v']);
    expect(await store.faces.remove(id, 'v', { expiredBy: inDays(4) })).toBe(false);
    expect(await store.faces.remove(id, 'u', { expiredBy: inDays(4) })).toBe(false);
    expect(await store.faces.remove(id, 'v', { expiredBy: inDays(6) })).toBe(4);
  });
});
