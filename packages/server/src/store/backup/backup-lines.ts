import { createHash, type Hash } from 'node:crypto';
import type { CopyDatabase, Value } from '../copy/copy-database.ts';
import { countRows, keyOf, readRows } from '../copy/copy-rows.ts';
import { copiedTables } from '../tables.ts';

/** What a backup reads a database by, all of one moment. */
export type Snapshot = Pick<CopyDatabase, 'name' | 'all' | 'tables' | 'columns' | 'sequenceValue'>;

/** First line of a backup. */
export interface BackupHead {
  readonly store: 'sqlite' | 'postgres';
  /** Number of the schema, which each store counts for itself. */
  readonly schema: number;
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** Of the rows of a table, in the order of their key. */
interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

/** Last line of a backup. */
export interface BackupEnd {
  readonly digests: Readonly<Record<string, TableDigest>>;
  /** Last values of sequences by table. */
  readonly counters: Readonly<Record<string, number>>;
}

/** Bytes are `{"b": base64}`. */
export type StoredValue = string | number | null | { readonly b: string };

export type BackupLine =
  | { readonly head: BackupHead }
  | { readonly table: string; readonly rows: readonly (readonly StoredValue[])[] }
  | { readonly end: BackupEnd };

const batch = 500;

/**
 * Every row of the copied tables as lines of JSON, with a digest of each table at the end.
 * @param progress receives the rows read so far and all of them
 */
export async function* backupLines(
  db: Snapshot,
  { store, schema }: Pick<BackupHead, 'store' | 'schema'>,
  progress: (rows: number, total: number) => void,
): AsyncGenerator<string> {
  const present = new Set(await db.tables());
  // A store of an older schema lacks some.
  const tables = copiedTables.filter(({ name }) => present.has(name));
  const described = [];
  let total = 0;
  for (const table of tables) {
    const columns = (await db.columns(table.name)).filter((column) => !table.omit?.includes(column));
    described.push({ name: table.name, columns: columns.sort() });
    total += await countRows(db, table);
  }
  yield lineOf({ head: { store, schema, tables: described } });
  const digests: Record<string, TableDigest> = {};
  const counters: Record<string, number> = {};
  let done = 0;
  for (const [index, table] of tables.entries()) {
    const columns = described[index]?.columns ?? [];
    const digest = createTableDigest();
    for (let after: Value[] | null = null; ; ) {
      const rows: Value[][] = await readRows(db, table, columns, after, batch);
      const stored = rows.map((row) => row.map(toStored));
      digest.add(stored);
      if (stored.length > 0) yield lineOf({ table: table.name, rows: stored });
      done += rows.length;
      progress(done, total);
      const last = rows.at(-1);
      if (!last || rows.length < batch) break;
      after = keyOf(table, columns, last);
    }
    digests[table.name] = digest.value();
    if (table.counter !== undefined) counters[table.name] = await db.sequenceValue(table.name, table.counter);
  }
  yield lineOf({ end: { digests, counters } });
}

const lineOf = (line: BackupLine) => `${JSON.stringify(line)}\n`;

/** SHA-256 over the JSON of each row. */
export function createTableDigest() {
  const hash: Hash = createHash('sha256');
  let rows = 0;
  return {
    add(stored: readonly (readonly StoredValue[])[]): void {
      for (const row of stored) hash.update(`${JSON.stringify(row)}\n`);
      rows += stored.length;
    },
    value: (): TableDigest => ({ rows, sha256: hash.digest('hex') }),
  };
}

function toStored(value: Value): StoredValue {
  return value instanceof Uint8Array ? { b: Buffer.from(value).toString('base64') } : value;
}

export function fromStored(value: StoredValue): Value {
  return typeof value === 'object' && value !== null ? new Uint8Array(Buffer.from(value.b, 'base64')) : value;
}
