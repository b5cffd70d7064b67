import type { PictureStore } from '../../crop-store.ts';
import { moveTerms } from '../../people/rows.ts';
import { insertPicture, selectKey, sqlPictures } from '../../sql/faces.ts';
import type { EnrolRefusal, Rewrite } from '../../store.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';
import { eraseDependents, writeCrops } from './crops.ts';
import { lockGallery, write } from './enrol.ts';
import { removeFace } from './remove.ts';

/** Ids of pictures that a face no longer has. */
const eraseBeyond = `
  DELETE FROM face_pictures p USING unnest($2::text[], $3::bigint[], $4::bigint[]) AS u (user_id, seq, count)
   WHERE p.gallery = $1 AND p.user_id = u.user_id AND p.place >= u.count AND EXISTS
     (SELECT 1 FROM faces f WHERE f.gallery = $1 AND f.user_id = u.user_id AND f.seq = u.seq)`;

const assignMissing = `
  INSERT INTO face_pictures (gallery, user_id, place, picture_id)
    SELECT $1, u.user_id, u.place, u.picture_id
      FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) AS u (user_id, seq, place, picture_id)
      JOIN faces f ON f.gallery = $1 AND f.user_id = u.user_id AND f.seq = u.seq
    ON CONFLICT DO NOTHING`;

export function postgresPictures(db: PostgresDatabase): PictureStore {
  return {
    ...sqlPictures(db),
    assign: (gallery, faces) =>
      db.transaction(async (session) => {
        // Waits for writes and erasures, which lock the gallery.
        await session.run('SELECT 1 FROM galleries WHERE id = $1 FOR NO KEY UPDATE', gallery);
        const users = faces.map(({ userId }) => userId);
        await session.run(
          eraseBeyond,
          gallery,
          users,
          faces.map(({ seq }) => seq),
          faces.map(({ ids }) => ids.length),
        );
        const rows = faces.flatMap(({ userId, seq, ids }) =>
          ids.map((id, place) => ({ userId, seq, place, id })),
        );
        await session.run(
          assignMissing,
          gallery,
          rows.map(({ userId }) => userId),
          rows.map(({ seq }) => seq),
          rows.map(({ place }) => place),
          rows.map(({ id }) => id),
        );
      }),
  };
}

/** See `FaceStore.rewrite`. */
export function rewrite(
  db: PostgresDatabase,
  gallery: number,
  { remove, face, event }: Rewrite,
  version: number,
): Promise<number | EnrolRefusal> {
  return db.transaction(async (session) => {
    const place = await lockGallery(session, gallery);
    if (!place) return 'gone';
    if (version !== place.version) return 'changed';
    if (face?.sealedWith && !(await session.get(selectKey, gallery, face.sealedWith))) return 'changed';
    if (face && place.contract !== null && place.contract !== face.embeddingSpec) return 'embedding-spec';
    if (face && remove !== undefined && !(await isEnrolled(session, gallery, face.userId)))
      await session.run(moveTerms, gallery, remove, face.userId);
    const removed = remove === undefined ? version : await removeFace(session, gallery, remove, { event });
    if (!face) return removed === false ? 'changed' : removed;
    return writeWhole(session, gallery, face);
  });
}

/** @returns the new seq */
async function writeWhole(
  session: Session,
  gallery: number,
  { crops, pictures, ...row }: NonNullable<Rewrite['face']>,
): Promise<number> {
  const known = await isEnrolled(session, gallery, row.userId);
  if (known) await eraseDependents(session, gallery, row.userId, { keepCrops: false });
  const seq = await write(session, gallery, row, !known);
  await writeCrops(session, gallery, { ...row, moreCrops: crops });
  for (const [at, id] of pictures.entries()) await session.run(insertPicture, gallery, row.userId, at, id);
  return seq;
}

async function isEnrolled(session: Session, gallery: number, userId: string): Promise<boolean> {
  const known = 'SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2';
  return (await session.get(known, gallery, userId)) !== undefined;
}
