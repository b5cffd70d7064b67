import type { Erasure } from '../../crop-store.ts';
import { hasExpired } from '../../people/postgres.ts';
import { countRemoval } from '../../sql/faces.ts';
import { erasePeople } from '../../tables.ts';
import { writeEvent } from '../../webhooks/postgres.ts';
import type { Session } from '../connection/database.ts';

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
  for (const sql of erasePeople()) await session.run(sql, gallery, userId);
  await writeEvent(session, event);
  const row = await session.get<{ version: number }>(countRemoval, gallery);
  if (!row) throw new Error('a face had no gallery');
  return row.version;
}
