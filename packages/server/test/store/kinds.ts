import { beforeAll, describe, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/ports/store.ts';
import { noPgBouncer, noPostgres, PostgresServer, startPgBouncer } from '../support/postgres.ts';
import { openDatabaseStore, openPreparedStore, openStore, remember } from '../support/store.ts';

/** Writes what several tests begin with. It runs once for each kind of store; each test gets a copy. */
export type Prepare = (store: Store) => Promise<unknown>;

/** Opens a new store that closes when the test ends; default: an empty one. */
export type OpenStore = (prepare?: Prepare) => Promise<Store>;

/** Runs a suite over every kind of store: each must keep the same promises. */
export function describeStores(name: string, suite: (open: OpenStore) => void): void {
  describe(`${name}: SQLite`, () =>
    suite(async (prepare) => (prepare ? openPreparedStore(prepare) : openStore())));
  describe.skipIf(noPostgres)(`${name}: PostgreSQL`, () => {
    suite(async (prepare) => opened(await databaseOf(prepare)));
  });
  describe.skipIf(noPgBouncer)(`${name}: PostgreSQL behind PgBouncer in transaction mode`, () => {
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      pooler = await startPgBouncer(await PostgresServer.shared());
    });
    suite(async (prepare) => {
      return opened(pooler.url(nameOf(await databaseOf(prepare))));
    });
  });
}

/** Databases to copy: migrated, and prepared. */
const templates = new Map<Prepare, Promise<string>>();
const onlyMigrated: Prepare = async () => {};

/** @returns URL of a copy */
async function databaseOf(prepare: Prepare = onlyMigrated): Promise<string> {
  const server = await PostgresServer.shared();
  const template = templates.get(prepare) ?? prepared(server, prepare);
  templates.set(prepare, template);
  return server.database(await template);
}

async function prepared(server: PostgresServer, prepare: Prepare): Promise<string> {
  const url = await server.database();
  const store = await openDatabaseStore(url);
  await prepare(store);
  await store.close();
  return nameOf(url);
}

function nameOf(url: string): string {
  return url.split('/').at(-1) ?? '';
}

async function opened(url: string): Promise<Store> {
  const store = await openDatabaseStore(url);
  remember(store, url);
  onTestFinished(() => store.close());
  return store;
}
