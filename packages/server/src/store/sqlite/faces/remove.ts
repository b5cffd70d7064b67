import type { Erasure } from '../../crop-store.ts';
import { hasExpired } from '../../people/sqlite.ts';
import { countRemoval } from '../../sql/faces.ts';
import { erasePeople } from '../../tables.ts';
import { writeEvent } from '../../webhooks/sqlite.ts';
import type { SqliteDatabase } from '../connection/database.ts';

/** Inside a transaction. @returns the gallery's new version, or false when there is no such user */
export function removeFace(
  db: SqliteDatabase,
  gallery: number,
  userId: string,
  { expiredBy, event }: Erasure = {},
): number | false {
  if (expiredBy && !hasExpired(db, gallery, userId, expiredBy)) return false;
  if (db.run('DELETE FROM faces WHERE gallery = $1 AND user_id = $2', gallery, userId) === 0) return false;
  for (const sql of erasePeople()) db.run(sql, gallery, userId);
  writeEvent(db, event);
  const row = db.get<{ version: number }>(countRemoval, gallery);
  if (!row) throw new Error('a face had no gallery');
  return row.version;
}
