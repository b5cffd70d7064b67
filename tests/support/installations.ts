import { join } from 'node:path';
import type { Store } from '../../packages/server/src/store/ports/store.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite-store.ts';
import { noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { openDatabaseStore } from '../../packages/server/test/support/store.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import type { Settings } from './program.ts';

/** A data directory with its database, without a master key. */
export interface Installation {
  readonly settings: Settings & { readonly WAJAH_DATA_DIR: string };
  openStore(): Promise<Store>;
  /** A number that the database server knows of the database of this name; null: the store is a file. */
  readonly ask: ((sql: (name: string) => string) => Promise<number>) | null;
}

async function embedded(): Promise<Installation> {
  const directory = temporaryDirectory();
  const openStore = async () => openSqliteStore(join(directory, 'wajah.db'));
  return { settings: { WAJAH_DATA_DIR: directory }, openStore, ask: null };
}

async function shared(): Promise<Installation> {
  const server = await PostgresServer.shared();
  const url = await server.database();
  return {
    settings: { WAJAH_DATABASE_URL: url, WAJAH_DATA_DIR: temporaryDirectory() },
    openStore: () => openDatabaseStore(url),
    async ask(sql) {
      const [row] = await server.query<{ n: string }>(`SELECT (${sql(url.split('/').at(-1)!)}) AS n`);
      return Number(row?.n);
    },
  };
}

/** A new installation of each kind of store that this machine has. */
export const installations: readonly [kind: string, make: () => Promise<Installation>][] = [
  ['SQLite', embedded],
  ...(noPostgres ? [] : [['PostgreSQL', shared] as [string, typeof shared]]),
];
