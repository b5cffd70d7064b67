import { existsSync } from 'node:fs';
import { OperatorError } from '../../errors.ts';
import { copyTimeoutMs } from '../copy.ts';
import type { PostgresOptions } from '../options.ts';
import { requireKnown as requireKnownPostgres, schemaNumber } from '../postgres/migrate.ts';
import { openConnections } from '../postgres/open.ts';
import type { Session } from '../session.ts';
import { SqliteDatabase } from '../sqlite/connection/database.ts';
import { requireKnown as requireKnownSqlite, schemaNumber as sqliteSchema } from '../sqlite/migrate.ts';

/** Reads a database in one moment. */
export type SnapshotWork<T> = (snapshot: Session, schema: number) => Promise<T>;

/**
 * Reads the embedded database in one read transaction on a connection of its own: what others write meanwhile is not
 * seen, and they do not wait.
 * @throws OperatorError when there is no database, or a newer version has written it
 */
export async function withSqliteSnapshot<T>(file: string, work: SnapshotWork<T>): Promise<T> {
  if (!existsSync(file)) throw new OperatorError(`${file} does not exist: there is nothing to back up`);
  const db = new SqliteDatabase(file, undefined, true);
  try {
    db.script('BEGIN');
    // A newer version may have tables that this one does not know.
    requireKnownSqlite(db);
    return await work(db.shared, sqliteSchema(db));
  } finally {
    db.close();
  }
}

/** Reads a PostgreSQL database in one transaction at REPEATABLE READ: all rows are of one moment. */
export async function withPostgresSnapshot<T>(options: PostgresOptions, work: SnapshotWork<T>): Promise<T> {
  const { db } = openConnections({ ...options, connections: 1 });
  let begun = false;
  try {
    return await db.transaction(
      async (session) => {
        // The file is written meanwhile: a second attempt would write it twice.
        if (begun) throw new OperatorError('the connection to the database broke; back up again');
        begun = true;
        await session.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
        const schema = await schemaNumber(session);
        if (schema === 0) throw new OperatorError('the database is empty: there is nothing to back up');
        await requireKnownPostgres(session);
        return work(session, schema);
      },
      { timeoutMs: copyTimeoutMs },
    );
  } finally {
    await db.close();
  }
}
