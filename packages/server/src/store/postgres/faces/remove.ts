import type { Erasure } from '../../crop-store.ts';
import { hasExpired } from '../../people/postgres.ts';
import { deleteTerms } from '../../people/rows.ts';
import { eraseMarksOf } from '../../sql/different-people.ts';
import { countRemoval, deleteRefusedCallsOfUser, deleteSubject } from '../../sql/faces.ts';
import { writeEvent } from '../../webhooks/postgres.ts';
import { deleteDeliveriesOfUser } from '../../webhooks/sql.ts';
import type { Session } from '../connection/database.ts';
import { eraseDependents } from './crops.ts';

/** Inside a transaction. @returns the gallery's new version, or false when there is no such user */
export async function removeFace(
  session: Session,
  gallery: number,
  userId: string,
  { expiredBy, event }: Erasure = {},
): Promise<number | false> {
  // Locks the gallery before its faces, as every write does, so that no deadlock is possible.
  await session.run('SELECT 1 FROM galleries WHERE id = $1 FOR NO KEY UPDATE', gallery);
  if (expiredBy && !(await hasExpired(session, gallery, userId, expiredBy))) return false;
  const gone = await session.run('DELETE FROM faces WHERE gallery = $1 AND user_id = $2', gallery, userId);
  if (gone === 0) return false;
  await eraseDependents(session, gallery, userId, { keepCrops: false });
  await session.run(eraseMarksOf, gallery, userId);
  await session.run(deleteSubject, gallery, userId);
  await session.run(deleteTerms, gallery, userId);
  await session.run(deleteRefusedCallsOfUser, gallery, userId);
  await session.run(deleteDeliveriesOfUser, gallery, userId);
  await writeEvent(session, event);
  const row = await session.get<{ version: number }>(countRemoval, gallery);
  if (!row) throw new Error('a face had no gallery');
  return row.version;
}
