import type { PictureStore } from '../../crop-store.ts';
import { moveTerms } from '../../people/rows.ts';
import type { GalleryStateRow } from '../../rows.ts';
import { deletePicturesBeyond, insertPicture, sqlPictures } from '../../sql/faces.ts';
import type { EnrolRefusal, Rewrite } from '../../store.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { createdAtOf, hasKey, write } from './enrol.ts';
import { removeFace } from './remove.ts';

export function sqlitePictures(db: SqliteDatabase): PictureStore {
  return {
    ...sqlPictures(db.executor),
    assign: (gallery, faces) =>
      db.write(() => {
        for (const { userId, seq, ids } of faces) {
          const current = 'SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2 AND seq = $3';
          if (!db.get(current, gallery, userId, seq)) continue;
          db.run(deletePicturesBeyond, gallery, userId, ids.length);
          for (const [place, id] of ids.entries()) db.run(insertPicture, gallery, userId, place, id);
        }
      }),
  };
}

/** See `FaceStore.rewrite`. */
export async function rewrite(
  db: SqliteDatabase,
  gallery: number,
  { remove, face, event }: Rewrite,
  version: number,
): Promise<number | EnrolRefusal> {
  const written = await db.write(
    () => {
      const place = db.get<GalleryStateRow>(
        'SELECT client_id, contract, version FROM galleries WHERE id = ? AND client_id IS NOT NULL',
        gallery,
      );
      if (!place) return 'gone';
      if (version !== place.version || (face?.sealedWith && !hasKey(db, gallery, face.sealedWith)))
        return 'changed';
      if (face && place.contract !== null && place.contract !== face.embeddingSpec) return 'embedding-spec';
      const since = face && createdAtOf(db, gallery, face.userId);
      if (face && remove !== undefined && since === undefined)
        db.run(moveTerms, gallery, remove, face.userId);
      const removed = remove === undefined ? version : removeFace(db, gallery, remove, { event });
      if (!face) return removed === false ? 'changed' : removed;
      const { crops, pictures, ...row } = face;
      const seq = write(db, gallery, { ...row, moreCrops: crops }, since);
      for (const [at, id] of pictures.entries()) db.run(insertPicture, gallery, face.userId, at, id);
      return seq;
    },
    { erases: true },
  );
  if (typeof written === 'number') db.purge();
  return written;
}
