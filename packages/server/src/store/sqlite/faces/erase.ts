import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlValue } from '../../sql/executor.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseSlice as eraseRows } from './crops.ts';

/** Rows erased in one turn of the event loop: about 5 ms. A crop lies on about ten pages. */
const slices = [
  ['face_crops', 100],
  ['next_templates', 500],
  ['faces', 500],
] as const;

/**
 * First step of erasing galleries, inside a transaction of the caller: they belong to nobody from now on, so no
 * query finds or counts them, and their keys are gone, so no template opens. What was refused of their users goes at once.
 * @param which condition on the galleries
 */
export function detachGalleries(db: SqliteDatabase, which: string, ...values: SqlValue[]): number {
  db.run(
    `UPDATE gallery_keys SET wrapped_key = zeroblob(length(wrapped_key))
     WHERE gallery IN (SELECT id FROM galleries WHERE ${which})`,
    ...values,
  );
  db.run(
    `DELETE FROM refused_calls WHERE (client_id, gallery_id) IN
       (SELECT client_id, gallery_id FROM galleries WHERE ${which})`,
    ...values,
  );
  return db.run(`UPDATE galleries SET client_id = NULL, gallery_id = '' WHERE ${which}`, ...values);
}

/** Second step: takes what belongs to nobody from the disk, in slices, for it can be very much. */
export async function eraseDetached(db: SqliteDatabase): Promise<void> {
  while (eraseSlice(db)) await nextTurn();
  db.purge();
}

/** What an interrupted process left to be erased. */
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
