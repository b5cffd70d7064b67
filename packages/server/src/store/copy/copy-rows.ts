import type { Table } from '../tables.ts';
import type { CopyDatabase, Value } from './copy-database.ts';

/** Reads the rows after a key (null: from the first), in the order of the key. */
export async function readRows(
  db: Pick<CopyDatabase, 'all'>,
  table: Table,
  columns: readonly string[],
  after: readonly Value[] | null,
  limit: number,
): Promise<Value[][]> {
  const key = table.key.join(', ');
  const conditions = [
    ...(table.where === undefined ? [] : [table.where]),
    ...(after === null ? [] : [`(${key}) > (${table.key.map(() => '?').join(', ')})`]),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const sql = `SELECT ${columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${key} LIMIT ${limit}`;
  const rows = await db.all(sql, after ?? []);
  return rows.map((row) => columns.map((column) => plain(row[column] ?? null)));
}

export async function writeRows(
  db: Pick<CopyDatabase, 'write'>,
  table: Pick<Table, 'name'>,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const row = `(${columns.map(() => '?').join(', ')})`;
  const places = rows.map(() => row).join(', ');
  const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES ${places}`;
  await db.write([{ sql, values: rows.flat() }]);
}

/** The largest key of a table; null when it is empty. */
export async function lastKey(db: CopyDatabase, table: Table): Promise<Value[] | null> {
  const order = table.key.map((column) => `${column} DESC`).join(', ');
  const where = table.where === undefined ? '' : `WHERE ${table.where}`;
  const sql = `SELECT ${table.key.join(', ')} FROM ${table.name} ${where} ORDER BY ${order} LIMIT 1`;
  const [row] = await db.all(sql, []);
  return row ? table.key.map((column) => plain(row[column] ?? null)) : null;
}

export async function countRows(db: Pick<CopyDatabase, 'all'>, table: Table): Promise<number> {
  const where = table.where === undefined ? '' : `WHERE ${table.where}`;
  const [row] = await db.all(`SELECT count(*) AS count FROM ${table.name} ${where}`, []);
  return Number(row?.['count']);
}

/** The key of a row. */
export function keyOf(table: Table, columns: readonly string[], row: readonly Value[]): Value[] {
  return table.key.map((column) => row[columns.indexOf(column)] ?? null);
}

function plain(value: Value | ArrayBuffer): Value {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
