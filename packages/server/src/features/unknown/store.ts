import { hourMs } from '../../lib/time.ts';
import type { Database, Session } from '../../store/database/session.ts';
import { rowMapper } from '../../store/rows.ts';
import type { OfGallery, UnknownFace, UnknownStore } from './ports.ts';

const faces = rowMapper<UnknownFace>('unknown_faces', {
  unknownId: 'text',
  template: 'bytes',
  embeddingSpec: 'text',
  crop: 'bytes',
  firstSeenAt: 'time',
  lastSeenAt: 'time',
  seen: 'int',
});
const columns = Object.keys(faces.columns);
const newestFirst = 'ORDER BY last_seen_at DESC, unknown_id DESC';
const kept = 'FROM unknown_faces WHERE gallery = $1 AND first_seen_at > $2';
/** Faces that were first seen until then are kept no more. */
const endedBy = ({ keepUnknownHours }: OfGallery) => Date.now() - (keepUnknownHours ?? 0) * hourMs;

export function createUnknownStore(db: Database): UnknownStore {
  return {
    async templates(gallery, embeddingSpec, most) {
      const read = columns.filter((column) => column !== 'crop');
      const sql = `SELECT ${read} ${kept} AND embedding_spec = $3 ${newestFirst} LIMIT $4`;
      return faces.all(db, sql, gallery.id, endedBy(gallery), embeddingSpec, most);
    },
    get: (gallery, unknownId) =>
      faces.get(db, `SELECT * ${kept} AND unknown_id = $3`, gallery.id, endedBy(gallery), unknownId),
    async page(gallery, after, limit) {
      const { lastSeenAt, unknownId } = after ?? { lastSeenAt: Number.MAX_SAFE_INTEGER, unknownId: '' };
      const sql = `SELECT * ${kept} AND (last_seen_at, unknown_id) < ($3, $4) ${newestFirst} LIMIT $5`;
      return faces.all(db, sql, gallery.id, endedBy(gallery), lastSeenAt, unknownId, limit);
    },
    async seen(gallery, unknownId, at) {
      const sql = `UPDATE unknown_faces SET seen = seen + 1, last_seen_at = $3
        WHERE gallery = $1 AND unknown_id = $2 RETURNING seen`;
      return (await db.returning<{ seen: number }>(sql, gallery, unknownId, at.getTime()))?.seen;
    },
    add: (gallery, face, most) => db.transaction((session) => add(session, gallery, face, most)),
    async erase(gallery, unknownId, session) {
      const sql = 'DELETE FROM unknown_faces WHERE gallery = $1 AND unknown_id = $2';
      if (session) return (await session.run(sql, gallery, unknownId)) === 1;
      const erased = await db.erase(sql, gallery, unknownId);
      db.purge();
      return erased === 1;
    },
    async prune(now, keepCrops) {
      const faces = await db.erase(prune, now.getTime());
      const crops = await db.erase(eraseCrops, Number(keepCrops !== false), Number(keepCrops === true));
      if (faces + crops > 0) db.purge();
    },
  };
}

/** While the gallery is there, and keeps faces. */
const insert = `INSERT INTO unknown_faces (gallery, ${columns})
  SELECT id, CAST($2 AS text), $3, CAST($4 AS text), $5, CAST($6 AS bigint), CAST($7 AS bigint), CAST($8 AS bigint)
    FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND keep_unknown_hours IS NOT NULL`;

const eraseBeyond = `DELETE FROM unknown_faces WHERE gallery = $1 AND unknown_id NOT IN
  (SELECT unknown_id FROM unknown_faces WHERE gallery = $1 ${newestFirst} LIMIT $2)`;

async function add(session: Session, gallery: number, face: UnknownFace, most: number): Promise<boolean> {
  const sql = `${insert} ${session.dialect.forKeyShare}`;
  if ((await session.run(sql, gallery, ...faces.values(face))) !== 1) return false;
  await session.run(eraseBeyond, gallery, most);
  return true;
}

/** @see keepsCrops; $1: a gallery may keep crops, $2: one without the setting does */
const eraseCrops = `UPDATE unknown_faces SET crop = NULL WHERE crop IS NOT NULL AND EXISTS (SELECT 1 FROM galleries g
  WHERE g.id = unknown_faces.gallery AND ($1 = 0 OR coalesce(g.keep_crops, $2) = 0))`;

const prune = `DELETE FROM unknown_faces WHERE EXISTS (SELECT 1 FROM galleries g
  WHERE g.id = unknown_faces.gallery AND (g.keep_unknown_hours IS NULL
    OR unknown_faces.first_seen_at <= $1 - g.keep_unknown_hours * ${hourMs}
    OR (g.embedding_spec IS NOT NULL AND g.embedding_spec <> unknown_faces.embedding_spec)))`;
