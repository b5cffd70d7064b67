import { type FaceRow, type SealedRow, toFaceRecord, toSealedFace } from '../../rows.ts';
import type { FaceStore } from '../../store.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseDependents } from './crops.ts';
import { enrol } from './enrol.ts';

export function sqliteFaces(db: SqliteDatabase): FaceStore {
  return {
    enrol: (gallery, face, replace, version) => enrol(db, gallery, face, replace, version),
    get: async (gallery, userId) => {
      const row = db.get<FaceRow & SealedRow & { contract: string }>(
        `SELECT f.*, CASE WHEN g.contract = g.next_contract AND EXISTS (SELECT 1 FROM next_templates n
             WHERE n.gallery = f.gallery AND n.user_id = f.user_id) THEN g.former_contract ELSE g.contract END AS contract
         FROM faces f JOIN galleries g ON g.id = f.gallery WHERE f.gallery = ? AND f.user_id = ?`,
        gallery,
        userId,
      );
      return row ? { ...toFaceRecord(row), ...toSealedFace(row), embeddingSpec: row.contract } : null;
    },
    list: async (gallery, page = {}) =>
      db
        .all<FaceRow>(
          `SELECT user_id, user_name, created_at, updated_at FROM faces
           WHERE gallery = ? AND user_id > ? ORDER BY user_id LIMIT ?`,
          gallery,
          page.after ?? '',
          page.limit ?? -1,
        )
        .map(toFaceRecord),
    slice: async (gallery, after, limit) => {
      const now = stateOf(db, gallery);
      if (!now) return null;
      const faces = readSlice(db, gallery, after, limit).map(toSealedFace);
      return { version: now.version, faces, total: now.faces };
    },
    remove: (gallery, userId) => remove(db, gallery, userId),
  };
}

function readSlice(db: SqliteDatabase, gallery: number, after: number, limit: number): SealedRow[] {
  return db.all<SealedRow>(
    'SELECT user_id, user_name, template, seq FROM faces WHERE gallery = ? AND seq > ? ORDER BY seq LIMIT ?',
    gallery,
    after,
    limit,
  );
}

function stateOf(db: SqliteDatabase, gallery: number): { version: number; faces: number } | undefined {
  return db.get('SELECT version, faces FROM galleries WHERE id = ? AND client_id IS NOT NULL', gallery);
}

const refusedOfUser = `
  DELETE FROM refused_calls WHERE user_id = ?2 AND (client_id, gallery_id) =
    (SELECT client_id, gallery_id FROM galleries WHERE id = ?1)`;

async function remove(db: SqliteDatabase, gallery: number, userId: string): Promise<number | false> {
  const version = await db.write(() => {
    if (db.run('DELETE FROM faces WHERE gallery = ? AND user_id = ?', gallery, userId) === 0) return false;
    eraseDependents(db, gallery, userId, { keepCrops: false });
    db.run(refusedOfUser, gallery, userId);
    const row = db.get<{ version: number }>(
      `UPDATE galleries SET version = version + 1, faces = faces - 1,
         contract = CASE WHEN faces = 1 THEN NULL ELSE contract END
       WHERE id = ? RETURNING version`,
      gallery,
    );
    if (!row) throw new Error('a face had no gallery');
    return row.version;
  });
  if (version !== false) db.purge();
  return version;
}
