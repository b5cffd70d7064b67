import { OperatorError } from '../../errors.ts';
import { createAuditStore } from '../audit-store.ts';
import { copyTimeoutMs } from '../copy.ts';
import { createMetaStore } from '../meta-store.ts';
import type { PostgresOptions } from '../options.ts';
import type { PostgresDatabase, PgSession as Session } from '../postgres/connection/database.ts';
import { migrate, schemaNumber } from '../postgres/migrate.ts';
import { openConnections } from '../postgres/open.ts';
import { migrations, newestSchema } from '../schema.ts';
import { copiedTables, localTables } from '../tables.ts';
import { requireKnownSchema } from '../upgrade.ts';
import type { BackupContent, BackupHead } from './backup-lines.ts';
import { loadBackup, type Restoring } from './load-backup.ts';

/**
 * Restores into a PostgreSQL database, in one transaction: it holds the backup as a whole, or what it held before.
 * @throws OperatorError when servers are connected, when it holds clients and `force` is not set, or when its schema is
 *   newer than that of the backup
 */
export async function restorePostgres(
  options: PostgresOptions,
  head: BackupHead,
  { lines, force, requireMeta, progress, record }: Restoring,
): Promise<BackupContent> {
  const { db } = openConnections({ ...options, connections: 1 });
  try {
    await prepareSchema(db, head);
    const content = await db.transaction(
      async (session) => {
        await requireNoServers(session);
        await empty(session, force);
        return loadBackup(lines(), async () => session, requireMeta, progress);
      },
      { timeoutMs: copyTimeoutMs },
    );
    await migrate(db);
    await record({ meta: createMetaStore(db), audit: createAuditStore(db) });
    return content;
  } finally {
    await db.close();
  }
}

/** Creates the schema that the backup was written with, in an empty database. */
async function prepareSchema(db: PostgresDatabase, { store, schema }: BackupHead): Promise<void> {
  if (store === 'postgres') requireKnownSchema('postgres', schema, null);
  const newest = newestSchema('postgres');
  const wanted = store === 'postgres' ? Math.min(schema, newest) : newest;
  const found = await schemaNumber(db);
  if (found > wanted) {
    throw new OperatorError(
      `the database has schema ${found}, the backup has ${wanted}: restore it into a new, empty database`,
    );
  }
  await migrate(
    db,
    migrations.postgres.filter(({ number }) => number <= wanted),
  );
}

async function requireNoServers(session: Session): Promise<void> {
  const row = await session.get<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'wajah' AND pid <> pg_backend_pid()`,
  );
  const count = row?.count ?? 0;
  if (count === 0) return;
  throw new OperatorError(
    `${count} ${count === 1 ? 'connection' : 'connections'} of servers or commands use the database; stop them first`,
  );
}

async function empty(session: Session, force: boolean): Promise<void> {
  const row = await session.get<{ count: number }>('SELECT count(*) AS count FROM clients');
  const count = row?.count ?? 0;
  if (count > 0 && !force) {
    throw new OperatorError(
      `the database holds ${count} ${count === 1 ? 'client' : 'clients'}; add --force to replace everything in it`,
    );
  }
  const tables = await session.all<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  const ours = [...copiedTables.map(({ name }) => name), ...localTables];
  const present = new Set(tables.map(({ name }) => name));
  await session.script(
    `TRUNCATE ${ours.filter((name) => present.has(name)).join(', ')} RESTART IDENTITY CASCADE`,
  );
}
