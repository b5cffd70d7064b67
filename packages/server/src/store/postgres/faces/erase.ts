import { tablesNamingGalleries } from '../../tables.ts';
import type { PostgresDatabase, Session, SqlValue } from '../connection/database.ts';
import { eraseSlice as eraseRows } from './crops.ts';

/** Rows erased in one transaction. */
const slices = [
  ['face_crops', 500],
  ['next_templates', 5000],
  ['faces', 5000],
  // Last: without faces nobody is marked any longer.
  ['different_people', 5000],
  ['person_terms', 5000],
  ['gallery_scores', 5000],
  ['face_pictures', 5000],
  ['named_subjects', 5000],
] as const;

/**
 * First step of erasing galleries, in the caller's transaction: detaches them from their client, so that no query finds
 * or counts them, and deletes their keys, so that no template opens.
 *
 * @NOTE PostgreSQL keeps the old version of a row until it is vacuumed, and its log and its backups keep it longer.
 * @param which SQL condition on the galleries
 */
export async function detachGalleries(
  session: Session,
  which: string,
  ...values: SqlValue[]
): Promise<number> {
  for (const table of tablesNamingGalleries) {
    await session.run(
      `DELETE FROM ${table} WHERE (client_id, gallery_id) IN
         (SELECT client_id, gallery_id FROM galleries WHERE ${which})`,
      ...values,
    );
  }
  const detached = await session.all<{ id: number }>(
    `UPDATE galleries SET client_id = NULL, gallery_id = '' WHERE ${which} RETURNING id`,
    ...values,
  );
  const ids = detached.map(({ id }) => id);
  for (const table of ids.length > 0 ? ['gallery_cohorts', 'gallery_keys', 'former_gallery_keys'] : [])
    await session.run(`DELETE FROM ${table} WHERE gallery = ANY($1::bigint[])`, ids);
  return ids.length;
}

/**
 * Second step: deletes the rows of detached galleries in slices, also those that another server left. Skips galleries
 * that another server is erasing.
 */
export async function eraseDetached(db: PostgresDatabase): Promise<void> {
  while (await eraseSlice(db));
}

/** @returns false when there was nothing left to erase */
function eraseSlice(db: PostgresDatabase): Promise<boolean> {
  return db.transaction(async (session) => {
    const gallery = await session.get<{ id: number }>(
      'SELECT id FROM galleries WHERE client_id IS NULL LIMIT 1 FOR UPDATE SKIP LOCKED',
    );
    if (!gallery) return false;
    for (const [table, limit] of slices) {
      if ((await eraseRows(session, table, gallery.id, limit)) === limit) return true;
    }
    await session.run('DELETE FROM galleries WHERE id = $1', gallery.id);
    return true;
  });
}
