import type { Config } from '../config/config.ts';
import { databaseFile, requireInstallation, takeDataDirectory } from '../store/data-directory.ts';
import type { Store } from '../store/ports/store.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';

/**
 * The store of an installation for one command, whose writes are in `Store.alone`.
 * @throws OperatorError when another process uses the data directory, or the database cannot be used
 */
export async function withOwnStore<T>(
  { dataDir, database }: Pick<Config, 'dataDir' | 'database'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (database) {
    const { openPostgresStore } = await import('../store/postgres-store.ts');
    const store = await openPostgresStore(database);
    return work(store).finally(() => store.close());
  }
  requireInstallation(dataDir);
  const directory = await takeDataDirectory(dataDir);
  try {
    const store = openSqliteStore(databaseFile(dataDir));
    return await work(store).finally(() => store.close());
  } finally {
    directory.release();
  }
}
