import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { OperatorError } from '../../errors.ts';
import { createAuditStore } from '../audit-store.ts';
import { createMetaStore } from '../meta-store.ts';
import { migrations } from '../schema.ts';
import { syncPath } from '../sqlite/connection/backup.ts';
import { SqliteDatabase } from '../sqlite/connection/database.ts';
import { findDamage } from '../sqlite/connection/integrity.ts';
import { migrate } from '../sqlite/migrate.ts';
import { copiedTables } from '../tables.ts';
import { requireKnownSchema } from '../upgrade.ts';
import type { BackupContent } from './backup-lines.ts';
import { loadBackup, type Restoring } from './load-backup.ts';

/**
 * Restores into a new file, which takes the place of the database when it is complete, checked and on disk. Requires the
 * lock of the data directory.
 * @param file the database; the former one, where it is replaced, stays beside it
 * @returns also the name of the former one
 * @throws OperatorError when the database holds clients and `force` is not set
 */
export async function restoreSqlite(
  file: string,
  { lines, force, requireMeta, progress, record }: Restoring,
): Promise<BackupContent & { readonly former: string | null }> {
  const isUsed = existsSync(file) && requireReplaceable(file, force);
  const draft = `${file}.restoring`;
  removeDatabase(draft);
  const db = new SqliteDatabase(draft);
  try {
    const prepare = async ({ store, schema }: BackupContent['head']) => {
      // Of another kind of store only the newest schema is known to fit.
      if (store === 'sqlite') requireKnownSchema('sqlite', schema, null);
      const steps = migrations.sqlite.filter(({ number }) => store !== 'sqlite' || number <= schema);
      migrate(db, steps);
      removeFirstRows(db);
      return db.shared;
    };
    const content = await loadBackup(lines(), prepare, requireMeta, progress);
    migrate(db);
    await record({ meta: createMetaStore(db.shared), audit: createAuditStore(db.shared) });
    const damage = findDamage(db);
    if (damage !== null) throw new OperatorError(`the restored file is damaged (${damage})`);
    await db.flushAndClose();
    return { ...content, former: replace(draft, file, isUsed) };
  } catch (error) {
    db.close();
    removeDatabase(draft);
    throw error;
  }
}

/** Rows that the schema begins with. */
function removeFirstRows(db: SqliteDatabase): void {
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const present = new Set(tables.map(({ name }) => name));
  for (const { name } of copiedTables) if (present.has(name)) db.run(`DELETE FROM ${name}`);
}

/** Also writes the log of the former database into its file. @returns whether it holds clients */
function requireReplaceable(file: string, force: boolean): boolean {
  const db = new SqliteDatabase(file);
  try {
    const there = db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'clients'");
    const clients = there
      ? (db.get<{ count: number }>('SELECT count(*) AS count FROM clients')?.count ?? 0)
      : 0;
    if (clients === 0 || force) return clients > 0;
    throw new OperatorError(
      `${file} holds ${clients} ${clients === 1 ? 'client' : 'clients'}; add --force to replace it (the former file is kept)`,
    );
  } finally {
    db.close();
  }
}

/** The name of the database is never without a file. */
function replace(draft: string, file: string, keep: boolean): string | null {
  syncPath(draft);
  const former = keep ? `${file}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  if (former !== null) linkSync(file, former);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(draft, file);
  for (const end of ['-wal', '-shm']) rmSync(draft + end, { force: true });
  syncPath(file.slice(0, file.lastIndexOf('/') + 1) || '.');
  return former;
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}
