import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseDatabaseUrl } from '../../src/config/database-url.ts';
import { PostgresDatabase } from '../../src/store/database/postgres.ts';
import { type Migration, migrations } from '../../src/store/database/schema.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';

export type Kind = 'sqlite' | 'postgres';

/** WAJAH_SECRET_KEY of the servers that wrote the rows. */
export const releasedKey = '6f'.repeat(32);

/** A database that the server of a released schema wrote (`test/store/upgrades`), as statements that make it. */
export interface ReleasedRows {
  readonly schema: number;
  readonly sql: string;
  /** An API token of the client `acme` that is valid; the one with the name "old" is revoked. */
  readonly token: string;
  /** Digest of the migrations up to the schema; null: not recorded. */
  readonly digest: string | null;
}

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
    schema: Number.parseInt(name, 10),
    sql,
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
  return migrations[kind].filter(({ number }) => number <= schema);
}

/** Writes a database as the server of that schema left it. */
export function writeReleasedFile(file: string, { sql }: ReleasedRows): void {
  const db = new SqliteDatabase(file);
  db.script(`PRAGMA foreign_keys = OFF; ${sql}`);
  db.close();
}

/** @param url of an empty database */
export async function writeReleasedDatabase(url: string, { sql }: ReleasedRows): Promise<void> {
  const options = { connections: 1, timeoutMs: 60_000 };
  const db = new PostgresDatabase(parseDatabaseUrl('WAJAH_DATABASE_URL', url), options);
  await db.transaction((session) => session.script(sql));
  await db.close();
}
