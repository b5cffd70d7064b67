import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseDatabaseUrl } from '../../src/config/database-url.ts';
import type { Migration } from '../../src/store/migration.ts';
import { PostgresDatabase } from '../../src/store/postgres/connection/database.ts';
import { migrate as migratePostgres, migrations as ofPostgres } from '../../src/store/postgres/migrate.ts';
import { SqliteDatabase } from '../../src/store/sqlite/connection/database.ts';
import { migrate as migrateSqlite, migrations as ofSqlite } from '../../src/store/sqlite/migrate.ts';

export type Kind = 'sqlite' | 'postgres';

/** WAJAH_SECRET_KEY of the servers that wrote the rows. */
export const releasedKey = '6f'.repeat(32);

/** Rows that the server of a released schema wrote (`test/store/upgrades`), as INSERT statements. */
export interface ReleasedRows {
  readonly schema: number;
  readonly sql: string;
  /** An API token of the client `acme` that is valid; the one with the name "old one" is revoked. */
  readonly token: string;
  /** Digest of the migrations up to the schema; null: not recorded. */
  readonly digest: string | null;
}

const migrations = { sqlite: ofSqlite, postgres: ofPostgres };

export const rowsFolder = (kind: Kind) => new URL(`../store/upgrades/${kind}/`, import.meta.url);

/** In the order of schemas. */
export function releasedRows(kind: Kind): ReleasedRows[] {
  const folder = rowsFolder(kind);
  return readdirSync(folder)
    .sort()
    .map((name) => parseReleasedRows(name, readFileSync(new URL(name, folder), 'utf8')));
}

/** @param name of the file, which begins with the number of the schema */
export function parseReleasedRows(name: string, sql: string): ReleasedRows {
  return {
    ...{ schema: Number.parseInt(name, 10), sql },
    token: /^-- api_token (\S+)$/m.exec(sql)?.[1] ?? '',
    digest: /^-- migrations (\S+)$/m.exec(sql)?.[1] ?? null,
  };
}

/** SHA-256 of statements without comments and layout. */
export function digestOfMigrations(steps: readonly Migration[]): string {
  const statements = steps.map(({ sql }) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim());
  return createHash('sha256').update(statements.join(';')).digest('hex');
}

/** The migrations up to the schema of some rows. */
export function stepsUpTo(kind: Kind, schema: number): readonly Migration[] {
  return migrations[kind].slice(0, schema);
}

/** Writes a database as the server of that schema left it. */
export function writeReleasedFile(file: string, { schema, sql }: ReleasedRows): void {
  const db = new SqliteDatabase(file);
  migrateSqlite(db, stepsUpTo('sqlite', schema));
  db.script(withoutOwnRows(sql));
  db.close();
}

/** @param url of an empty database */
export async function writeReleasedDatabase(url: string, { schema, sql }: ReleasedRows): Promise<void> {
  const options = { connections: 1, timeoutMs: 60_000 };
  const db = new PostgresDatabase(parseDatabaseUrl('WAJAH_DATABASE_URL', url), options);
  await migratePostgres(db, stepsUpTo('postgres', schema));
  await db.transaction((session) => session.script(withoutOwnRows(sql)));
  await db.close();
}

/** Migrations insert rows of their own, which the released rows contain as well. */
function withoutOwnRows(sql: string): string {
  const tables = ['meta', ...(sql.includes('INTO audit_ends') ? ['audit_ends'] : [])];
  return `${tables.map((table) => `DELETE FROM ${table};`).join('\n')}\n${sql}`;
}
