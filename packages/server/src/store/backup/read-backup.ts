import { OperatorError } from '../../errors.ts';
import {
  type BackupEnd,
  type BackupHead,
  type BackupLine,
  createTableDigest,
  type StoredValue,
} from './backup-lines.ts';

/** Receives the parts of a backup in order. */
export interface BackupReceiver {
  head(head: BackupHead): Promise<void>;
  rows(table: string, rows: readonly (readonly StoredValue[])[]): Promise<void>;
  end(end: BackupEnd): Promise<void>;
}

/** What a backup holds. */
export interface BackupContent {
  readonly head: BackupHead;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * Reads the lines of a backup and compares every table with its digest before `end` is received.
 * @throws OperatorError when a table differs, or the end is missing
 */
export async function readBackup(
  lines: AsyncIterable<string>,
  receiver: BackupReceiver,
): Promise<BackupContent> {
  let head: BackupHead | undefined;
  let content: BackupContent | undefined;
  const digests = new Map<string, ReturnType<typeof createTableDigest>>();
  for await (const text of lines) {
    const line = JSON.parse(text) as BackupLine;
    if ('head' in line) {
      head = line.head;
      for (const { name } of head.tables) digests.set(name, createTableDigest());
      await receiver.head(head);
    } else if ('table' in line) {
      digests.get(line.table)?.add(line.rows);
      await receiver.rows(line.table, line.rows);
    } else if (head) {
      const rows = compare(digests, line.end);
      await receiver.end(line.end);
      // The archive is read to its end, which may be missing.
      content = { head, rows };
    }
  }
  if (content) return content;
  throw new OperatorError('the backup is incomplete: its last line is missing');
}

function compare(
  digests: ReadonlyMap<string, ReturnType<typeof createTableDigest>>,
  { digests: expected }: BackupEnd,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [table, digest] of digests) {
    const { rows, sha256 } = digest.value();
    if (expected[table]?.sha256 !== sha256) {
      throw new OperatorError(`the backup is damaged: ${table} has ${rows} rows that differ from its digest`);
    }
    counts[table] = rows;
  }
  return counts;
}

/** Nothing is done with the parts: only the digests are compared. */
export const onlyVerified: BackupReceiver = {
  head: async () => undefined,
  rows: async () => undefined,
  end: async () => undefined,
};
