import type { CropStore, FaceWrite } from '../../crop-store.ts';
import { type CropRow, toCrop } from '../../rows.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';

/** Crops erased in one transaction. */
const sliceCrops = 500;

export function postgresCrops(db: PostgresDatabase): CropStore {
  return {
    get: async (gallery, userId) => {
      const rows = await db.all<CropRow>(
        'SELECT crop FROM face_crops WHERE gallery = $1 AND user_id = $2 ORDER BY place',
        gallery,
        userId,
      );
      return rows.map(toCrop);
    },
    async erase(galleries) {
      let erased = 0;
      for (const gallery of galleries) {
        for (;;) {
          const some = await eraseSlice(db, 'face_crops', gallery, sliceCrops);
          erased += some;
          if (some < sliceCrops) break;
        }
      }
      return erased;
    },
    count: () => countCrops(db),
  };
}

export async function countCrops(session: Session): Promise<number> {
  const row = await session.get<{ count: number }>('SELECT count(*) AS count FROM face_crops');
  return row?.count ?? 0;
}

/** @returns how many rows of a gallery were erased: at most `limit` */
export function eraseSlice(
  session: Session,
  table: 'face_crops' | 'next_templates' | 'faces',
  gallery: number,
  limit: number,
): Promise<number> {
  const key = table === 'face_crops' ? 'user_id, place' : 'user_id';
  return session.run(
    `DELETE FROM ${table} WHERE gallery = $1 AND (${key}) IN
       (SELECT ${key} FROM ${table} WHERE gallery = $1 LIMIT $2)`,
    gallery,
    limit,
  );
}

/** What hangs on a face that is erased or replaced, inside the transaction that does it. */
export async function eraseDependents(
  session: Session,
  gallery: number,
  userId: string,
  { keepCrops }: { readonly keepCrops: boolean },
): Promise<void> {
  if (!keepCrops) {
    await session.run('DELETE FROM face_crops WHERE gallery = $1 AND user_id = $2', gallery, userId);
  }
  await session.run('DELETE FROM next_templates WHERE gallery = $1 AND user_id = $2', gallery, userId);
}

/** Inside the transaction that writes the face. */
export async function writeCrop(
  session: Session,
  gallery: number,
  { userId, crop }: FaceWrite,
): Promise<void> {
  if (!crop) return;
  await session.run(
    `INSERT INTO face_crops (gallery, user_id, place, crop)
     SELECT $1::bigint, $2::text, coalesce(max(place) + 1, 0), $3::bytea FROM face_crops
     WHERE gallery = $1 AND user_id = $2`,
    gallery,
    userId,
    crop,
  );
}
