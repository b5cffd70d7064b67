import { type FaceRow, type SealedRow, toFaceRecord, toSealedFace } from '../../rows.ts';
import type { FaceStore, GallerySnapshot, SealedFace } from '../../store.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';
import { eraseDependents } from './crops.ts';
import { enrol } from './enrol.ts';

/** @param copy a standby that reads may go to while it is new enough; null: none */
export function postgresFaces(db: PostgresDatabase, copy: PostgresDatabase | null): FaceStore {
  return {
    enrol: (gallery, face, replace, version) => enrol(db, gallery, face, replace, version),
    get: async (gallery, userId) => {
      const row = await db.get<FaceRow & SealedRow & { contract: string }>(
        `SELECT f.*, g.contract FROM faces f JOIN galleries g ON g.id = f.gallery
         WHERE f.gallery = $1 AND f.user_id = $2`,
        gallery,
        userId,
      );
      return row ? { ...toFaceRecord(row), ...toSealedFace(row), embeddingSpec: row.contract } : null;
    },
    list: async (gallery, page = {}) => {
      const rows = await db.all<FaceRow>(
        `SELECT user_id, user_name, created_at, updated_at FROM faces
         WHERE gallery = $1 AND user_id > $2 ORDER BY user_id LIMIT $3`,
        gallery,
        page.after ?? '',
        page.limit ?? null,
      );
      return rows.map(toFaceRecord);
    },
    slice: async (gallery, after, limit, version) => {
      const copied =
        copy && version !== undefined ? await sliceOfReplica(copy, gallery, after, limit, version) : null;
      return copied ?? slice(db, gallery, after, limit);
    },
    remove: (gallery, userId) => db.transaction((session) => remove(session, gallery, userId)),
  };
}

/** @returns null when the copy is away, behind the version, or does not have the gallery */
async function sliceOfReplica(
  copy: PostgresDatabase,
  gallery: number,
  after: number,
  limit: number,
  version: number,
): Promise<GallerySnapshot | null> {
  try {
    const snapshot = await slice(copy, gallery, after, limit, version);
    return snapshot && snapshot.version >= version ? snapshot : null;
  } catch {
    // A copy only spares the primary work: whatever is wrong with it, the primary knows.
    return null;
  }
}

/**
 * One statement sees one moment: version, total and faces belong together. A gallery without news still gives one row.
 * @param version no faces are read where the gallery has not come to it
 */
async function slice(
  db: PostgresDatabase,
  gallery: number,
  after: number,
  limit: number,
  version = 0,
): Promise<GallerySnapshot | null> {
  const rows = await db.all<Nullable<SealedRow> & { version: number; faces: number }>(
    `SELECT g.version, g.faces, f.* FROM galleries g LEFT JOIN LATERAL (
       SELECT user_id, user_name, template, seq FROM faces
       WHERE gallery = $1 AND seq > $2 AND g.version >= $4 ORDER BY seq LIMIT $3
     ) f ON true WHERE g.id = $1 AND g.client_id IS NOT NULL ORDER BY f.seq`,
    gallery,
    after,
    limit,
    version,
  );
  const [first] = rows;
  if (!first) return null;
  return { version: first.version, total: first.faces, faces: rows.flatMap(sealedOf) };
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

function sealedOf(row: Nullable<SealedRow>): SealedFace[] {
  return row.seq === null ? [] : [toSealedFace(row as SealedRow)];
}

const refusedOfUser = `
  DELETE FROM refused_calls WHERE user_id = $2 AND (client_id, gallery_id) =
    (SELECT client_id, gallery_id FROM galleries WHERE id = $1)`;

async function remove(session: Session, gallery: number, userId: string): Promise<number | false> {
  // The gallery first, as everybody does, so that nobody waits for somebody who waits for him.
  await session.run('SELECT 1 FROM galleries WHERE id = $1 FOR NO KEY UPDATE', gallery);
  const gone = await session.run('DELETE FROM faces WHERE gallery = $1 AND user_id = $2', gallery, userId);
  if (gone === 0) return false;
  await eraseDependents(session, gallery, userId, { keepCrops: false });
  await session.run(refusedOfUser, gallery, userId);
  const row = await session.get<{ version: number }>(
    `UPDATE galleries SET version = version + 1, faces = faces - 1,
       contract = CASE WHEN faces = 1 THEN NULL ELSE contract END
     WHERE id = $1 RETURNING version`,
    gallery,
  );
  if (!row) throw new Error('a face had no gallery');
  return row.version;
}
