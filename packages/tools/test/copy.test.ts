import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tables } from '../../server/src/store/database/tables.ts';
import type { Store } from '../../server/src/store/ports.ts';
import { openPostgresDatabase, openPostgresStore } from '../../server/src/store/postgres-store.ts';
import { openSqliteDatabase, openSqliteStore } from '../../server/src/store/sqlite-store.ts';
import { auditEntry, chain } from '../../server/test/support/audit.ts';
import { newDatabase, noPostgres } from '../../server/test/support/postgres.ts';
import { allFaces, face, newGallery, storeNext } from '../../server/test/support/store.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { type CopyEnd, copyStore, unhurried } from '../src/store/copy.ts';

/** Tables that each store creates for itself: schema history and counters of the last minutes. */
const ownTables = ['migrations', 'wajah_migrations', 'limits', 'sqlite_sequence'];

/** A place for a store: opened to be used, or to be copied. */
interface Place {
  store(): Promise<Store>;
  end(): Promise<CopyEnd & { close(): Promise<void> }>;
}

function sqlite(): Place {
  const file = join(temporaryDirectory(), 'wajah.db');
  return {
    store: async () => openSqliteStore(file),
    end: async () => {
      const db = openSqliteDatabase(file);
      return closing({ db: db.shared, name: 'the file', close: () => db.flushAndClose() });
    },
  };
}

async function postgres(): Promise<Place> {
  const url = await newDatabase();
  return {
    store: () => openPostgresStore({ url }),
    end: async () => {
      const db = await openPostgresDatabase({ url });
      return closing({ db: unhurried(db), name: 'the database', close: () => db.close() });
    },
  };
}

function closing<End extends { close(): Promise<void> }>(end: End): End {
  onTestFinished(() => end.close());
  return end;
}

const faces = 1300;

/** Everything a store can hold, with what is erased in between. */
async function fill(place: Place): Promise<void> {
  const store = await place.store();
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
  await store.activity.addScores([{ gallery: id, day: 0, comparison: 'verify', bin: 50, count: 3 }]);
  await store.galleries.storeCohort(id, { version: 9, people: 10, sealed: Buffer.from('cohort') });
  const crop = Buffer.alloc(3000, 'crop');
  for (const name of ['ü8', 'ü9']) await store.faces.put(id, { ...face(name), crop }, true);
  await store.templateMigration.begin(id, 'c2');
  const [waiting] = await store.templateMigration.nextPending(id, 'c2', 0, 1);
  await storeNext(store, id, 'c2', [{ ...waiting!, template: Buffer.from('next') }]);
  await store.faces.put(id, face('ü7', 'neu'), true);
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
  const of = { clientId: 'alice', seconds: 60, start: 0, route: '/a', status: '200' };
  const counts = [{}, { latency: 1 }, { start: 60_000 }, { route: '/b' }, { status: '412' }];
  const refused = { clientId: 'alice', route: '/a', status: '412', trxId: 't', galleryId: 'main', ms: 3 };
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
  await store.activity.add(
    counts.map((other, i) => ({ ...of, latency: 0, count: i + 1, ...other })),
    [seen, { ...seen, trxId: 'u' }],
  );
}

async function countsOf(store: Store) {
  const all = [];
  const range = { seconds: 60, from: 0, bucketMs: 60_000, buckets: 2 };
  for await (const rows of store.activity.series('alice', range)) all.push(...rows);
  return all.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

/** What callers see of it. */
async function contents(place: Place) {
  const store = await place.store();
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
    waiting: await store.templateMigration.countPending(galleries[0]!.id, 'c2'),
    token: await store.tokens.find('d1'),
    revoked: (await store.tokens.jwtState('j', 'acme')).revoked,
    different: await store.differentPeople.isMarked(galleries[0]!.id, ['ü7', 'ü6']),
    scores: await store.activity.scoresOf(galleries[0]!.id, new Date(0)),
    check: await store.meta.get('master_key_check'),
    copying: await store.meta.get('copying'),
    audit: (await store.audit.list({ limit: 10 })).map(({ link, ...record }) => ({
      ...record,
      salt: plain(link!.salt!),
      hash: plain(link!.hash),
      seal: plain(link!.seal),
    })),
    head: plain((await store.audit.ends()).head.seal),
    counts: await countsOf(store),
    refused: await (await store.activity.refusedCalls('alice', { limit: 10 })).map(({ call }) => call),
  };
  await store.close();
  return seen;
}

describe.skipIf(noPostgres)('copying a store', () => {
  it.each(['there', 'back'])('copies everything %s', async (way) => {
    const [source, target] = way === 'there' ? [sqlite(), await postgres()] : [await postgres(), sqlite()];
    await fill(source);
    const reported: [string, number, number][] = [];
    const from = await source.end();
    const to = await target.end();
    const counts = await copyStore(from, to, (...now) => reported.push(now));
    expect(counts).toMatchObject({
      clients: 2,
      galleries: 2,
      gallery_keys: 2,
      gallery_cohorts: 1,
      faces: faces - 1,
      face_crops: 2,
      next_templates: 1,
      different_people: 1,
      gallery_scores: 1,
      meta: 1,
      audit: 3,
    });
    expect(reported.at(-1)).toEqual(['verify', reported[0]![2], reported[0]![2]]);
    expect(reported.filter(([stage]) => stage === 'copy').at(-1)?.[1]).toBe(reported[0]![2]);
    await Promise.all([from.close(), to.close()]);

    const copy = await contents(target);
    expect(copy).toEqual(await contents(source));
    expect(copy.faces[0]).toHaveLength(faces - 1);
    expect(copy.crops).toEqual([Buffer.alloc(3000, 'crop').toString('hex')]);
    expect(copy.waiting).toBe(faces - 2);
    expect(copy.different).toBe(true);
    expect(copy.scores).toEqual([{ comparison: 'verify', bin: 50, count: 3 }]);
    expect(copy.copying).toBeNull();
    // Gallery numbers are bound into what is sealed: that of the erased gallery must not come again.
    const [one, other] = [await source.store(), await target.store()];
    const next = async (store: Store) => store.galleries.create('alice', 'next', () => Buffer.alloc(1));
    const numbers = [await next(one), await next(other)].map((made) =>
      typeof made === 'string' ? made : made.id,
    );
    expect(numbers).toEqual([4, 4]);
    await Promise.all([one.close(), other.close()]);
  });

  it('resumes an interrupted copy from the same source only', async () => {
    const [source, target] = [sqlite(), await postgres()];
    await fill(source);
    const from = await source.end();
    const to = await target.end();
    const stop = (stage: string, rows: number) => {
      if (rows > 600) throw new Error('cut off');
      expect(stage).toBe('copy');
    };
    await expect(copyStore(from, to, stop)).rejects.toThrow('cut off');
    const before = await to.db.get<{ count: number }>('SELECT count(*) AS count FROM faces');
    expect(before?.count).toBeGreaterThan(0);
    expect(before?.count).toBeLessThan(faces - 1);
    await expect(copyStore({ ...from, name: 'another' }, to)).rejects.toThrow(/part of a copy of the file/);
    expect(await copyStore(from, to)).toMatchObject({ faces: faces - 1 });
    await expect(copyStore(from, to)).rejects.toThrow(/has clients already/);
  });

  it('fails when the stores differ at the end', async () => {
    const [source, target] = [sqlite(), await postgres()];
    await fill(source);
    const from = await source.end();
    const to = await target.end();
    const cut = (stage: string) => {
      if (stage === 'verify') throw new Error('cut off');
    };
    await expect(copyStore(from, to, cut)).rejects.toThrow('cut off');
    await to.db.run("UPDATE faces SET user_name = 'other' WHERE user_id = $1", 'ü9');
    await expect(copyStore(from, to)).rejects.toThrow(/faces: the file has 1299 rows.*the database has 1299/);
  });

  it('copies every table and column of both', async () => {
    const named: string[] = [...tables.map(({ name }) => name), ...ownTables];
    const ends = [await sqlite().end(), await (await postgres()).end()];
    const namesOf = async ({ db }: CopyEnd, sql: string) =>
      (await db.all<{ name: string }>(sql)).map(({ name }) => name);
    for (const end of ends) {
      const names = await namesOf(end, end.db.dialect.tables);
      expect(names.filter((name) => !named.includes(name))).toEqual([]);
    }
    for (const { name, omit } of tables) {
      const [one, other] = await Promise.all(ends.map((end) => namesOf(end, end.db.dialect.columns(name))));
      const kept = (columns: string[] = []) => columns.filter((column) => !omit?.includes(column)).sort();
      expect(kept(one), name).toEqual(kept(other));
    }
  });
});
