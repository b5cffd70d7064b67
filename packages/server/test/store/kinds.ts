import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import type { Store } from '../../src/store/store.ts';
import { noPostgres, PostgresServer, startPgBouncer } from '../support/postgres.ts';
import { openStore } from '../support/store.ts';

/** A way to open a new empty store that closes when the test ends. */
export type OpenStore = () => Promise<Store>;

/** Runs a suite over every kind of store: each must keep the same promises. */
export function describeStores(name: string, suite: (open: OpenStore) => void): void {
  describe(`${name}: SQLite`, () => suite(async () => openStore()));
  describe.skipIf(noPostgres)(`${name}: PostgreSQL`, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await PostgresServer.start(['fsync=off']);
    });
    afterAll(() => server?.remove());
    suite(async () => opened(await server.database()));
  });
  describe.skipIf(noPostgres)(`${name}: PostgreSQL behind PgBouncer in transaction mode`, () => {
    let server: PostgresServer;
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      server = await PostgresServer.start(['fsync=off']);
      pooler = await startPgBouncer(server);
      if (!pooler) console.info('PgBouncer is not installed here: its tests use the server directly');
    });
    afterAll(() => {
      pooler?.stop();
      server?.remove();
    });
    suite(async () => {
      const url = await server.database();
      return opened(pooler?.url(url.split('/').at(-1) ?? '') ?? url);
    });
  });
}

async function opened(url: string): Promise<Store> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}
