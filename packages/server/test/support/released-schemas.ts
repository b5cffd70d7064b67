import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseDatabaseUrl } from '../../src/config/database-url.ts';
import { PostgresDatabase } from '../../src/store/database/postgres.ts';
import * as postgres from '../../src/store/database/postgres-migrations.ts';
import { type Kind, type Migration, migrations } from '../../src/store/database/schema.ts';
import { postgres as postgresDialect, type SqlValue } from '../../src/store/database/session.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';
import * as sqlite from '../../src/store/database/sqlite-migrations.ts';
import { tables } from '../../src/store/database/tables.ts';

/** WAJAH_SECRET_KEY of the server that wrote the rows. */
export const releasedKey = '6f'.repeat(32);

/** Bytes are base64. */
type Value = string | number | null | { readonly b: string };

/** What a server of a released schema wrote (`test/store/upgrades`); it fits both databases. */
export interface ReleasedRows {
  readonly schema: number;
  /** Of the migrations up to the schema. */
  readonly digests: Readonly<Record<Kind, string>>;
  /** An API token of the client `acme` that is valid; the one with the name "old" is revoked. */
  readonly token: string;
  /** In an order that satisfies foreign keys; columns without a value are left out. */
  readonly rows: readonly (readonly [table: string, row: Readonly<Record<string, Value>>])[];
}

export const rowsFolder = new URL('../store/upgrades/', import.meta.url);

/** In the order of schemas. */
export function releasedRows(): ReleasedRows[] {
  const files = readdirSync(rowsFolder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().map((name) => parseReleasedRows(readFileSync(new URL(name, rowsFolder), 'utf8')));
}

/** A line of JSON with what is not a row, and one for each row. */
export function parseReleasedRows(text: string): ReleasedRows {
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...head, rows };
}

export const textOf = ({ rows, ...head }: ReleasedRows) =>
  [head, ...rows].map((line) => `${JSON.stringify(line)}\n`).join('');

/** SHA-256 of the statements up to a schema, without comments and layout. */
export function digestUpTo(kind: Kind, schema: number): string {
  const statements = stepsUpTo(kind, schema).map(({ sql }) =>
    sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim(),
  );
  return createHash('sha256').update(statements.join(';')).digest('hex');
}

/** The migrations up to a schema. */
export function stepsUpTo(kind: Kind, schema: number): readonly Migration[] {
  return migrations[kind].filter(({ number }) => number <= schema);
}

/** Writes a database as the server of that schema left it. */
export function writeReleasedFile(file: string, { schema, rows }: ReleasedRows): void {
  const db = new SqliteDatabase(file);
  sqlite.migrate(db, stepsUpTo('sqlite', schema));
  db.run('DELETE FROM audit_ends');
  for (const [sql, values] of rows.map(insert)) db.run(sql, ...values);
  db.close();
}

/** @param url of an empty database */
export async function writeReleasedDatabase(url: string, { schema, rows }: ReleasedRows): Promise<void> {
  const options = { connections: 1, timeoutMs: 60_000 };
  const db = new PostgresDatabase(parseDatabaseUrl('WAJAH_DATABASE_URL', url), options);
  await postgres.migrate(db, stepsUpTo('postgres', schema));
  await db.run('DELETE FROM audit_ends');
  for (const [sql, values] of rows.map(insert)) await db.run(sql, ...values);
  for (const { name, counter } of tables) {
    if (counter === undefined) continue;
    const last = await db.get<{ value: number | null }>(`SELECT max(${counter}) AS value FROM ${name}`);
    for (const sql of postgresDialect.setLastNumber(name, counter, last?.value ?? 0)) await db.all(sql);
  }
  await db.close();
}

function insert([table, row]: ReleasedRows['rows'][number]): [sql: string, values: SqlValue[]] {
  const columns = Object.keys(row);
  const sql = `INSERT INTO ${table} (${columns}) VALUES (${columns.map((_, i) => `$${i + 1}`)})`;
  return [sql, Object.values(row).map(toSqlValue)];
}

const toSqlValue = (value: Value): SqlValue =>
  typeof value === 'object' && value !== null ? new Uint8Array(Buffer.from(value.b, 'base64')) : value;
