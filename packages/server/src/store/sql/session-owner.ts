import type { SessionOwner, SessionPerson } from '../session-store.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';

type OwnedTable = 'liveness_frames' | 'liveness_sessions';

/** Erases the rows of a table that name a user, or any user of a gallery. @returns how many */
export function eraseRowsOf(
  db: Pick<SqlExecutor, 'erase'>,
  table: OwnedTable,
  owner: SessionOwner | SessionPerson,
): Promise<number> {
  const { where, values } = ownedBy(owner, table);
  return db.erase(`DELETE FROM ${table} WHERE ${where}`, ...values);
}

/** Condition on the rows of an owner. Frames of a subject are known while the session is there. */
export function ownedBy(owner: SessionOwner | SessionPerson, table: OwnedTable) {
  const { clientId, galleryId, userId } = owner;
  const values: SqlValue[] = [clientId];
  const conditions = ['client_id = $1'];
  if (galleryId !== undefined) conditions.push(`gallery_id = $${values.push(galleryId)}`);
  const subject = 'subject' in owner ? owner.subject : undefined;
  if (userId !== undefined && subject !== undefined) {
    const user = `user_id = $${values.push(userId)}`;
    const digest = `subject = $${values.push(subject)}`;
    const sessions = `SELECT id FROM liveness_sessions WHERE client_id = $1 AND ${digest}`;
    conditions.push(`(${user} OR ${table === 'liveness_sessions' ? digest : `session IN (${sessions})`})`);
  } else if (userId !== undefined) conditions.push(`user_id = $${values.push(userId)}`);
  return { where: conditions.join(' AND '), values };
}
