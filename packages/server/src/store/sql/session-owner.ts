import type { SessionOwner } from '../session-store.ts';
import type { SqlExecutor } from './executor.ts';

/** Erases the rows of a table that name a user, or any user of a gallery. */
export async function eraseRowsOf(
  db: Pick<SqlExecutor, 'erase'>,
  table: 'liveness_frames' | 'liveness_sessions',
  { clientId, galleryId, userId }: SessionOwner,
): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE client_id = $1 AND gallery_id = $2`;
  if (userId === undefined) await db.erase(sql, clientId, galleryId);
  else await db.erase(`${sql} AND user_id = $3`, clientId, galleryId, userId);
}
