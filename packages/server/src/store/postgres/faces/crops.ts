import type { CropStore } from '../../crop-store.ts';
import { cropsOf, deletePicturesBeyond, type GalleryTable, sqlCrops } from '../../sql/faces.ts';
import type { NewFace } from '../../store.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';

/** Crops erased in one transaction. */
const sliceCrops = 500;

export function postgresCrops(db: PostgresDatabase): CropStore {
  return sqlCrops(db, async (gallery) => {
    for (let total = 0; ; ) {
      const erased = await eraseSlice(db, 'face_crops', gallery, sliceCrops);
      total += erased;
      if (erased < sliceCrops) return total;
    }
  });
}

/** Columns that identify a row within its gallery. */
const keys: { readonly [Table in GalleryTable]?: string } = {
  face_crops: 'user_id, place',
  face_pictures: 'user_id, place',
  different_people: 'user_a, user_b',
  gallery_scores: 'day, comparison, bin',
};

/** @returns number of rows of the gallery that were erased, at most `limit` */
export function eraseSlice(
  session: Session,
  table: GalleryTable,
  gallery: number,
  limit: number,
): Promise<number> {
  const key = keys[table] ?? 'user_id';
  return session.run(
    `DELETE FROM ${table} WHERE gallery = $1 AND (${key}) IN
       (SELECT ${key} FROM ${table} WHERE gallery = $1 LIMIT $2)`,
    gallery,
    limit,
  );
}

/** Erases what belongs to a face, inside the transaction that erases or replaces the face. */
export async function eraseDependents(
  session: Session,
  gallery: number,
  userId: string,
  { keepCrops }: { readonly keepCrops: boolean },
): Promise<void> {
  const crops = 'DELETE FROM face_crops WHERE gallery = $1 AND user_id = $2';
  if (!keepCrops) {
    await session.run(crops, gallery, userId);
    await session.run(deletePicturesBeyond, gallery, userId, 0);
  }
  await session.run('DELETE FROM next_templates WHERE gallery = $1 AND user_id = $2', gallery, userId);
}

/** Inside the transaction that writes the face. */
export async function writeCrops(session: Session, gallery: number, face: NewFace): Promise<void> {
  for (const crop of cropsOf(face)) {
    await session.run(
      `INSERT INTO face_crops (gallery, user_id, place, crop)
       SELECT $1::bigint, $2::text, coalesce(max(place) + 1, 0), $3::bytea FROM face_crops
       WHERE gallery = $1 AND user_id = $2`,
      gallery,
      face.userId,
      crop,
    );
  }
}
