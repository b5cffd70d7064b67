import { createHash, type Hash } from 'node:crypto';
import { plain, type Session, type SqlValue, type Table } from '@wajah/server/stores';

type StoredRow = Record<string, SqlValue | ArrayBuffer>;

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

export async function countRows(db: Pick<Session, 'all'>, table: Table): Promise<number> {
  const where = table.where === undefined ? '' : `WHERE ${table.where}`;
  const [row] = await db.all<StoredRow>(`SELECT count(*) AS count FROM ${table.name} ${where}`);
  return Number(row?.['count']);
}

/** All rows, in batches, in the order of the key. */
export async function* rowsOf(
  db: Pick<Session, 'all'>,
  table: Table,
  columns: readonly string[],
): AsyncGenerator<SqlValue[][]> {
  for (let after: SqlValue[] | null = null; ; ) {
    const rows: SqlValue[][] = await readRows(db, table, columns, after, batch);
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    const last = rows.at(-1)!;
    after = table.key.map((column) => last[columns.indexOf(column)] ?? null);
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

/** Rows read and written at a time. */
const batch = 500;
