import { writeCrops, writePictures } from './crop-store.ts';
import type { Database, Session } from './database/session.ts';
import { endLinked } from './ended-sessions.ts';
import { eraseDependents, erasePeople } from './erase.ts';
import { nextVersion } from './gallery-store.ts';
import { ended, endedUsers, expiry, moveTerms, suspendedUsers, writeTerms } from './person-store.ts';
import type {
  EnrolRefusal,
  Erasure,
  FaceRecord,
  FaceStore,
  GallerySnapshot,
  NewFace,
  Rewrite,
  SealedFace,
  StoredFace,
  Whose,
} from './ports/faces.ts';
import { type Blob, bytesOf, rowMapper } from './rows.ts';

const faceKinds = { userId: 'text', userName: 'text', createdAt: 'time', updatedAt: 'time' } as const;
const faceRecords = rowMapper<FaceRecord>('faces', faceKinds);
const storedFaces = rowMapper<StoredFace>('faces', {
  ...faceKinds,
  template: 'bytes',
  seq: 'int',
  embeddingSpec: 'text',
  suspendedAt: 'time',
  endsAt: 'time',
});

interface SealedRow {
  readonly user_id: string;
  readonly user_name: string;
  readonly template: Blob;
  readonly seq: number;
}

function toSealedFace(row: SealedRow): SealedFace {
  return {
    userId: row.user_id,
    userName: row.user_name,
    template: bytesOf(row.template),
    seq: row.seq,
  };
}

/** Conditions on faces of the gallery $1, and how many of its people they hold for. */
const conditions: Readonly<Record<Whose, string>> = {
  matched: `AND user_id NOT IN (${suspendedUsers})`,
  suspended: `AND user_id IN (${suspendedUsers})`,
  everybody: '',
};
const suspendedCount = `(SELECT count(*) FROM (${suspendedUsers}) s)`;
const totals: Readonly<Record<Whose, string>> = {
  matched: `faces - ${suspendedCount}`,
  suspended: suspendedCount,
  everybody: 'faces',
};

export function createFaceStore(db: Database): FaceStore {
  return {
    put: (gallery, face, replace, version) => putFace(db, gallery, face, replace, version),
    rewrite: (gallery, change, version) => rewrite(db, gallery, change, version),
    async get(gallery, userId) {
      const sql = `SELECT f.*, g.embedding_spec, t.suspended_at, ${expiry} AS ends_at
        FROM faces f JOIN galleries g ON g.id = f.gallery
        LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id
        WHERE f.gallery = $1 AND f.user_id = $2`;
      return storedFaces.get(db, sql, gallery, userId);
    },
    async list(gallery, page = {}) {
      const { after = '', limit = Number.MAX_SAFE_INTEGER, matched = false, at } = page;
      const sql = `SELECT user_id, user_name, created_at, updated_at FROM faces
        WHERE gallery = $1 AND user_id > $2 ${matched ? conditions.matched : ''}
          ${at ? `AND user_id NOT IN (${endedUsers('$4')})` : ''} ORDER BY user_id LIMIT $3`;
      const ended = at ? [at.getTime()] : [];
      return faceRecords.all(db, sql, gallery, after, limit, ...ended);
    },
    slice: (gallery, after, limit, whose) => slice(db, gallery, after, limit, whose),
    recount: (gallery) => recount(db, gallery),
    async remove(gallery, userId, how) {
      const options = { gallery, erases: true };
      const version = await db.transaction((session) => removeFace(session, gallery, userId, how), options);
      if (version !== false) db.purge();
      return version;
    },
  };
}

/** See `FaceStore.recount`. */
export function recount(db: Database, gallery: number): Promise<void> {
  const sql = `UPDATE galleries SET version = ${nextVersion},
    faces = (SELECT count(*) FROM faces WHERE gallery = $1) WHERE id = $1`;
  return db.transaction(async (session) => void (await session.run(sql, gallery)), { gallery });
}

/** What a face of a gallery is written by. */
interface FaceState {
  readonly client_id: string;
  readonly embedding_spec: string | null;
  readonly former_spec: string | null;
  readonly version: number;
  /** Creation time of the user; null: nobody has the user_id. */
  readonly since: number | null;
  readonly suspended_at: number | null;
}

/** Null: the gallery is gone. */
async function stateOf(session: Session, gallery: number, userId: string): Promise<FaceState | null> {
  const state = await session.get<FaceState>(
    `SELECT g.client_id, g.embedding_spec, g.former_spec, g.version, f.created_at AS since, t.suspended_at
       FROM galleries g
       LEFT JOIN faces f ON f.gallery = g.id AND f.user_id = $2
       LEFT JOIN person_terms t ON t.gallery = g.id AND t.user_id = $2
      WHERE g.id = $1 AND g.client_id IS NOT NULL`,
    gallery,
    userId,
  );
  return state ?? null;
}

/** Why a face is not written, whoever it is. */
function refusalOf(
  state: FaceState | null,
  face: Pick<NewFace, 'embeddingSpec'> | undefined,
  version: number | undefined,
): Extract<EnrolRefusal, 'gone' | 'changed' | 'embedding-spec'> | null {
  if (!state) return 'gone';
  if (version !== undefined && version !== state.version) return 'changed';
  const { embedding_spec: spec, former_spec: former } = state;
  if (face && (former !== null || (spec !== null && spec !== face.embeddingSpec))) return 'embedding-spec';
  return null;
}

async function putFace(
  db: Database,
  gallery: number,
  face: NewFace,
  replace: boolean,
  version?: number,
): Promise<number | EnrolRefusal> {
  const work = async (session: Session) => {
    const state = await stateOf(session, gallery, face.userId);
    const refusal = refusalOf(state, face, version);
    if (!state || refusal) return refusal ?? 'gone';
    const { since, suspended_at: suspendedAt } = state;
    if (since !== null && !replace) return 'exists';
    if (since !== null && !face.renamed && suspendedAt !== null) return 'suspended';
    if (since === null && !(await hasRoom(session, state.client_id))) return 'quota';
    return { seq: await insertFace(session, gallery, face, since), replaced: since !== null };
  };
  const written = await db.transaction(work, { gallery });
  if (typeof written === 'string') return written;
  if (written.replaced) db.purge();
  return written.seq;
}

/** Locks the client's row only when it has a quota: otherwise its galleries are written concurrently. */
async function hasRoom(session: Session, clientId: string): Promise<boolean> {
  const client = await session.get<{ quota_faces: number }>(
    `SELECT quota_faces FROM clients WHERE client_id = $1 AND quota_faces >= 0 ${session.dialect.forNoKeyUpdate}`,
    clientId,
  );
  if (!client) return true;
  const sql = 'SELECT CAST(coalesce(sum(faces), 0) AS bigint) AS faces FROM galleries WHERE client_id = $1';
  return ((await session.get<{ faces: number }>(sql, clientId))?.faces ?? 0) < client.quota_faces;
}

/** @param since creation time of the user that is replaced; null: a new one @returns the new seq */
async function insertFace(
  session: Session,
  gallery: number,
  face: NewFace,
  since: number | null,
): Promise<number> {
  const now = Date.now();
  const { userId } = face;
  // A new row instead of an update; see the schema.
  if (since !== null) {
    await session.run('DELETE FROM faces WHERE gallery = $1 AND user_id = $2', gallery, userId);
    await eraseDependents(session, gallery, userId, { keepCrops: face.appended ?? false });
  }
  const row = await session.get<{ version: number; keep_crops: number | null }>(
    `UPDATE galleries SET version = ${nextVersion}, faces = faces + $2, embedding_spec = $3 WHERE id = $1
      RETURNING version, keep_crops`,
    gallery,
    since === null ? 1 : 0,
    face.embeddingSpec,
  );
  if (!row) throw new Error('the gallery disappeared inside a transaction');
  const createdAt = since ?? face.createdAt?.getTime() ?? now;
  await session.run(
    `INSERT INTO faces (gallery, user_id, user_name, template, seq, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    ...[gallery, userId, face.userName, face.template, row.version, createdAt, now],
  );
  const { crop, moreCrops = [] } = face;
  const crops = crop ? [crop, ...moreCrops] : moreCrops;
  // Of a call that began before the gallery was to keep none, too.
  if (crops.length > 0 && row.keep_crops !== 0) await writeCrops(session, gallery, userId, crops);
  if (face.picture) await writePictures(session, gallery, userId, face.picture.place, [face.picture.id]);
  await face.alongside?.(session);
  if (since === null) await endLinked(session, 'gallery = $1 AND user_id = $2', gallery, userId);
  if (face.terms) await writeTerms(session, gallery, userId, face.terms);
  return row.version;
}

async function rewrite(
  db: Database,
  gallery: number,
  { remove, face, alongside }: Rewrite,
  version: number,
): Promise<number | EnrolRefusal> {
  const work = async (session: Session) => {
    const state = await stateOf(session, gallery, face?.userId ?? '');
    const refusal = refusalOf(state, face, version);
    if (!state || refusal) return refusal ?? 'gone';
    if (face && remove !== undefined && state.since === null)
      await session.run(moveTerms, gallery, remove, face.userId);
    const removed =
      remove === undefined ? version : await removeFace(session, gallery, remove, { alongside });
    if (!face) return removed === false ? 'changed' : removed;
    const { crops, pictures, ...row } = face;
    const seq = await insertFace(session, gallery, { ...row, moreCrops: crops }, state.since);
    await writePictures(session, gallery, face.userId, 0, pictures);
    return seq;
  };
  const written = await db.transaction(work, { gallery, erases: true });
  if (typeof written === 'number') db.purge();
  return written;
}

/** Inside a transaction. @returns the gallery's new version, or false when there is no such user */
async function removeFace(
  session: Session,
  gallery: number,
  userId: string,
  { expiredBy, alongside }: Erasure = {},
): Promise<number | false> {
  if (expiredBy && !(await ended(session, gallery, [userId], expiredBy)).has(userId)) return false;
  const known = 'SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2';
  if (!(await session.get(known, gallery, userId))) return false;
  await erasePeople(session, gallery, '$2', userId);
  await alongside?.(session);
  // Without faces a gallery accepts every embedding spec.
  const ifAny = (column: string) =>
    `${column} = CASE WHEN EXISTS (SELECT 1 FROM faces WHERE gallery = $1) THEN ${column} END`;
  const row = await session.get<{ version: number }>(
    `UPDATE galleries SET version = version + 1, faces = faces - 1,
       ${['embedding_spec', 'former_spec', 'former_until'].map(ifAny)}
      WHERE id = $1 RETURNING version`,
    gallery,
  );
  if (!row) throw new Error('a face had no gallery');
  return row.version;
}

/**
 * One statement reads one snapshot: version, total and faces are consistent. The row with seq 0 is
 * of the gallery.
 */
async function slice(
  db: Session,
  gallery: number,
  after: number,
  limit: number,
  whose: Whose = 'matched',
): Promise<GallerySnapshot | null> {
  // Few are suspended: they are read by user_id, and not each face of the gallery by seq, as its index would.
  const place = whose === 'suspended' ? '+seq' : 'seq';
  const found = await db.all<SealedRow & { version: number | null; total: number }>(
    `SELECT version, ${totals[whose]} AS total,
       NULL AS user_id, NULL AS user_name, NULL AS template, 0 AS seq
       FROM galleries WHERE id = $1 AND client_id IS NOT NULL
     UNION ALL SELECT NULL, NULL, f.user_id, f.user_name, f.template, f.seq FROM (
       SELECT user_id, user_name, template, seq FROM faces
        WHERE gallery = $1 AND ${place} > $2 ${conditions[whose]}
        ORDER BY ${place} LIMIT $3) f`,
    gallery,
    after,
    limit,
  );
  const [first, ...rows] = found.sort((a, b) => a.seq - b.seq);
  if (!first || first.version === null) return null;
  return { version: first.version, total: first.total, faces: rows.map(toSealedFace) };
}
