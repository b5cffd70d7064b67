import type { CropStore } from '../crop-store.ts';
import { suspendedUsers } from '../people/rows.ts';
import { type CropRow, type FaceRow, type SealedRow, toCrop, toFaceRecord, toSealedFace } from '../rows.ts';
import type { FaceStore, NewFace } from '../store.ts';
import type { SqlExecutor } from './executor.ts';

/** Tables whose rows belong to a gallery, in the order in which they are erased. */
export type GalleryTable =
  | 'face_crops'
  | 'next_templates'
  | 'different_people'
  | 'faces'
  | 'person_terms'
  | 'gallery_scores';

/** Finds the key of a gallery: internal number, wrapped key. */
export const selectKey = 'SELECT 1 FROM gallery_keys WHERE gallery = $1 AND wrapped_key = $2';

/** Refused calls of one user: internal gallery number, user_id. */
export const deleteRefusedCallsOfUser = `
  DELETE FROM refused_calls WHERE user_id = $2 AND (client_id, gallery_id) =
    (SELECT client_id, gallery_id FROM galleries WHERE id = $1)`;

/** Condition on faces of the gallery $1: their people are not suspended. */
export const isMatched = `AND user_id NOT IN (${suspendedUsers})`;

/** After a face was deleted; without faces a gallery accepts every embedding spec. */
export const countRemoval = `
  UPDATE galleries SET version = version + 1, faces = faces - 1,
    contract = CASE WHEN faces = 1 THEN NULL ELSE contract END
   WHERE id = $1 RETURNING version`;

/** @param spec SQL expression of the embedding spec of face f in gallery g */
export function sqlFaces(db: SqlExecutor, spec: string): Pick<FaceStore, 'get' | 'list'> {
  return {
    get: async (gallery, userId) => {
      const row = await db.get<FaceRow & SealedRow & { contract: string; suspended_at: number | null }>(
        `SELECT f.*, ${spec} AS contract, t.suspended_at FROM faces f JOIN galleries g ON g.id = f.gallery
         LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id
         WHERE f.gallery = $1 AND f.user_id = $2`,
        gallery,
        userId,
      );
      if (!row) return null;
      const suspendedAt = row.suspended_at === null ? null : new Date(row.suspended_at);
      return { ...toFaceRecord(row), ...toSealedFace(row), embeddingSpec: row.contract, suspendedAt };
    },
    list: async (gallery, { after = '', limit = Number.MAX_SAFE_INTEGER, matched = false } = {}) => {
      const sql = `SELECT user_id, user_name, created_at, updated_at FROM faces
         WHERE gallery = $1 AND user_id > $2 ${matched ? isMatched : ''} ORDER BY user_id LIMIT $3`;
      return (await db.all<FaceRow>(sql, gallery, after, limit)).map(toFaceRecord);
    },
  };
}

/** The crops to be written with a face. */
export function cropsOf({
  crop,
  moreCrops = [],
}: Pick<NewFace, 'crop' | 'moreCrops'>): readonly Uint8Array[] {
  return crop ? [crop, ...moreCrops] : moreCrops;
}

/** @param eraseAll erases all crops of a gallery in slices, returns how many */
export function sqlCrops(db: SqlExecutor, eraseAll: (gallery: number) => Promise<number>): CropStore {
  return {
    get: async (gallery, userId) => {
      const sql = 'SELECT crop FROM face_crops WHERE gallery = $1 AND user_id = $2 ORDER BY place';
      return (await db.all<CropRow>(sql, gallery, userId)).map(toCrop);
    },
    erase: async (galleries) => {
      let erased = 0;
      for (const gallery of galleries) erased += await eraseAll(gallery);
      return erased;
    },
    count: () => countCrops(db),
  };
}

export async function countCrops(db: Pick<SqlExecutor, 'get'>): Promise<number> {
  return (await db.get<{ count: number }>('SELECT count(*) AS count FROM face_crops'))?.count ?? 0;
}
