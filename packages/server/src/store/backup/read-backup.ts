import { z } from 'zod';
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
    const line = parseLine(text);
    if ('head' in line) {
      head = line.head;
      for (const { name } of head.tables) digests.set(name, createTableDigest());
      await receiver.head(head);
    } else if ('table' in line) {
      const digest = digests.get(line.table);
      if (!digest) throw damaged('a table is not in its list');
      digest.add(line.rows);
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

/** Who holds the key may have written anything. */
const backupLine = z.union([
  z.strictObject({
    head: z.object({
      store: z.enum(['sqlite', 'postgres']),
      schema: z.int().min(1),
      tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
    }),
  }),
  // Rows are many; their values are compared by a digest.
  z.strictObject({ table: z.string(), rows: z.custom<StoredValue[][]>(isRows) }),
  z.strictObject({
    end: z.object({
      digests: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
      counters: z.record(z.string(), z.int()),
    }),
  }),
]);

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every(Array.isArray);
}

function parseLine(text: string): BackupLine {
  try {
    return backupLine.parse(JSON.parse(text));
  } catch (error) {
    throw damaged('a line cannot be read', error);
  }
}

function damaged(what: string, cause?: unknown): OperatorError {
  return new OperatorError(`the backup is damaged: ${what}`, { cause });
}

function compare(
  digests: ReadonlyMap<string, ReturnType<typeof createTableDigest>>,
  { digests: expected }: BackupEnd,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [table, digest] of digests) {
    const { rows, sha256 } = digest.value();
    if (expected[table]?.sha256 !== sha256) {
      throw damaged(`${table} has ${rows} rows that differ from its digest`);
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
