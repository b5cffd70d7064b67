import type { CropStore, PictureRecord, PictureStore, SubjectStore } from '../crop-store.ts';
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
  | 'gallery_scores'
  | 'face_pictures'
  | 'named_subjects';

/** Finds the key of a gallery: internal number, wrapped key. */
export const selectKey = 'SELECT 1 FROM gallery_keys WHERE gallery = $1 AND wrapped_key = $2';

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

interface PictureRow {
  readonly picture_id: string;
  readonly user_id: string;
  readonly place: number;
}

const toPicture = ({ picture_id: pictureId, user_id: userId, place }: PictureRow): PictureRecord => ({
  pictureId,
  userId,
  place,
});

/** Internal number of the gallery, user_id, number of pictures that the person has. */
export const deletePicturesBeyond =
  'DELETE FROM face_pictures WHERE gallery = $1 AND user_id = $2 AND place >= $3';

/** Internal number of the gallery, user_id, place, id. */
export const insertPicture =
  'INSERT INTO face_pictures (gallery, user_id, place, picture_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';

/** Internal number of the gallery, user_id. */
const deleteSubject = 'DELETE FROM named_subjects WHERE gallery = $1 AND user_id = $2';

/** All of `PictureStore` but the writes, which differ between the databases. */
export function sqlPictures(db: SqlExecutor): Omit<PictureStore, 'assign'> {
  const from = 'FROM face_pictures WHERE gallery = $1';
  return {
    get: async (gallery, pictureId) => {
      const row = await db.get<PictureRow>(`SELECT * ${from} AND picture_id = $2`, gallery, pictureId);
      return row ? toPicture(row) : null;
    },
    count: async (gallery, userId) => {
      const row =
        userId === undefined
          ? await db.get<{ count: number }>(`SELECT count(*) AS count ${from}`, gallery)
          : await db.get<{ count: number }>(
              `SELECT count(*) AS count ${from} AND user_id = $2`,
              gallery,
              userId,
            );
      return row?.count ?? 0;
    },
    page: async (gallery, { userId, offset, limit }) => {
      const order = 'ORDER BY user_id, place LIMIT $2 OFFSET $3';
      const rows =
        userId === undefined
          ? await db.all<PictureRow>(`SELECT * ${from} ${order}`, gallery, limit, offset)
          : await db.all<PictureRow>(
              `SELECT * ${from} AND user_id = $4 ${order}`,
              gallery,
              limit,
              offset,
              userId,
            );
      return rows.map(toPicture);
    },
  };
}

/** @param lock of the gallery, so that it is not erased until the name is written; empty where writes have an order */
export function sqlSubjects(db: SqlExecutor, lock: '' | 'FOR KEY SHARE'): SubjectStore {
  const insert = `
    INSERT INTO named_subjects (gallery, user_id)
      SELECT id, CAST($2 AS text) FROM galleries WHERE id = $1 AND client_id IS NOT NULL ${lock}
      ON CONFLICT DO NOTHING`;
  return {
    add: async (gallery, userId) => (await db.run(insert, gallery, userId)) === 1,
    list: async (gallery) => {
      const sql = 'SELECT user_id FROM named_subjects WHERE gallery = $1 ORDER BY user_id';
      return (await db.all<{ user_id: string }>(sql, gallery)).map(({ user_id: userId }) => userId);
    },
    remove: async (gallery, userId) => (await db.erase(deleteSubject, gallery, userId)) > 0,
  };
}
