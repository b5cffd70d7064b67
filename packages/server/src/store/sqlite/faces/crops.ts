import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CropStore } from '../../crop-store.ts';
import { cropsOf, deletePicturesBeyond, type GalleryTable, sqlCrops } from '../../sql/faces.ts';
import type { NewFace } from '../../store.ts';
import type { SqliteDatabase } from '../connection/database.ts';

/** Crops erased in one turn of the event loop; each takes about ten pages. */
const sliceCrops = 100;

export function sqliteCrops(db: SqliteDatabase): CropStore {
  return sqlCrops(db.executor, async (gallery) => {
    for (let total = 0; ; await nextTurn()) {
      const erased = await db.write(() => eraseSlice(db, 'face_crops', gallery, sliceCrops), {
        erases: true,
      });
      total += erased;
      if (erased === sliceCrops) continue;
      if (total > 0) db.purge();
      return total;
    }
  });
}

/** Inside the caller's transaction. @returns number of rows of the gallery that were erased, at most `limit` */
export function eraseSlice(db: SqliteDatabase, table: GalleryTable, gallery: number, limit: number): number {
  const sql = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE gallery = $1 LIMIT $2)`;
  return db.run(sql, gallery, limit);
}

/** Erases what belongs to a face, inside the transaction that erases or replaces the face. */
export function eraseDependents(
  db: SqliteDatabase,
  gallery: number,
  userId: string,
  { keepCrops }: { readonly keepCrops: boolean },
): void {
  if (!keepCrops) {
    db.run('DELETE FROM face_crops WHERE gallery = $1 AND user_id = $2', gallery, userId);
    db.run(deletePicturesBeyond, gallery, userId, 0);
  }
  db.run('DELETE FROM next_templates WHERE gallery = $1 AND user_id = $2', gallery, userId);
}

/** Inside the transaction that writes the face. */
export function writeCrops(db: SqliteDatabase, gallery: number, face: NewFace): void {
  for (const crop of cropsOf(face)) {
    db.run(
      `INSERT INTO face_crops (gallery, user_id, place, crop)
       SELECT $1, $2, coalesce(max(place) + 1, 0), $3 FROM face_crops WHERE gallery = $1 AND user_id = $2`,
      gallery,
      face.userId,
      crop,
    );
  }
}
