import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../server/src/config/config.ts';
import { createLogger } from '../../server/src/server/logger.ts';
import type { Session } from '../../server/src/store/database/session.ts';
import { SqliteDatabase } from '../../server/src/store/database/sqlite.ts';
import { tables } from '../../server/src/store/database/tables.ts';
import type { Store } from '../../server/src/store/ports/store.ts';
import { openSqliteStore } from '../../server/src/store/sqlite-store.ts';
import { activityStore } from '../../server/test/support/activity.ts';
import { auditEntry, chain } from '../../server/test/support/audit.ts';
import { newDatabase, noPostgres } from '../../server/test/support/postgres.ts';
import {
  allFaces,
  face,
  newGallery,
  openDatabaseStore,
  remember,
  withConnection,
} from '../../server/test/support/store.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { migrate } from '../src/backup.ts';

/** Tables that each store creates for itself: schema history and counters of the last minutes. */
const ownTables = ['migrations', 'wajah_migrations', 'limits', 'sqlite_sequence'];

/** A data directory, or the URL of a database. */
type Place = string;

async function storeOf(place: Place): Promise<Store> {
  const isDatabase = place.startsWith('postgres');
  const file = join(place, 'wajah.db');
  const store = isDatabase ? await openDatabaseStore(place) : openSqliteStore(file);
  remember(store, isDatabase ? place : file);
  return store;
}

type Progress = Parameters<typeof migrate>[3];

const copy = (source: Place, target: Place, progress: Progress = () => undefined) =>
  migrate(loadConfig({ WAJAH_DATA_DIR: temporaryDirectory() }), source, target, progress);

const faces = 1300;

/** Everything a store can hold, with what is erased in between. */
async function fill(place: Place): Promise<void> {
  const store = await storeOf(place);
  const gone = await store.galleries.create('nobody', 'x', () => Buffer.alloc(1));
  expect(gone).toBe('quota');
  const { id } = await newGallery(store);
  await newGallery(store, 'bob');
  await store.galleries.create('alice', 'erased', () => Buffer.alloc(3));
  await store.galleries.remove('alice', 'erased');
  await store.galleries.updateSettings('alice', 'main', { threshold: 0.123456789012345, curve: '{"a":1}' });
  for (let i = 0; i < faces; i += 50) {
    const names = Array.from({ length: Math.min(50, faces - i) }, (_, k) => `ü${i + k}`);
    await Promise.all(names.map((name) => store.faces.put(id, face(name), false)));
  }
  await store.faces.remove(id, 'ü5');
  await store.differentPeople.mark(id, ['ü6', 'ü7']);
  await store.scores.add([{ gallery: id, day: 0, comparison: 'verify', bin: 50, count: 3 }]);
  await store.galleries.storeCohort(id, { version: 9, people: 10, sealed: Buffer.from('cohort') });
  const crop = Buffer.alloc(3000, 'crop');
  for (const name of ['ü8', 'ü9']) await store.faces.put(id, { ...face(name), crop }, true);
  await store.faces.put(id, face('ü7', 'neu'), true);
  await store.reembedding.begin(id, 'c2');
  const pending = await store.reembedding.next(id, 'c2', 0, 1, false);
  await store.reembedding.replace(id, 'c2', pending);
  const token = { clientId: 'alice', name: 'n', createdAt: new Date(1000), expiresAt: null };
  await store.tokens.add({ ...token, id: '1', digest: 'd1', scopes: ['read'] });
  await store.clients.setOperator('alice', true);
  const change = { at: new Date(Date.now() + 5000), revoke: 'access' } as const;
  await store.clients.setPassword('alice', 'h2', change);
  await called(store);
  await store.tokens.revokeJwt('j', new Date(Date.now() + 60_000));
  await store.meta.setIfAbsent('master_key_check', 'abc');
  await store.meta.setIfAbsent('signing_key', 'its own');
  await store.clients.takeHits('alice');
  const recorded = [0, 1, 2].map((i) => auditEntry({ clientId: 'alice', facts: { i } }));
  await store.audit.append(recorded, chain);
  await store.close();
}

/** Counts that differ in one part of their key each, and two refused calls. */
async function called(store: Store): Promise<void> {
  const of = { clientId: 'alice', day: 0, route: '/a', status: '200' };
  const counts = [{}, { day: 86_400_000 }, { route: '/b' }, { status: '412' }];
  const refused = { clientId: 'alice', route: '/a', status: '412', trxId: 't', galleryId: 'main' };
  const at = new Date(Date.now() + 1000);
  const seen = {
    ...refused,
    at,
    userId: 'ü7',
    error: 'x',
    params: { field: 'ü' },
    detail: 'ü',
    similarity: 0.123456789012345,
    spoofScore: null,
  };
  await activityStore(store).add(
    counts.map((other, i) => ({ ...of, count: i + 1, ...other })),
    [seen, { ...seen, trxId: 'u' }],
  );
}

async function countsOf(store: Store) {
  const calls = activityStore(store);
  const days = { from: new Date(0), to: new Date() };
  return [await calls.countsByDay('alice', days), await calls.countsByRoute('alice', days)];
}

/** What callers see of it. */
async function contents(place: Place) {
  const store = await storeOf(place);
  const clients = await store.clients.list();
  const galleries = (await Promise.all(clients.map(({ clientId }) => store.galleries.list(clientId)))).flat();
  const snapshots = await Promise.all(galleries.map(({ id }) => allFaces(store, id)));
  const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const seen = {
    clients,
    galleries: galleries.map(({ cohort, ...gallery }) => ({
      ...gallery,
      wrappedKey: plain(gallery.wrappedKey),
      cohort: cohort && { ...cohort, sealed: plain(cohort.sealed) },
    })),
    faces: snapshots.map((s) => s?.faces.map((f) => ({ ...f, template: plain(f.template) }))),
    crops: (await store.crops.get(galleries[0]!.id, 'ü8')).map(plain),
    pending: await store.reembedding.countPending(galleries[0]!.id, 'c2'),
    token: await store.tokens.find('d1'),
    revoked: (await store.tokens.jwtState('j', 'acme')).revoked,
    different: await store.differentPeople.isMarked(galleries[0]!.id, ['ü7', 'ü6']),
    scores: await store.scores.of(galleries[0]!.id, new Date(0)),
    check: await store.meta.get('master_key_check'),
    audit: (await store.audit.list({ limit: 10 })).map(({ link, ...record }) => ({
      ...record,
      salt: plain(link!.salt!),
      hash: plain(link!.hash),
      seal: plain(link!.seal),
    })),
    head: plain((await store.audit.ends()).head.seal),
    counts: await countsOf(store),
    refused: (await activityStore(store).refusedCalls('alice', { limit: 10 })).map(({ call }) => call),
  };
  await store.close();
  return seen;
}

describe.skipIf(noPostgres)('copying a store', () => {
  it.each(['there', 'back'])('copies everything %s', async (way) => {
    const places = [temporaryDirectory(), await newDatabase()] as const;
    const [source, target] = way === 'there' ? places : places.toReversed();
    await fill(source!);
    const reported: [string, number, number][] = [];
    const counts = await copy(source!, target!, (...now) => reported.push(now));
    expect(counts).toMatchObject({
      clients: 2,
      galleries: 2,
      gallery_keys: 2,
      gallery_cohorts: 1,
      faces: faces - 1,
      face_crops: 2,
      different_people: 1,
      gallery_scores: 1,
      meta: 1,
      audit: 3,
    });
    const total = Object.values(counts).reduce((sum, rows) => sum + rows, 0);
    expect(reported.at(-1)).toEqual(['verify', total, total]);
    expect(reported.filter(([stage]) => stage === 'copy').at(-1)).toEqual(['copy', total, total]);

    const copied = await contents(target!);
    expect(copied).toEqual(await contents(source!));
    expect(copied.faces[0]).toHaveLength(faces - 1);
    expect(copied.crops).toEqual([Buffer.alloc(3000, 'crop').toString('hex')]);
    expect(copied.pending).toBe(faces - 2);
    expect(copied.different).toBe(true);
    expect(copied.scores).toEqual([{ comparison: 'verify', bin: 50, count: 3 }]);
    // Gallery numbers are bound into what is sealed: that of the erased gallery must not come again.
    const next = async (place: Place) => {
      const store = await storeOf(place);
      const made = await store.galleries.create('alice', 'next', () => Buffer.alloc(1));
      await store.close();
      return typeof made === 'string' ? made : made.id;
    };
    expect([await next(source!), await next(target!)]).toEqual([4, 4]);
    await expect(copy(source!, target!)).rejects.toThrow(/holds 2 clients; name an empty store/);
  });

  it.each(['there', 'back'])('copies nothing %s when it is interrupted, and everything then', async (way) => {
    const places = [temporaryDirectory(), await newDatabase()] as const;
    const [source, target] = way === 'there' ? places : places.toReversed();
    await fill(source!);
    const stop = (stage: string, rows: number) => {
      if (rows > 600) throw new Error('cut off');
      expect(stage).toBe('copy');
    };
    await expect(copy(source!, target!, stop)).rejects.toThrow('cut off');
    const store = await storeOf(target!);
    expect(await store.clients.list()).toEqual([]);
    await store.close();
    expect(await copy(source!, target!)).toMatchObject({ faces: faces - 1 });
  });

  it('fails when what was written is changed, and leaves nothing', async () => {
    const [source, target] = [await newDatabase(), temporaryDirectory()];
    await fill(source);
    const change = (stage: string, rows: number, total: number) => {
      if (stage !== 'copy' || rows < total) return;
      const draft = new SqliteDatabase(join(target, 'wajah.db.restoring'));
      draft.run("UPDATE faces SET user_name = 'other' WHERE user_id = 'ü9'");
      draft.close();
    };
    await expect(copy(source, target, change)).rejects.toThrow(/^faces: the rows that were written differ/);
    expect(readdirSync(target).filter((name) => name.startsWith('wajah.db'))).toEqual([]);
  });

  it('copies from no database that a server uses', async () => {
    const source = await newDatabase();
    const store = await openDatabaseStore(source);
    await store.meta.set('master_key_check', '');
    const lease = await store.takeLease('', createLogger('silent'));
    await expect(copy(source, temporaryDirectory())).rejects.toThrow(/1 server or command uses the database/);
    await lease.end();
    await store.close();
  });

  it('copies every table and column of both', async () => {
    const named: string[] = [...tables.map(({ name }) => name), ...ownTables];
    const stores = [await storeOf(temporaryDirectory()), await storeOf(await newDatabase())];
    const namesOf = (store: Store, sqlOf: (dialect: Session['dialect']) => string) =>
      withConnection(store, async (db) =>
        (await db.all<{ name: string }>(sqlOf(db.dialect))).map(({ name }) => name),
      );
    for (const store of stores) {
      const names = await namesOf(store, (dialect) => dialect.tables);
      expect(names.filter((name) => !named.includes(name))).toEqual([]);
    }
    for (const { name, omit } of tables) {
      const columns = stores.map((store) => namesOf(store, (dialect) => dialect.columns(name)));
      const [one, other] = await Promise.all(columns);
      const kept = (all: string[] = []) => all.filter((column) => !omit?.includes(column)).sort();
      expect(kept(one), name).toEqual(kept(other));
    }
    await Promise.all(stores.map((store) => store.close()));
  });
});
