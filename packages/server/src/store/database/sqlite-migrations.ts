import { OperatorError } from '../../errors.ts';
import { version } from '../../version.ts';
import { type Migration, migrations, newestSchema } from './schema.ts';
import { sqlite } from './session.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { localMetaKeys } from './tables.ts';
import { countedSchema, emptiedText, type MigrationPlan, planSteps, requireKnownSchema } from './upgrade.ts';

/**
 * Brings the database to the newest schema, each step in a transaction of its own together with its record.
 * @throws OperatorError when the file is another program's, or written by a newer version of this one
 */
export function migrate(db: SqliteDatabase, steps: readonly Migration[] = migrations.sqlite): void {
  const foreign = foreignTables(db);
  if (foreign !== null) throw new OperatorError(foreign);
  db.script(`CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`);
  requireKnown(db);
  const from = schemaNumber(db);
  for (const step of steps.filter((candidate) => candidate.number > from)) apply(db, step);
}

/** @throws OperatorError when a newer version of this program has written the database, or one of before its first */
export function requireKnown(db: SqliteDatabase): void {
  requireKnownSchema(schemaNumber(db), migratedBy(db));
}

/** @returns 0 where there is none */
export function schemaNumber(db: SqliteDatabase): number {
  if (!hasTable(db, 'migrations')) return 0;
  const done = db.get<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM migrations');
  return countedSchema(done?.number ?? 0, db.all(sqlite.columns('liveness_sessions')));
}

/** @returns the version of the program that last migrated the database; null: not recorded */
export const migratedBy = (db: SqliteDatabase): string | null => metaValue(db, localMetaKeys.migratedBy);

/** @returns a stored value; null: there is none, or no table of them */
export function metaValue(db: SqliteDatabase, key: string): string | null {
  if (!hasTable(db, 'meta')) return null;
  return db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value ?? null;
}

function hasTable(db: SqliteDatabase, name: string): boolean {
  return db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) !== undefined;
}

function apply(db: SqliteDatabase, step: Migration): void {
  db.transaction(() => {
    db.script(step.sql);
    db.run('INSERT INTO migrations VALUES (?, ?, ?)', step.number, step.name, Date.now());
    // For the message of a program that does not know this schema.
    if (hasTable(db, 'meta'))
      db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', localMetaKeys.migratedBy, version);
  });
}

/** Why the tables of a database are not ours to change; null: they are, or there are none. */
export function foreignTables(db: SqliteDatabase): string | null {
  const found = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const others = found.filter(({ name }) => name !== 'migrations').length;
  if (others === 0 || schemaNumber(db) > 0) return null;
  return others < found.length
    ? emptiedText('migrations')
    : 'the database holds tables of another program; choose another directory or move the file away';
}

/** Reads which migrations the next start would run. @param db null: there is no database yet */
export async function planSqliteMigration(db: SqliteDatabase | null): Promise<MigrationPlan> {
  const schema = db === null ? 0 : schemaNumber(db);
  const steps = await planSteps(schema, migrations.sqlite, (table) =>
    db && hasTable(db, table) ? (db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0) : null,
  );
  const by = db === null ? null : migratedBy(db);
  return { store: 'sqlite', schema, newestSchema, migratedBy: by, ...steps };
}
