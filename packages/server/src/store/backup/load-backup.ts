import { OperatorError } from '../../errors.ts';
import type { AuditStore } from '../audit-store.ts';
import { columnsOf, setLastNumber, writeRows } from '../copy.ts';
import type { MetaStore } from '../meta-store.ts';
import type { Session } from '../session.ts';
import { copiedTables } from '../tables.ts';
import { type BackupContent, type BackupHead, fromStored, readBackup } from './backup-lines.ts';

/** A restore, for both stores. */
export interface Restoring {
  /** Opens the backup from its first line on. */
  lines(): AsyncIterable<string>;
  /** Replaces what the store holds. */
  readonly force: boolean;
  /** Receives the named values of the backup. @throws OperatorError when its master key is another one */
  requireMeta(values: ReadonlyMap<string, string>): void;
  /** Receives the number of rows written. */
  progress(rows: number): void;
  /** Writes the restore into the audit trail of the restored store. */
  record(parts: { readonly meta: MetaStore; readonly audit: AuditStore }): Promise<void>;
}

/**
 * Writes the rows of a backup into empty tables.
 * @param requireMeta receives the named values of the installation, and throws when it does not fit them
 * @throws OperatorError when tables or columns differ, or the backup is damaged
 */
export async function loadBackup(
  lines: AsyncIterable<string>,
  prepare: (head: BackupHead) => Promise<Session>,
  requireMeta: (values: ReadonlyMap<string, string>) => void,
  progress: (rows: number) => void,
): Promise<BackupContent> {
  let target: Session;
  let done = 0;
  const columns = new Map<string, readonly string[]>();
  return readBackup(lines, {
    async head(head) {
      target = await prepare(head);
      for (const table of head.tables) columns.set(table.name, table.columns);
      await requireSameColumns(target, head);
    },
    async rows(table, rows) {
      const names = columns.get(table) ?? [];
      const values = rows.map((row) => row.map(fromStored));
      if (table === 'meta') requireMeta(metaOf(names, values));
      await writeRows(target, table, names, values);
      done += rows.length;
      progress(done);
    },
    async end({ counters }) {
      for (const table of copiedTables) {
        const value = counters[table.name];
        if (table.counter !== undefined && value !== undefined) await setLastNumber(target, table, value);
      }
    },
  });
}

async function requireSameColumns(target: Session, { tables }: BackupHead): Promise<void> {
  for (const { name, columns } of tables) {
    const known = copiedTables.find((table) => table.name === name);
    if (!known) throw new OperatorError(`the backup has the table ${name}, which this program does not know`);
    const here = await columnsOf(target, known);
    if (here.join() === columns.join()) continue;
    throw new OperatorError(
      `${name} has other columns in the backup: it is of another kind of store and another version; restore it with the version that wrote it, then use migrate-store`,
    );
  }
}

function metaOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): Map<string, string> {
  const [key, value] = [columns.indexOf('key'), columns.indexOf('value')];
  return new Map(rows.map((row) => [String(row[key]), String(row[value])]));
}
