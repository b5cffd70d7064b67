import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../src/config/database-url.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import { PostgresDatabase } from '../../src/store/database/postgres.ts';
import { migrations } from '../../src/store/database/schema.ts';
import type { PostgresOptions } from '../../src/store/database/session.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { openPostgresStore } from '../../src/store/postgres-store.ts';
import { noPostgres, PostgresServer } from '../support/postgres.ts';
import { allFaces, face, newGallery, unlimited } from '../support/store.ts';
import { atEnd } from '../support/temporary.ts';

async function open(options: PostgresOptions): Promise<Store> {
  // What is to succeed may wait for other programs; a server that is gone refuses at once.
  const store = await openPostgresStore({ timeoutMs: 30_000, ...options });
  atEnd(() => store.close());
  return store;
}

/** Opens a store with a short timeout, which a stall of the machine exceeds. */
async function openDespiteStalls(options: PostgresOptions): Promise<Store> {
  for (;;) {
    const store = await open(options).catch(() => null);
    if (store) return store;
  }
}

/** What several writers did while something went wrong. */
interface Writing {
  readonly acknowledged: Set<string>;
  /** It is unknown whether these were written. */
  readonly unknown: Set<string>;
  /** Errors other than "unavailable": there must be none. */
  readonly wrong: unknown[];
  stop(): Promise<void>;
}

/** Enrols and takes hits concurrently until stopped. */
function write(store: Store, gallery: number, clientId: string, writers = 6): Writing {
  const acknowledged = new Set<string>();
  const unknown = new Set<string>();
  const wrong: unknown[] = [];
  let writing = true;
  const work = async (writer: number) => {
    for (let i = 0; writing; i++) {
      const userId = `${writer}-${i}`;
      try {
        await store.clients.takeHits(clientId);
        const seq = await store.faces.put(gallery, face(userId), false);
        if (typeof seq === 'number') acknowledged.add(userId);
        else wrong.push(seq);
      } catch (error) {
        unknown.add(userId);
        if (!(error instanceof StoreUnavailable)) wrong.push(error);
        await delay(20);
      }
    }
  };
  const done = Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
  const stop = async () => {
    writing = false;
    await done;
  };
  return { acknowledged, unknown, wrong, stop };
}

const until = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(condition, { interval: 10 }).toBe(true);

/** Every acknowledged write is stored, nothing else is, and all counters match the rows. */
async function expectWhole(store: Store, gallery: number, writing: Writing): Promise<void> {
  expect(writing.wrong).toEqual([]);
  const snapshot = await allFaces(store, gallery);
  const stored = new Set(snapshot?.faces.map(({ userId }) => userId));
  expect([...writing.acknowledged].filter((userId) => !stored.has(userId))).toEqual([]);
  const sent = [...stored].filter((id) => !writing.acknowledged.has(id) && !writing.unknown.has(id));
  expect(sent).toEqual([]);
  expect(snapshot).toMatchObject({ total: stored.size, version: stored.size });
  expect(new Set(snapshot?.faces.map(({ seq }) => seq)).size).toBe(stored.size);
  expect((await store.clients.get('alice'))?.used.faces).toBe(stored.size);
}

/** Six write, connections are lost, and they go on writing. */
async function expectWholeAfter(url: string, lose: (writing: Writing) => unknown): Promise<void> {
  const store = await open({ url });
  const { id } = await newGallery(store);
  const writing = write(store, id, 'alice');
  await until(() => writing.acknowledged.size > 50);
  await lose(writing);
  const before = writing.acknowledged.size;
  await until(() => writing.acknowledged.size > before + 50);
  await writing.stop();
  expect(writing.unknown.size).toBeGreaterThan(0);
  await expectWhole(store, id, writing);
}

describe.skipIf(noPostgres)('the database connection is lost', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });

  async function endConnections(url: string): Promise<void> {
    const name = url.split('/').at(-1);
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  }

  /** How writers lose their connections; they get others, and each write is there once or was refused. */
  const losses: Readonly<Record<string, (writing: Writing, url: string) => unknown>> = {
    'as it is restarted': () => server.restart('fast'),
    'as it crashes': () => server.restart('immediate'),
    'one after the other, repeatedly': async ({ acknowledged }, url) => {
      for (let round = 0; round < 5; round++) {
        await until(() => acknowledged.size > 50 + round * 20);
        await endConnections(url);
      }
    },
  };

  it.each(Object.entries(losses))('and returns during enrolments: %s', async (_, lose) => {
    const url = await server.database();
    await expectWholeAfter(url, (writing) => lose(writing, url));
  });

  it('for long: calls fail as unavailable, and succeed again afterwards', async () => {
    const store = await open({ url: await server.database() });
    const { id } = await newGallery(store);
    server.stop();
    try {
      await expect(store.ping()).rejects.toThrow(StoreUnavailable);
      await expect(store.galleries.get('alice', 'main')).rejects.toThrow(StoreUnavailable);
      await expect(store.faces.put(id, face('u'), false)).rejects.toThrow(StoreUnavailable);
      await expect(store.limits.increment('k', 1, 1000)).rejects.toThrow(StoreUnavailable);
    } finally {
      server.start();
    }
    await store.ping();
    expect(await store.faces.put(id, face('u'), false)).toBe(1);
  });

  it('for writes only: ping fails until writes are accepted again', async () => {
    const url = await server.database();
    const name = url.split('/').at(-1);
    const store = await open({ url });
    const { id } = await newGallery(store);
    const setReadOnly = async (value: 'on' | 'off') => {
      await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await endConnections(url);
    };
    await setReadOnly('on');
    const said = () =>
      store.ping().then(
        () => 'ready',
        (error: Error) => error.message,
      );
    await until(async () => (await said()) === 'the database takes no writes');
    expect((await store.galleries.get('alice', 'main'))?.id).toBe(id);
    const enrolled = store.faces.put(id, face('u'), false);
    await expect(enrolled).rejects.toThrow('the database takes no writes (25006)');
    await setReadOnly('off');
    await until(async () => (await said()) === 'ready');
    expect(await store.faces.put(id, face('u'), false)).toBe(1);
    expect(await server.query("SELECT key FROM meta WHERE key = 'write_probe'", name)).toEqual([]);
  });

  it('for writes on the first of two servers: several refused writes lead to the second one', async () => {
    const other = await PostgresServer.start(['fsync=off']);
    for (const each of [server, other]) await each.query('CREATE DATABASE two_hosts');
    await server.query('ALTER DATABASE two_hosts SET default_transaction_read_only = on');
    const url = server.url('two_hosts').replace(/(:\d+)\//, `$1,127.0.0.1:${other.port}/`);
    const db = new PostgresDatabase(parseDatabaseUrl('URL', url), { connections: 2, timeoutMs: 30_000 });
    const writes = ['a', 'b'].map((table) => db.run(`CREATE TABLE ${table} (i int)`));
    for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected');
    await db.run('CREATE TABLE c (i int)');
    await db.close();
    const tables = "SELECT 1 FROM pg_tables WHERE tablename = 'c'";
    expect(await other.query(tables, 'two_hosts')).toHaveLength(1);
  });

  it('or is too slow: a statement times out, and its connection is closed', async () => {
    const url = await server.database();
    const patient = await open({ url });
    const { id } = await newGallery(patient);
    const store = await openDespiteStalls({ url, timeoutMs: 1000, connections: 2 });
    const db = new PostgresDatabase(parseDatabaseUrl('URL', url), { connections: 1, timeoutMs: 120_000 });
    await db.transaction(async (session) => {
      await session.run('LOCK TABLE galleries');
      const tries = Array.from({ length: 5 }, (_, i) => store.faces.put(id, face(`u${i}`), false));
      for (const answer of await Promise.allSettled(tries)) {
        expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      }
    });
    await db.close();
    const enrol = () => store.faces.put(id, face('u'), true).catch(() => null);
    await expect.poll(enrol).toEqual(expect.any(Number));
    expect(await allFaces(patient, id)).toMatchObject({ total: 1 });
  });

  it('or its backends are frozen: their calls fail, and other connections serve', async () => {
    const url = await server.database();
    // Longer than the machine may stall: calls of connections that are not frozen must not fail.
    const store = await open({ url, timeoutMs: 8000, connections: 2 });
    const { id } = await newGallery(store);
    const backends = `SELECT pid FROM pg_stat_activity WHERE datname = '${url.split('/').at(-1)}'`;
    const frozen = await server.query<{ pid: number }>(backends);
    for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
    try {
      await expect(store.faces.put(id, face('u0'), false)).rejects.toThrow(StoreUnavailable);
      const enrol = () => store.faces.put(id, face('u1'), true).catch(() => null);
      await expect.poll(enrol).toEqual(expect.any(Number));
    } finally {
      for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
    }
    expect(frozen.length).toBeGreaterThan(0);
  });
});

describe.skipIf(noPostgres)('servers that start at once', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off']);
  });

  it('migrate an empty database once', async () => {
    const url = await server.database();
    const opened = await Promise.all(Array.from({ length: 5 }, () => open({ url, connections: 2 })));
    const made = await Promise.all(
      opened.map((store) => store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited })),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    const steps = await server.query('SELECT number FROM wajah_migrations', url.split('/').at(-1));
    expect(steps).toHaveLength(migrations.postgres.length);
  });

  it('refuse a database of another program, of an older or newer version, or a missing one', async () => {
    const foreign = await server.database();
    await server.query('CREATE TABLE songs (title text)', foreign.split('/').at(-1));
    await expect(open({ url: foreign })).rejects.toThrow(/tables of another program/);
    const newer = await server.database();
    await open({ url: newer });
    await server.query("INSERT INTO wajah_migrations VALUES (99, 'x', 0)", newer.split('/').at(-1));
    await expect(open({ url: newer })).rejects.toThrow(/schema 99.*newer/);
    await expect(open({ url: server.url('nowhere') })).rejects.toThrow(/there is no such database/);
    await expect(open({ url: server.url('x', 1) })).rejects.toThrow(/nothing listens there/);
  });
});

describe.skipIf(noPostgres)('a standby', () => {
  it('takes over when the primary is lost, without loss of acknowledged writes', async () => {
    const primary = await PostgresServer.start(['wal_level=replica']);
    const standby = await primary.standby();
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query('SELECT pg_reload_conf()');
    const synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    await until(async () => (await primary.query(synchronous)).length > 0);
    await primary.query('CREATE DATABASE shared');
    const url = primary.url('shared').replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`);
    await expectWholeAfter(url, async ({ unknown }) => {
      primary.stop('immediate');
      await until(() => unknown.size > 5);
      standby.promote();
    });
  });
});
