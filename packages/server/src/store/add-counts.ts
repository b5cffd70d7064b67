import type { Database } from './database/session.ts';
import type { RowMapper } from './rows.ts';

/** Counts written in one transaction: about 2 ms. */
const writeSlice = 100;

/**
 * Writes counts in slices, in a fixed order: servers that write the same counts cannot deadlock.
 * @param sql adds the rows `:rows` to those that are there
 */
export async function addCounts<T>(
  db: Pick<Database, 'runAll'>,
  sql: string,
  { columns, values }: RowMapper<T>,
  counts: readonly T[],
): Promise<void> {
  const ordered = counts.map(values).sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1));
  for (let at = 0; at < ordered.length; at += writeSlice)
    await db.runAll(sql, columns, ordered.slice(at, at + writeSlice));
}
