import { createHash } from 'node:crypto';
import { OperatorError } from '../../errors.ts';
import { copiedTables, localMetaKeys, type Table } from '../tables.ts';
import type { CopyDatabase, Value } from './copy-database.ts';
import { countRows, keyOf, lastKey, readRows, writeRows } from './copy-rows.ts';

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
  source: CopyDatabase,
  target: CopyDatabase,
  progress: CopyProgress = () => {},
): Promise<Record<string, number>> {
  await claim(source, target);
  const counts = await Promise.all(copiedTables.map((table) => countRows(source, table)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const copied = counter((rows) => progress('copy', rows, total));
  for (const table of copiedTables) {
    copied(await countRows(target, table));
    await copyTable(source, target, table, copied);
  }
  const compared = counter((rows) => progress('verify', rows, total));
  for (const table of copiedTables) {
    await compare(source, target, table, compared);
  }
  await target.write([{ sql: 'DELETE FROM meta WHERE key = ?', values: [localMetaKeys.copying] }]);
  return Object.fromEntries(copiedTables.map(({ name }, i) => [name, counts[i]!]));
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
async function claim(source: CopyDatabase, target: CopyDatabase): Promise<void> {
  const [mark] = await target.all('SELECT value FROM meta WHERE key = ?', [localMetaKeys.copying]);
  if (mark?.['value'] === source.name) return;
  if (mark) {
    throw new OperatorError(
      `${target.name}: it holds part of a copy of ${String(mark['value'])}; empty it first`,
    );
  }
  for (const table of ['clients', 'galleries']) {
    const [row] = await target.all(`SELECT count(*) AS count FROM ${table}`, []);
    if (Number(row?.['count']) > 0) {
      throw new OperatorError(`${target.name}: it has ${table} already; copy into an empty store`);
    }
  }
  // Rows that a server writes at its first start; nothing is sealed under their keys.
  const emptied = ['meta', 'audit', 'audit_ends', 'revoked_jwts'].map((name) => ({
    sql: `DELETE FROM ${name}`,
    values: [],
  }));
  const marked = { sql: 'INSERT INTO meta VALUES (?, ?)', values: [localMetaKeys.copying, source.name] };
  await target.write([...emptied, marked]);
}

async function copyTable(
  source: CopyDatabase,
  target: CopyDatabase,
  table: Table,
  report: (rows: number) => void,
): Promise<void> {
  const columns = await sharedColumns(source, target, table);
  for (let after = await lastKey(target, table); ; ) {
    const rows = await readRows(source, table, columns, after, batch);
    await writeRows(target, table, columns, rows);
    report(rows.length);
    const last = rows.at(-1);
    if (!last || rows.length < batch) break;
    after = keyOf(table, columns, last);
  }
  if (table.counter === undefined) return;
  await target.setSequenceValue(
    table.name,
    table.counter,
    await source.sequenceValue(table.name, table.counter),
  );
}

async function sharedColumns(source: CopyDatabase, target: CopyDatabase, table: Table): Promise<string[]> {
  const of = async (db: CopyDatabase) => {
    const columns = await db.columns(table.name);
    return columns.filter((column) => !table.omit?.includes(column)).sort();
  };
  const [here, there] = [await of(source), await of(target)];
  if (here.join() !== there.join()) throw new Error(`${table.name} has other columns in the two stores`);
  return here;
}

async function compare(
  source: CopyDatabase,
  target: CopyDatabase,
  table: Table,
  report: (rows: number) => void,
): Promise<void> {
  const columns = await sharedColumns(source, target, table);
  const [here, there] = [
    await digestOf(source, table, columns, report),
    await digestOf(target, table, columns),
  ];
  if (here.rows === there.rows && here.sha256 === there.sha256) return;
  throw new OperatorError(
    `${table.name}: ${source.name} has ${here.rows} rows (SHA-256 ${here.sha256.slice(0, 12)}…), ${target.name} has ${there.rows} (${there.sha256.slice(0, 12)}…); was one of them in use? Empty the target and copy again`,
  );
}

async function digestOf(
  db: CopyDatabase,
  table: Table,
  columns: readonly string[],
  report: (rows: number) => void = () => {},
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after: Value[] | null = null; ; ) {
    const rows: Value[][] = await readRows(db, table, columns, after, batch);
    for (const row of rows) hash.update(`${JSON.stringify(row.map(text))}\n`);
    count += rows.length;
    report(rows.length);
    const last = rows.at(-1);
    if (!last || rows.length < batch) return { rows: count, sha256: hash.digest('hex') };
    after = keyOf(table, columns, last);
  }
}

/** Distinguishes bytes from text. */
function text(value: Value): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}
