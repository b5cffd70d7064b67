import type { SqliteDatabase } from '../sqlite/connection/database.ts';
import { expiryOf, type PersonStore, type TermsUpdate } from './person-store.ts';
import { changedTerms, deleteTerms, insertTerms, selectTerms, type TermsRow, toTerms } from './rows.ts';
import { sqlPeople } from './sql.ts';

export function sqlitePeople(db: SqliteDatabase): PersonStore {
  return {
    ...sqlPeople(db.executor),
    update: async (gallery, userId, update) => {
      const done = await db.write(() => {
        if (!isEnrolled(db, gallery, userId)) return false;
        writeTerms(db, gallery, userId, update);
        return true;
      });
      if (done) db.purge();
      return done;
    },
    suspend: (gallery, userId, at) =>
      db.write(() => {
        if (!isEnrolled(db, gallery, userId)) return null;
        if (isSuspended(db, gallery, userId) === (at !== null)) return 'unchanged';
        writeTerms(db, gallery, userId, { suspendedAt: at });
        const sql = 'UPDATE galleries SET version = version + 1 WHERE id = $1 RETURNING version';
        const { version } = db.get<{ version: number }>(sql, gallery)!;
        if (at === null) renewSeq(db, gallery, userId, version);
        return version;
      }),
  };
}

/** In the transaction that writes the face. */
export function writeTerms(
  db: SqliteDatabase,
  gallery: number,
  userId: string,
  update: TermsUpdate & { readonly suspendedAt?: Date | null },
): void {
  const before = db.get<TermsRow>(selectTerms, gallery, userId);
  const after = changedTerms(before, update);
  if (before) db.run(deleteTerms, gallery, userId);
  if (after) db.run(insertTerms, gallery, userId, ...after);
}

export function isSuspended(db: SqliteDatabase, gallery: number, userId: string): boolean {
  return toTerms(db.get<TermsRow>(selectTerms, gallery, userId)).suspendedAt !== null;
}

/** Whether the person was to be erased at a time, in the transaction that erases. */
export function hasExpired(db: SqliteDatabase, gallery: number, userId: string, by: Date): boolean {
  const sql = `SELECT f.created_at, g.retention_days FROM faces f JOIN galleries g ON g.id = f.gallery
    WHERE f.gallery = $1 AND f.user_id = $2`;
  const face = db.get<{ created_at: number; retention_days: number | null }>(sql, gallery, userId);
  if (!face) return false;
  const terms = toTerms(db.get<TermsRow>(selectTerms, gallery, userId));
  const expiry = expiryOf(new Date(face.created_at), face.retention_days, terms);
  return expiry !== null && expiry <= by;
}

function isEnrolled(db: SqliteDatabase, gallery: number, userId: string): boolean {
  return db.get('SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2', gallery, userId) !== undefined;
}

/** Rows of faces are never updated: writes them again, so that caches of the gallery read the face. */
function renewSeq(db: SqliteDatabase, gallery: number, userId: string, seq: number): void {
  for (const [table, columns] of [
    ['faces', 'user_name, template, created_at, updated_at'],
    // Prepared by a template migration for the face as it is.
    ['next_templates', 'template'],
  ]) {
    db.run(
      `INSERT OR REPLACE INTO ${table} (gallery, user_id, seq, ${columns})
       SELECT gallery, user_id, $3, ${columns} FROM ${table} WHERE gallery = $1 AND user_id = $2`,
      ...[gallery, userId, seq],
    );
  }
}
