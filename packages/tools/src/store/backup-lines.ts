import { ordinaryScopes } from '@wajah/contract';
import { OperatorError } from '@wajah/server/commands';
import {
  type AuditStore,
  formerTables,
  type MetaStore,
  oldestSchema,
  type Session,
  type SqlValue,
  tables,
} from '@wajah/server/stores';
import { z } from 'zod';
import {
  columnsOf,
  countRows,
  createTableDigest,
  lastNumber,
  rowsOf,
  type StoredValue,
  setLastNumber,
  type TableDigest,
  toStored,
  writeRows,
} from './rows.ts';

/** First line of a backup. */
export interface BackupHead {
  readonly store: 'sqlite' | 'postgres';
  /** Number of the schema, which both stores count alike. */
  readonly schema: number;
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** Last line of a backup. */
interface BackupEnd {
  readonly digests: Readonly<Record<string, TableDigest>>;
  /** Last values of sequences by table. */
  readonly counters: Readonly<Record<string, number>>;
}

type BackupLine =
  | { readonly head: BackupHead }
  | { readonly table: string; readonly rows: readonly (readonly StoredValue[])[] }
  | { readonly end: BackupEnd };

/**
 * Every row of the copied tables as lines of JSON, with a digest of each table at the end.
 * @param progress receives the rows read so far and all of them
 */
export async function* backupLines(
  db: Session,
  schema: number,
  progress: (rows: number, total: number) => void,
): AsyncGenerator<string> {
  const present = new Set((await db.all<{ name: string }>(db.dialect.tables)).map(({ name }) => name));
  // A store of an older schema lacks some.
  const copied = tables.filter(({ name }) => present.has(name));
  const described = [];
  let total = 0;
  for (const table of copied) {
    described.push({ name: table.name, columns: await columnsOf(db, table) });
    total += await countRows(db, table);
  }
  yield lineOf({ head: { store: db.dialect.kind, schema, tables: described } });
  const digests: Record<string, TableDigest> = {};
  const counters: Record<string, number> = {};
  let done = 0;
  for (const [index, table] of copied.entries()) {
    const digest = createTableDigest();
    for await (const rows of rowsOf(db, table, described[index]?.columns ?? [])) {
      digest.add(rows);
      yield lineOf({ table: table.name, rows: rows.map((row) => row.map(toStored)) });
      done += rows.length;
      progress(done, total);
    }
    digests[table.name] = digest.value();
    if (table.counter !== undefined) counters[table.name] = await lastNumber(db, table);
  }
  yield lineOf({ end: { digests, counters } });
}

const lineOf = (line: BackupLine) => `${JSON.stringify(line)}\n`;

function fromStored(value: StoredValue): SqlValue {
  return typeof value === 'object' && value !== null ? new Uint8Array(Buffer.from(value.b, 'base64')) : value;
}

/** Receives the parts of a backup in order. */
interface BackupReceiver {
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

/** What was restored. */
export interface RestoredContent extends BackupContent {
  /** Tables of an earlier schema that were left out. */
  readonly left: readonly string[];
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

/** A restore, for both stores. */
export interface Restoring {
  /** Number of the schema that the lines are of. */
  readonly schema: number;
  /** Opens the backup from its first line on. */
  lines(): AsyncIterable<string>;
  /** Replaces what the store holds; null: no option of the command does. */
  readonly force: boolean | null;
  /** Receives the named values of the backup. @throws OperatorError when its master key is another one */
  requireMeta?(values: ReadonlyMap<string, string>): void;
  /** Receives the number of rows written, and then of those that were read again. */
  progress(stage: 'write' | 'verify', rows: number): void;
  /** Writes the restore into the audit trail of the restored store. */
  record(parts: { readonly meta: MetaStore; readonly audit: AuditStore }): Promise<void>;
}

/** Tables of calls that pass, which schemas before the first upgrade had otherwise: they are not taken along. */
const passing = ['refused_calls', 'liveness_sessions', 'liveness_frames'];

/** Where the columns of a table here are in the rows of a backup. */
interface Taken {
  readonly names: readonly string[];
  readonly places: readonly number[];
  readonly isWhole: boolean;
}

/**
 * Writes the rows of a backup into empty tables, and compares what was written with its digests.
 * @throws OperatorError when tables or columns differ, or the backup is damaged
 */
export async function loadBackup(
  target: Session,
  { lines, requireMeta, progress }: Restoring,
): Promise<RestoredContent> {
  let done = 0;
  const taken = new Map<string, Taken | null>();
  const content = await readBackup(lines(), {
    async head(head) {
      for (const { name, columns } of head.tables)
        taken.set(name, await columnsTaken(target, head.schema, name, columns));
    },
    async rows(table, rows) {
      const of = taken.get(table);
      if (!of) return;
      const values = rows.map((row) => of.places.map((place) => fromStored(row[place] ?? null)));
      if (table === 'meta') requireMeta?.(metaOf(of.names, values));
      await writeRows(target, table, of.names, of.isWhole ? values : completed(of.names, values));
      done += rows.length;
      progress('write', done);
    },
    async end({ counters, digests }) {
      let compared = 0;
      for (const table of tables) {
        const value = counters[table.name];
        if (table.counter !== undefined && value !== undefined) await setLastNumber(target, table, value);
        const of = taken.get(table.name);
        if (!of?.isWhole) continue;
        const digest = createTableDigest();
        for await (const rows of rowsOf(target, table, of.names)) {
          digest.add(rows);
          compared += rows.length;
          progress('verify', compared);
        }
        if (digest.value().sha256 !== digests[table.name]?.sha256)
          throw new OperatorError(
            `${table.name}: the rows that were written differ from those that were read`,
          );
      }
    },
  });
  return { ...content, left: [...taken].flatMap(([name, of]) => (of === null ? name : [])) };
}

/** @returns null: the table is not taken along @throws OperatorError when it cannot be read */
async function columnsTaken(
  target: Session,
  schema: number,
  name: string,
  columns: readonly string[],
): Promise<Taken | null> {
  const known = tables.find((table) => table.name === name);
  const here = known ? await columnsOf(target, known) : null;
  const isCompleted = name === 'api_tokens' && schema <= oldestSchema;
  if (here?.join() === columns.join())
    return { names: columns, places: columns.map((_, i) => i), isWhole: !isCompleted };
  if (formerTables.includes(name)) return null;
  if (schema > oldestSchema) {
    throw new OperatorError(
      here
        ? `${name} has other columns in the backup than in schema ${schema}: restore it with the version that wrote it`
        : `the backup has the table ${name}, which this program does not know`,
    );
  }
  if (here === null || passing.includes(name)) return null;
  const names = here.filter((column) => columns.includes(column));
  return { names, places: names.map((column) => columns.indexOf(column)), isWhole: false };
}

/** Of an API token without scopes, as schemas before the first upgrade had them. */
function completed(names: readonly string[], rows: SqlValue[][]): SqlValue[][] {
  return rows.map((row) =>
    row.map((value, i) => (names[i] === 'scopes' ? (value ?? JSON.stringify(ordinaryScopes)) : value)),
  );
}

function metaOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): Map<string, string> {
  const [key, value] = [columns.indexOf('key'), columns.indexOf('value')];
  return new Map(rows.map((row) => [String(row[key]), String(row[value])]));
}
