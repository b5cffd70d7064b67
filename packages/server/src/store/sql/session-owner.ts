import type { SessionOwner, SessionPerson } from '../session-store.ts';
import type { SqlExecutor } from './executor.ts';

type OwnedTable = 'liveness_frames' | 'liveness_sessions';

/** Erases the rows of a table that name a user, or any user of a gallery. @returns how many */
export function eraseRowsOf(
  db: Pick<SqlExecutor, 'erase'>,
  table: OwnedTable,
  owner: SessionOwner | SessionPerson,
): Promise<number> {
  const { where, values } = ownedBy(owner);
  return db.erase(`DELETE FROM ${table} WHERE ${where}`, ...values);
}

/** Condition on the rows of an owner. */
export function ownedBy({ clientId, galleryId, userId }: SessionOwner | SessionPerson) {
  const values = [clientId];
  const conditions = ['client_id = $1'];
  if (galleryId !== undefined) conditions.push(`gallery_id = $${values.push(galleryId)}`);
  if (userId !== undefined) conditions.push(`user_id = $${values.push(userId)}`);
  return { where: conditions.join(' AND '), values };
}
