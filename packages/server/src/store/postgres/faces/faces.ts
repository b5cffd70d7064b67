import { suspendedUsers } from '../../people/rows.ts';
import { type SealedRow, toSealedFace } from '../../rows.ts';
import { isMatched, sqlFaces } from '../../sql/faces.ts';
import type { FaceStore, GallerySnapshot, SealedFace } from '../../store.ts';
import type { PostgresDatabase } from '../connection/database.ts';
import { enrol } from './enrol.ts';
import { rewrite } from './pictures.ts';
import { removeFace } from './remove.ts';

/** @param replica standby that slices are read from while it is new enough; null: none */
export function postgresFaces(db: PostgresDatabase, replica: PostgresDatabase | null): FaceStore {
  return {
    ...sqlFaces(db, 'g.contract'),
    enrol: (gallery, face, replace, version) => enrol(db, gallery, face, replace, version),
    slice: async (gallery, after, limit, version) => {
      const replicated =
        replica && version !== undefined
          ? await sliceOfReplica(replica, gallery, after, limit, version)
          : null;
      return replicated ?? slice(db, gallery, after, limit);
    },
    rewrite: (gallery, change, version) => rewrite(db, gallery, change, version),
    remove: (gallery, userId, how) => db.transaction((session) => removeFace(session, gallery, userId, how)),
  };
}

/** @returns null when the replica is unreachable, behind the version, or does not have the gallery */
async function sliceOfReplica(
  replica: PostgresDatabase,
  gallery: number,
  after: number,
  limit: number,
  version: number,
): Promise<GallerySnapshot | null> {
  try {
    const snapshot = await slice(replica, gallery, after, limit, version);
    return snapshot && snapshot.version >= version ? snapshot : null;
  } catch {
    // A replica only takes load off the primary: every failure falls back to it.
    return null;
  }
}

/**
 * One statement reads one snapshot: version, total and faces are consistent. A gallery without newer faces gives one
 * row.
 * @param version reads no faces while the gallery is behind it
 */
async function slice(
  db: PostgresDatabase,
  gallery: number,
  after: number,
  limit: number,
  version = 0,
): Promise<GallerySnapshot | null> {
  const rows = await db.all<Nullable<SealedRow> & { version: number; faces: number }>(
    `SELECT g.version, g.faces - (SELECT count(*) FROM (${suspendedUsers}) s) AS faces, f.* FROM galleries g LEFT JOIN LATERAL (
       SELECT user_id, user_name, template, seq FROM faces
       WHERE gallery = $1 AND seq > $2 AND g.version >= $4 ${isMatched} ORDER BY seq LIMIT $3
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
