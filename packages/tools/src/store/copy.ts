import { createHash, type Hash } from 'node:crypto';
import { OperatorError } from '@wajah/server/commands';
import {
  type Database,
  localMetaKeys,
  plain,
  type Session,
  type SqlValue,
  type Table,
  tables,
} from '@wajah/server/stores';

/** A store to copy from or to. */
export interface CopyEnd {
  /** For messages, without password. */
  readonly name: string;
  readonly db: Pick<Database, 'dialect' | 'all' | 'get' | 'run' | 'transaction'>;
}

type StoredRow = Record<string, SqlValue | ArrayBuffer>;

/** Of a statement that reads or writes whole tables, milliseconds. */
export const copyTimeoutMs = 10 * 60 * 1000;

/** The statements of a copy may take long. */
export function unhurried(db: Database): CopyEnd['db'] {
  const long = { timeoutMs: copyTimeoutMs };
  return {
    dialect: db.dialect,
    all: (sql, ...values) => db.transaction((session) => session.all(sql, ...values), long),
    get: (sql, ...values) => db.transaction((session) => session.get(sql, ...values), long),
    run: (sql, ...values) => db.transaction((session) => session.run(sql, ...values), long),
    transaction: (work, options) => db.transaction(work, { ...long, ...options }),
  };
}

/** Reads the rows after a key (null: from the first), in the order of the key. */
async function readRows(
  db: Pick<Session, 'all'>,
  table: Table,
  columns: readonly string[],
  after: readonly SqlValue[] | null,
  limit: number,
): Promise<SqlValue[][]> {
  const key = table.key.join(', ');
  const conditions = [
    ...(table.where === undefined ? [] : [table.where]),
    ...(after === null ? [] : [`(${key}) > (${table.key.map((_, i) => `$${i + 1}`).join(', ')})`]),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const sql = `SELECT ${columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${key} LIMIT ${limit}`;
  const rows = await db.all<StoredRow>(sql, ...(after ?? []));
  return rows.map((row) => columns.map((column) => plain(row[column] ?? null)));
}

export async function writeRows(
  db: Pick<Session, 'run'>,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  if (rows.length === 0) return;
  let place = 0;
  const places = rows.map((row) => `(${row.map(() => `$${++place}`)})`);
  await db.run(`INSERT INTO ${table} (${columns}) VALUES ${places}`, ...rows.flat());
}

/** The largest key of a table; null when it is empty. */
async function lastKey(db: Pick<Session, 'all'>, table: Table): Promise<SqlValue[] | null> {
  const order = table.key.map((column) => `${column} DESC`).join(', ');
  const where = table.where === undefined ? '' : `WHERE ${table.where}`;
  const sql = `SELECT ${table.key.join(', ')} FROM ${table.name} ${where} ORDER BY ${order} LIMIT 1`;
  const [row] = await db.all<StoredRow>(sql);
  return row ? table.key.map((column) => plain(row[column] ?? null)) : null;
}

export async function countRows(db: Pick<Session, 'all'>, table: Table): Promise<number> {
  const where = table.where === undefined ? '' : `WHERE ${table.where}`;
  const [row] = await db.all<StoredRow>(`SELECT count(*) AS count FROM ${table.name} ${where}`);
  return Number(row?.['count']);
}

/** The key of a row. */
function keyOf(table: Table, columns: readonly string[], row: readonly SqlValue[]): SqlValue[] {
  return table.key.map((column) => row[columns.indexOf(column)] ?? null);
}

/** The rows after a key, in batches, in the order of the key. */
export async function* rowsOf(
  db: Pick<Session, 'all'>,
  table: Table,
  columns: readonly string[],
  from: SqlValue[] | null = null,
): AsyncGenerator<SqlValue[][]> {
  for (let after = from; ; ) {
    const rows = await readRows(db, table, columns, after, batch);
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    after = keyOf(table, columns, rows.at(-1)!);
  }
}

/** Names of the columns that are copied. */
export async function columnsOf(
  db: Pick<Session, 'all' | 'dialect'>,
  { name, omit }: Table,
): Promise<string[]> {
  const columns = await db.all<{ name: string }>(db.dialect.columns(name));
  return columns.flatMap((column) => (omit?.includes(column.name) ? [] : column.name)).sort();
}

/** Last value of the table's sequence. */
export async function lastNumber(
  db: Pick<Session, 'get' | 'dialect'>,
  { name, counter }: Table,
): Promise<number> {
  const sql = db.dialect.lastNumber(name, counter ?? '');
  return (await db.get<{ value: number | null }>(sql))?.value ?? 0;
}

export async function setLastNumber(
  db: Pick<Session, 'run' | 'dialect'>,
  { name, counter }: Table,
  value: number,
): Promise<void> {
  for (const sql of db.dialect.setLastNumber(name, counter ?? '', value)) await db.run(sql);
}

/** Of the rows of a table, in the order of their key. */
export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

/** A value in JSON: bytes are `{"b": base64}`. */
export type StoredValue = string | number | null | { readonly b: string };

/** SHA-256 over the JSON of each row. */
export function createTableDigest() {
  const hash: Hash = createHash('sha256');
  let rows = 0;
  return {
    add(added: readonly (readonly (SqlValue | StoredValue)[])[]): void {
      for (const row of added) hash.update(`${JSON.stringify(row.map(toStored))}\n`);
      rows += added.length;
    },
    value: (): TableDigest => ({ rows, sha256: hash.digest('hex') }),
  };
}

export function toStored(value: SqlValue | StoredValue): StoredValue {
  return value instanceof Uint8Array ? { b: Buffer.from(value).toString('base64') } : value;
}

/** Rows read and written at a time, in one transaction of the target. */
const batch = 500;

/** Called after each step. */
export type CopyProgress = (stage: 'copy' | 'verify', rows: number, total: number) => void;

/**
 * Copies a store into an empty one, or resumes an interrupted copy; then compares both by count and SHA-256 of all
 * rows. Neither may be written to meanwhile. Servers refuse the target until the copy is complete.
 * @returns rows copied and compared, by table
 * @throws OperatorError when the target is in use, or the two differ in the end
 */
export async function copyStore(
  source: CopyEnd,
  target: CopyEnd,
  progress: CopyProgress = () => {},
): Promise<Record<string, number>> {
  await claim(source, target);
  const counts = await Promise.all(tables.map((table) => countRows(source.db, table)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const copied = counter((rows) => progress('copy', rows, total));
  for (const table of tables) {
    copied(await countRows(target.db, table));
    await copyTable(source, target, table, copied);
  }
  const compared = counter((rows) => progress('verify', rows, total));
  for (const table of tables) {
    await compare(source, target, table, compared);
  }
  await target.db.run('DELETE FROM meta WHERE key = $1', localMetaKeys.copying);
  return Object.fromEntries(tables.map(({ name }, i) => [name, counts[i]!]));
}

/** Reports the sum after each addition. */
function counter(report: (sum: number) => void): (more: number) => void {
  let sum = 0;
  return (more) => {
    sum += more;
    report(sum);
  };
}

/** Requires that the target is empty or part of this copy, and marks it as incomplete. */
async function claim(source: CopyEnd, target: CopyEnd): Promise<void> {
  const copying = 'SELECT value FROM meta WHERE key = $1';
  const mark = await target.db.get<{ value: string }>(copying, localMetaKeys.copying);
  if (mark?.value === source.name) return;
  if (mark) {
    throw new OperatorError(`${target.name}: it holds part of a copy of ${mark.value}; empty it first`);
  }
  for (const table of ['clients', 'galleries']) {
    const row = await target.db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
    if ((row?.count ?? 0) > 0) {
      throw new OperatorError(`${target.name}: it has ${table} already; copy into an empty store`);
    }
  }
  // Rows that a server writes at its first start; nothing is sealed under their keys.
  await target.db.transaction(async (session) => {
    for (const name of ['meta', 'audit', 'audit_ends', 'revoked_jwts'])
      await session.run(`DELETE FROM ${name}`);
    await session.run('INSERT INTO meta VALUES ($1, $2)', localMetaKeys.copying, source.name);
  });
}

async function copyTable(
  source: CopyEnd,
  target: CopyEnd,
  table: Table,
  report: (rows: number) => void,
): Promise<void> {
  const columns = await sharedColumns(source, target, table);
  for await (const rows of rowsOf(source.db, table, columns, await lastKey(target.db, table))) {
    await writeRows(target.db, table.name, columns, rows);
    report(rows.length);
  }
  if (table.counter === undefined) return;
  await setLastNumber(target.db, table, await lastNumber(source.db, table));
}

async function sharedColumns(source: CopyEnd, target: CopyEnd, table: Table): Promise<string[]> {
  const [here, there] = [await columnsOf(source.db, table), await columnsOf(target.db, table)];
  if (here.join() !== there.join()) throw new Error(`${table.name} has other columns in the two stores`);
  return here;
}

async function compare(
  source: CopyEnd,
  target: CopyEnd,
  table: Table,
  report: (rows: number) => void,
): Promise<void> {
  const columns = await sharedColumns(source, target, table);
  const [here, there] = [
    await digestOf(source.db, table, columns, report),
    await digestOf(target.db, table, columns),
  ];
  if (here.rows === there.rows && here.sha256 === there.sha256) return;
  throw new OperatorError(
    `${table.name}: ${source.name} has ${here.rows} rows (SHA-256 ${here.sha256.slice(0, 12)}…), ${target.name} has ${there.rows} (${there.sha256.slice(0, 12)}…); was one of them in use? Empty the target and copy again`,
  );
}

async function digestOf(
  db: Pick<Session, 'all'>,
  table: Table,
  columns: readonly string[],
  report: (rows: number) => void = () => {},
): Promise<TableDigest> {
  const digest = createTableDigest();
  for await (const rows of rowsOf(db, table, columns)) {
    digest.add(rows);
    report(rows.length);
  }
  return digest.value();
}
