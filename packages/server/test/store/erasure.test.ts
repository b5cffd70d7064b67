import { expect, it } from 'vitest';
import type { Session } from '../../src/store/database/session.ts';
import { tables } from '../../src/store/database/tables.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { derivedColumns, galleryColumns } from '../../src/store/sealed-store.ts';
import { activityStore } from '../support/activity.ts';
import { addExpected } from '../support/expected-rows.ts';
import { addApp, addState } from '../support/openid-rows.ts';
import { face, newGallery, withConnection } from '../support/store.ts';
import { addUnknown } from '../support/unknown-rows.ts';
import { webhookStore } from '../support/webhooks.ts';
import { describeStores } from './kinds.ts';

const at = new Date(1_700_000_000_000);
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

const tablesOf = async (db: Session) =>
  (await db.all<{ name: string }>(db.dialect.tables)).map(({ name }) => name);

/** Tables with rows that name somebody in a column. */
function tablesNaming(store: Store, name: string): Promise<string[]> {
  return withConnection(store, async (db) => {
    const found: string[] = [];
    for (const table of await tablesOf(db)) {
      const rows = await db.all<object>(`SELECT * FROM ${table}`);
      if (rows.some((row) => Object.values(row).includes(name))) found.push(table);
    }
    return found.sort();
  });
}

/** Everything that the store can hold of a person. */
async function fill(store: Store, gallery: number, userId: string): Promise<void> {
  const owner = { clientId: 'alice', galleryId: 'main', userId };
  const session = { id: `session of ${userId}`, ...owner };
  const more = { steps: ['front'], nonce: 'n', subject: null, createdAt: at, expiresAt: at };
  await store.sessions.create({ ...session, ...more });
  await store.frames.record(session, { frames: 1, shapes: bytes('d') }, at);
  const call = {
    at: new Date(),
    route: 'r',
    status: '400',
    error: null,
    params: null,
    detail: null,
    trxId: 't',
  };
  await activityStore(store).add([], [{ ...call, ...owner, similarity: null, spoofScore: null }]);
  const told = { id: `event of ${userId}`, type: 'face.verified', at, payload: '{}', limit: 10 } as const;
  await webhookStore(store).append([{ ...told, ...owner }]);
  await addState(store, { id: `sign-in of ${userId}`, app: 'app', ...owner });
  await store.subjects.add(gallery, userId);
  await store.people.update(gallery, userId, { expiresAt: at });
}

/** A gallery with a person of whom every table has rows, and one bystander. */
async function filled(store: Store): Promise<number> {
  const { id } = await newGallery(store);
  const endpoint = { id: 'w', clientId: 'alice', url: 'https://example.com', types: null };
  await webhookStore(store).add({ ...endpoint, secret: bytes('s'), createdAt: at }, 1);
  await addApp(store, { id: 'app', clientId: 'alice', galleryId: 'main', secret: bytes('s') });
  for (const userId of ['bystander', 'somebody']) {
    // Whoever has a face gets no link.
    await addExpected(store, id, userId);
    const picture = { id: `picture of ${userId}`, place: 0 };
    await store.faces.put(id, { ...face(userId), crop: bytes('crop'), picture }, false);
  }
  for (const userId of ['bystander', 'somebody']) await fill(store, id, userId);
  await store.differentPeople.mark(id, ['somebody', 'bystander']);
  return id;
}

const personTables = tables.flatMap(({ name, person }) => (person ? [name] : [])).sort();

describeStores('a person who is gone', (open) => {
  const versionOf = async (store: Store) => (await store.galleries.get('alice', 'main'))!.version;
  const rewritten = { ...face('another'), crops: [], pictures: ['of another'] };
  const ways: Record<string, (store: Store, id: number) => Promise<unknown>> = {
    'erased by name': (store, id) => store.faces.remove(id, 'somebody'),
    expired: (store, id) => store.faces.remove(id, 'somebody', { expiredBy: new Date() }),
    'without pictures': async (store, id) =>
      store.faces.rewrite(id, { remove: 'somebody' }, await versionOf(store)),
    renamed: async (store, id) =>
      store.faces.rewrite(id, { remove: 'somebody', face: rewritten }, await versionOf(store)),
    async 'left out of a migration of templates'(store, id) {
      await store.reembedding.begin(id, 'c2');
      const pending = await store.reembedding.next(id, 'c2', 0, 9, false);
      const made = pending.map((one) => ({
        ...one,
        template: one.userId === 'somebody' ? null : bytes('new'),
      }));
      expect(await store.reembedding.replace(id, 'c2', made)).toBe(true);
    },
  };

  it.each(Object.keys(ways))('leaves no row in any table, and others keep theirs: %s', async (way) => {
    const store = await open();
    const id = await filled(store);
    const before = await tablesNaming(store, 'bystander');
    expect([await tablesNaming(store, 'somebody'), before]).toEqual([personTables, personTables]);
    expect(await ways[way]!(store, id)).not.toBe(false);
    expect(await tablesNaming(store, 'somebody')).toEqual([]);
    expect((await store.pictures.page(id, { offset: 0, limit: 9 })).map(({ userId }) => userId)).toEqual(
      way === 'renamed' ? ['another', 'bystander'] : ['bystander'],
    );
    // The marked pair is gone with either of the two; of next templates a switch makes templates.
    const kept = before.filter(
      (table) =>
        table !== 'different_people' &&
        (way !== 'dropped by a template switch' || table !== 'next_templates'),
    );
    expect(await tablesNaming(store, 'bystander')).toEqual(kept);
  });

  /** Owners whose tables lose the rows of alice and her gallery. */
  const owners = {
    gallery: ['gallery'],
    unregister: ['gallery', 'client'],
    client: ['gallery', 'client', 'account'],
  } as const;

  /** Tables of these owners with rows of alice or of her gallery. */
  function tablesOfAlice(store: Store, gallery: number, of: readonly unknown[]): Promise<string[]> {
    const conditions = { gallery, client_id: "'alice'" };
    return withConnection(store, async (db) => {
      const found: string[] = [];
      for (const { name } of tables.filter(({ owner }) => of.includes(owner))) {
        const columns = (await db.all<{ name: string }>(db.dialect.columns(name))).map((one) => one.name);
        const [column, value] = Object.entries(conditions).find(([one]) => columns.includes(one))!;
        const rows = await db.all<object>(`SELECT * FROM ${name} WHERE ${column} = ${value}`);
        if (rows.length > 0) found.push(name);
      }
      return found;
    });
  }

  it.each(Object.keys(owners) as (keyof typeof owners)[])(
    'leaves no row of anybody or anything with the %s, and none is written afterwards',
    async (way) => {
      const store = await open();
      const id = await filled(store);
      const bob = await newGallery(store, 'bob');
      await store.faces.put(bob.id, face('of bob'), false);
      await store.galleries.storeCohort(id, { version: 9, people: 10, sealed: bytes('cohort') });
      const score = { gallery: id, day: 0, comparison: 'verify', bin: 50, count: 1 } as const;
      await store.scores.add([score]);
      await addUnknown(store, { id, clientId: 'alice', galleryId: 'main' });
      const token = { id: 't', clientId: 'alice', name: 'n', scopes: [], createdAt: at, expiresAt: null };
      await store.tokens.add({ ...token, digest: 'd' });
      const of = { clientId: 'alice', route: '/a', status: '200' };
      await activityStore(store).add([{ ...of, day: 0, count: 1 }], []);
      expect(await store.clients.takeHits('alice')).not.toBeNull();
      const known = tables.filter(({ owner }) => owners[way].includes(owner as 'gallery'));
      expect(await tablesOfAlice(store, id, owners[way])).toEqual(known.map(({ name }) => name));
      if (way === 'gallery') expect(await store.galleries.remove('alice', 'main')).toBe(true);
      if (way === 'unregister') await store.clients.unregister('alice');
      if (way === 'client') expect(await store.clients.remove('alice')).toBe(true);
      expect(await store.faces.put(id, face('late'), false)).toBe('gone');
      await store.scores.add([score, { ...score, gallery: id + 1000 }]);
      expect(await store.scores.of(id + 1000, new Date(0))).toEqual([]);
      expect(await tablesOfAlice(store, id, owners[way])).toEqual([]);
      for (const name of ['somebody', 'bystander']) expect(await tablesNaming(store, name)).toEqual([]);
      const client = await store.clients.get('alice');
      // Used calls belong to the account, which is not deleted.
      expect(client?.used).toEqual(way === 'client' ? undefined : { faces: 0, galleries: 0, hits: 1 });
      expect(client?.registeredAt ?? null).toEqual(way === 'gallery' ? expect.any(Date) : null);
      expect(await store.faces.list(bob.id)).toHaveLength(1);
      expect((await store.clients.get('bob'))?.used).toEqual({ hits: 0, faces: 1, galleries: 1 });
    },
  );

  it('is known to every table: a new one has a row in the registry, with its columns', async () => {
    const store = await open();
    await withConnection(store, async (db) => {
      const there = (await tablesOf(db)).filter((name) => !/^(sqlite_|(wajah_)?migrations$)/.test(name));
      const known = tables.filter(({ name }) => name !== 'limits').map(({ name }) => name);
      expect(there.filter((name) => name !== 'limits').sort()).toEqual(known.sort());
      for (const { name, key, owner, person, sealed, link, atOnce = null } of tables.filter((one) =>
        there.includes(one.name),
      )) {
        const columns = (await db.all<{ name: string }>(db.dialect.columns(name))).map((one) => one.name);
        const named = columns.filter((column) => /^user_(id|a|b)$/.test(column));
        expect([name, named]).toEqual([name, [...(person ?? [])]]);
        expect([name, columns]).toEqual([
          name,
          expect.arrayContaining([...key, ...(sealed ?? []), ...(link ? [link] : [])]),
        ]);
        if (owner === 'gallery') expect([name, columns]).toEqual([name, expect.arrayContaining(['gallery'])]);
        if (columns.includes('client_id')) expect([name, owner]).not.toEqual([name, 'gallery']);
        // What names a gallery would be of another one that is created under that name.
        if (columns.includes('gallery_id') && name !== 'galleries')
          expect([name, person ?? atOnce]).not.toEqual([name, null]);
      }
    });
  });
});

it('no sealed column is forgotten when keys are rotated', () => {
  const sealed = tables.flatMap(({ name, sealed: columns = [] }) => columns.map((one) => `${name}.${one}`));
  const rotated = Object.values({ ...galleryColumns, ...derivedColumns }).map(
    ({ table, column }) => `${table}.${column}`,
  );
  // What sessions keep expires within minutes; a rotation waits for it.
  const ofSessions = ['liveness_sessions.frame', 'liveness_sessions.template'];
  expect([...rotated, ...ofSessions].sort()).toEqual(sealed.sort());
});
