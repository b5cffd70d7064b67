import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlValue } from '../../sql/executor.ts';
import { tablesNamingGalleries } from '../../tables.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseSlice as eraseRows } from './crops.ts';

/** Rows erased in one turn of the event loop: about 5 ms. A crop takes about ten pages. */
const slices = [
  ['face_crops', 100],
  ['next_templates', 500],
  ['faces', 500],
  // Last: without faces nobody is marked any longer.
  ['different_people', 500],
  ['person_terms', 500],
  ['gallery_scores', 500],
  ['face_pictures', 500],
  ['named_subjects', 500],
] as const;

/**
 * First step of erasing galleries, in the caller's transaction: detaches them from their client, so that no query finds
 * or counts them, and erases their keys, so that no template opens, and what calls left
 * behind of them.
 * @param which SQL condition on the galleries
 */
export function detachGalleries(db: SqliteDatabase, which: string, ...values: SqlValue[]): number {
  db.run(
    `UPDATE gallery_keys SET wrapped_key = zeroblob(length(wrapped_key))
     WHERE gallery IN (SELECT id FROM galleries WHERE ${which})`,
    ...values,
  );
  db.run(eraseFormerKeys(`gallery IN (SELECT id FROM galleries WHERE ${which})`), ...values);
  db.run(`DELETE FROM gallery_cohorts WHERE gallery IN (SELECT id FROM galleries WHERE ${which})`, ...values);
  for (const table of tablesNamingGalleries) {
    db.run(
      `DELETE FROM ${table} WHERE (client_id, gallery_id) IN
         (SELECT client_id, gallery_id FROM galleries WHERE ${which})`,
      ...values,
    );
  }
  return db.run(`UPDATE galleries SET client_id = NULL, gallery_id = '' WHERE ${which}`, ...values);
}

/** Overwrites former keys. @param which SQL condition */
export function eraseFormerKeys(which: string): string {
  return `UPDATE former_gallery_keys SET wrapped_key = zeroblob(length(wrapped_key)) WHERE ${which}`;
}

/** Second step: erases the rows of detached galleries, in slices. */
export async function eraseDetached(db: SqliteDatabase): Promise<void> {
  while (eraseSlice(db)) await nextTurn();
  db.purge();
}

/** Completes the erasures of a process that ended. */
export function eraseLeftovers(db: SqliteDatabase): void {
  if (!eraseSlice(db)) return;
  while (eraseSlice(db));
  db.purge();
}

/** @returns false when there was nothing left to erase */
function eraseSlice(db: SqliteDatabase): boolean {
  return db.transaction(() => {
    const gallery = db.get<{ id: number }>('SELECT id FROM galleries WHERE client_id IS NULL LIMIT 1');
    if (!gallery) return false;
    for (const [table, limit] of slices) if (eraseRows(db, table, gallery.id, limit) === limit) return true;
    db.run('DELETE FROM galleries WHERE id = ?', gallery.id);
    return true;
  });
}
