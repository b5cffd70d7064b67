import { type DatabaseTarget, parseDatabaseUrl } from '../../config/database-url.ts';
import type { PostgresOptions } from '../options.ts';
import { PostgresDatabase, type PgSession as Session } from '../postgres/connection/database.ts';
import { toStoreError } from '../postgres/connection/failures.ts';
import { migratedBy, migrations, schemaNumber } from '../postgres/migrate.ts';
import { type MigrationPlan, planSteps } from './plan.ts';

/**
 * Reads which migrations the next start would run on a database. Rows are the planner's estimates: counting would read
 * whole tables.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function planPostgresMigration({ url, timeoutMs }: PostgresOptions): Promise<MigrationPlan> {
  const target: DatabaseTarget = parseDatabaseUrl('WAJAH_DATABASE_URL', url);
  const db = new PostgresDatabase(target, { connections: 1, timeoutMs: timeoutMs ?? 10_000, readOnly: true });
  try {
    const schema = await schemaNumber(db);
    const steps = await planSteps(schema, migrations, (table) => estimateRows(db, table));
    const by = schema > 0 ? await migratedBy(db) : null;
    return { store: 'postgres', schema, newestSchema: migrations.length, migratedBy: by, ...steps };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await db.close();
  }
}

/** Of a table that was never analysed, the rows are counted: it is new or small. */
async function estimateRows(db: Session, table: string): Promise<number | null> {
  const found = await db.get<{ rows: number }>(
    `SELECT sum(greatest(reltuples, -1))::bigint AS rows FROM pg_class
      WHERE relkind = 'r' AND (oid = to_regclass($1)
        OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1))) HAVING count(*) > 0`,
    table,
  );
  if (!found) return null;
  if (found.rows > 0) return found.rows;
  return (await db.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`))?.rows ?? 0;
}
