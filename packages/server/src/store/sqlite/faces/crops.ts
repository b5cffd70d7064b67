import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CropStore, FaceWrite } from '../../crop-store.ts';
import { type CropRow, toCrop } from '../../rows.ts';
import type { SqliteDatabase } from '../connection/database.ts';

/** Crops erased in one turn of the event loop; each lies on about ten pages. */
const sliceCrops = 100;

export function sqliteCrops(db: SqliteDatabase): CropStore {
  return {
    get: async (gallery, userId) =>
      db
        .all<CropRow>(
          'SELECT crop FROM face_crops WHERE gallery = ? AND user_id = ? ORDER BY place',
          gallery,
          userId,
        )
        .map(toCrop),
    async erase(galleries) {
      let erased = 0;
      for (const gallery of galleries) {
        for (;;) {
          const some = await db.write(() => eraseSlice(db, 'face_crops', gallery, sliceCrops));
          erased += some;
          if (some < sliceCrops) break;
          await nextTurn();
        }
      }
      if (erased > 0) db.purge();
      return erased;
    },
    count: async () => countCrops(db),
  };
}

export function countCrops(db: SqliteDatabase): number {
  return db.get<{ count: number }>('SELECT count(*) AS count FROM face_crops')?.count ?? 0;
}

/** Inside a transaction of the caller. @returns how many rows of a gallery were erased: at most `limit` */
export function eraseSlice(
  db: SqliteDatabase,
  table: 'face_crops' | 'next_templates' | 'faces',
  gallery: number,
  limit: number,
): number {
  return db.run(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE gallery = ? LIMIT ?)`,
    gallery,
    limit,
  );
}

/** What hangs on a face that is erased or replaced, inside the transaction that does it. */
export function eraseDependents(
  db: SqliteDatabase,
  gallery: number,
  userId: string,
  { keepCrops }: { readonly keepCrops: boolean },
): void {
  if (!keepCrops) db.run('DELETE FROM face_crops WHERE gallery = ? AND user_id = ?', gallery, userId);
  db.run('DELETE FROM next_templates WHERE gallery = ? AND user_id = ?', gallery, userId);
}

/** Inside the transaction that writes the face. */
export function writeCrop(db: SqliteDatabase, gallery: number, { userId, crop }: FaceWrite): void {
  if (!crop) return;
  db.run(
    `INSERT INTO face_crops (gallery, user_id, place, crop)
     SELECT ?, ?, coalesce(max(place) + 1, 0), ? FROM face_crops WHERE gallery = ? AND user_id = ?`,
    gallery,
    userId,
    crop,
    gallery,
    userId,
  );
}
