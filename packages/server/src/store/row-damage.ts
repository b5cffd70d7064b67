import { setImmediate as nextTurn } from 'node:timers/promises';
import { DamagedRow } from '../errors.ts';
import { calibrationOf, isEmbeddingSpec } from './calibrations.ts';
import type { DamagedRows } from './database/damaged-rows.ts';
import type { Database, SqlValue } from './database/session.ts';
import { tables } from './database/tables.ts';
import type { Table } from './database/types.ts';
import { recount } from './face-store.ts';
import { unsafeSeq } from './gallery-store.ts';
import type { DamageStore } from './ports/store.ts';
import { mappersOf, type RowMapper } from './rows.ts';

/** Rows read at a time: 1 or 2 ms in SQLite. */
const pageRows = 500;

/** What an inspection reads of a store. */
export type RowReader = Pick<Database, 'all' | 'dialect'>;

export function damageStore(db: Database, { tell }: DamagedRows): DamageStore {
  const heal = async () => {
    for (const { id } of await db.all<{ id: number }>(miscounted)) await recount(db, id);
  };
  return {
    tell,
    heal,
    async find() {
      await heal();
      return findDamagedRows(db);
    },
  };
}

/** Galleries whose number of people is another, or that have a face of a later version. */
const miscounted = `SELECT g.id FROM galleries g
  LEFT JOIN (SELECT gallery, count(*) AS people, max(CASE WHEN seq < ${unsafeSeq} THEN seq END) AS newest
    FROM faces GROUP BY gallery) f ON f.gallery = g.id
  WHERE g.client_id IS NOT NULL AND (g.faces <> coalesce(f.people, 0) OR g.version < coalesce(f.newest, 0))`;

/** Reads all tables of a store, but sealed values. */
export async function findDamagedRows(db: RowReader): Promise<DamagedRow[]> {
  const found: DamagedRow[] = [];
  for (const table of tables) for await (const row of damagedOf(db, table)) found.push(row);
  return found;
}

async function* damagedOf(db: RowReader, { name, key, sealed = [] }: Table): AsyncGenerator<DamagedRow> {
  const mappers = mappersOf(name);
  if (mappers.length === 0) return;
  const all = await db.all<{ name: string }>(db.dialect.columns(name));
  // A former schema has fewer tables.
  if (all.length === 0) return;
  const columns = all.map((column) => column.name).filter((column) => !sealed.includes(column));
  const order = key.map((column) => `${name}.${column}`);
  let last: SqlValue[] = [];
  for (let rows: Record<string, SqlValue>[]; ; await nextTurn()) {
    const after = last.length === 0 ? 'true' : `(${key}) > (${last.map((_, i) => `$${i + 2}`)})`;
    const sql = `SELECT ${columns} FROM ${name} WHERE ${after} ORDER BY ${order} LIMIT $1`;
    rows = await db.all<Record<string, SqlValue>>(sql, pageRows, ...last);
    for (const row of rows) {
      const fault = faultOf(name, mappers, row);
      if (fault) yield fault;
    }
    const end = rows.at(-1);
    if (!end || rows.length < pageRows) return;
    last = key.map((column) => end[column]!);
  }
}

/** What services read of columns of galleries. */
const contents: Readonly<Record<string, (text: string) => boolean>> = {
  curve: (text) => calibrationOf(text) !== null,
  embedding_spec: isEmbeddingSpec,
};

function faultOf(name: string, mappers: readonly RowMapper<unknown>[], row: Record<string, SqlValue>) {
  try {
    for (const { read } of mappers) read(row);
    for (const [column, holds] of name === 'galleries' ? Object.entries(contents) : []) {
      const text = row[column] ?? null;
      if (text !== null && !holds(String(text)))
        return new DamagedRow(`${name}.${column}`, `id ${row['id']}`);
    }
    return null;
  } catch (error) {
    if (error instanceof DamagedRow) return error;
    throw error;
  }
}
