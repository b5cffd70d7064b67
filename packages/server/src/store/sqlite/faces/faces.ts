import { deleteTerms, suspendedUsers } from '../../people/rows.ts';
import { hasExpired } from '../../people/sqlite.ts';
import { type SealedRow, toSealedFace } from '../../rows.ts';
import { eraseMarksOf } from '../../sql/different-people.ts';
import { countRemoval, deleteRefusedCallsOfUser, isMatched, sqlFaces } from '../../sql/faces.ts';
import type { FaceStore } from '../../store.ts';
import { deleteDeliveriesOfUser } from '../../webhooks/sql.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseDependents } from './crops.ts';
import { enrol } from './enrol.ts';

/** While a gallery is switched, faces with a pending template still have the former embedding spec. */
const spec = `CASE WHEN g.contract = g.next_contract AND EXISTS (SELECT 1 FROM next_templates n
  WHERE n.gallery = f.gallery AND n.user_id = f.user_id) THEN g.former_contract ELSE g.contract END`;

export function sqliteFaces(db: SqliteDatabase): FaceStore {
  return {
    ...sqlFaces(db.executor, spec),
    enrol: (gallery, face, replace, version) => enrol(db, gallery, face, replace, version),
    slice: async (gallery, after, limit) => {
      const state = db.get<{ version: number; faces: number }>(
        `SELECT version, faces - (SELECT count(*) FROM (${suspendedUsers})) AS faces FROM galleries
         WHERE id = $1 AND client_id IS NOT NULL`,
        gallery,
      );
      if (!state) return null;
      const rows = db.all<SealedRow>(
        `SELECT user_id, user_name, template, seq FROM faces
         WHERE gallery = $1 AND seq > $2 ${isMatched} ORDER BY seq LIMIT $3`,
        gallery,
        after,
        limit,
      );
      return { version: state.version, faces: rows.map(toSealedFace), total: state.faces };
    },
    remove: async (gallery, userId, expiredBy) => {
      const version = await db.write(() => removeFace(db, gallery, userId, expiredBy), { erases: true });
      if (version !== false) db.purge();
      return version;
    },
  };
}

function removeFace(
  db: SqliteDatabase,
  gallery: number,
  userId: string,
  expiredBy: Date | undefined,
): number | false {
  if (expiredBy && !hasExpired(db, gallery, userId, expiredBy)) return false;
  if (db.run('DELETE FROM faces WHERE gallery = $1 AND user_id = $2', gallery, userId) === 0) return false;
  eraseDependents(db, gallery, userId, { keepCrops: false });
  db.run(eraseMarksOf, gallery, userId);
  db.run(deleteTerms, gallery, userId);
  db.run(deleteRefusedCallsOfUser, gallery, userId);
  db.run(deleteDeliveriesOfUser, gallery, userId);
  const row = db.get<{ version: number }>(countRemoval, gallery);
  if (!row) throw new Error('a face had no gallery');
  return row.version;
}
