import { createCropStore } from './crop-store.ts';
import { allRows, type Database, type Session } from './database/session.ts';
import { erasePeople } from './erase.ts';
import { newestFace, nextVersion } from './gallery-store.ts';
import type { NewTemplate, PendingFace, ReembeddingStore } from './ports/reembedding.ts';
import { type Blob, bytesOf, countOf } from './rows.ts';

export function createReembeddingStore(db: Database): ReembeddingStore {
  return {
    countPending: (gallery, spec) => countOf(db, `SELECT count(*) AS count FROM ${pending}`, gallery, spec),
    async withoutCrop(gallery, spec) {
      const sql = `SELECT f.user_id FROM ${pending} AND NOT EXISTS
        (SELECT 1 FROM face_crops c WHERE c.gallery = f.gallery AND c.user_id = f.user_id) ORDER BY f.user_id`;
      return (await db.all<{ user_id: string }>(sql, gallery, spec)).map(({ user_id: userId }) => userId);
    },
    async begin(gallery, spec) {
      await db.run(begin, gallery, spec);
    },
    next: (gallery, spec, after, limit, withCrops) => next(db, gallery, spec, after, limit, withCrops),
    replace: (gallery, spec, templates) =>
      db.transaction((session) => replace(session, gallery, spec, templates), { gallery, erases: true }),
    async finish(gallery, spec) {
      return (await db.run(finish, gallery, spec)) === 1;
    },
  };
}

/** Faces of the gallery $1 whose template is not of the embedding spec $2. */
const pending = `faces f JOIN galleries g ON g.id = f.gallery
  WHERE f.gallery = $1 AND g.client_id IS NOT NULL
    AND (g.embedding_spec IS DISTINCT FROM $2 OR f.seq <= g.former_until)`;

/** The templates of a gallery that is begun a second time, for another spec, are of several specs: '' names none. */
const begin = `UPDATE galleries SET former_until = CASE WHEN version < ${newestFace} THEN ${newestFace} ELSE version END,
    former_spec = CASE WHEN former_spec IS NULL THEN embedding_spec ELSE '' END, embedding_spec = $2
  WHERE id = $1 AND client_id IS NOT NULL AND embedding_spec IS DISTINCT FROM $2`;

/** A gallery $1 whose templates are being replaced by those of $2. */
const begun = 'id = $1 AND client_id IS NOT NULL AND embedding_spec = $2 AND former_spec IS NOT NULL';

const finish = `UPDATE galleries SET former_spec = NULL, former_until = NULL, version = ${nextVersion},
    embedding_spec = CASE WHEN EXISTS (SELECT 1 FROM faces WHERE gallery = $1) THEN embedding_spec END
  WHERE ${begun} AND NOT EXISTS (SELECT 1 FROM faces f WHERE f.gallery = $1 AND f.seq <= former_until)`;

async function next(
  db: Database,
  gallery: number,
  spec: string,
  after: number,
  limit: number,
  withCrops: boolean,
): Promise<PendingFace[]> {
  const sql = `SELECT f.user_id, f.seq, f.template FROM ${pending} AND f.seq > $3 ORDER BY f.seq LIMIT $4`;
  const faces = await db.all<{ user_id: string; seq: number; template: Blob }>(
    sql,
    ...[gallery, spec, after, limit],
  );
  const { get } = createCropStore(db);
  return Promise.all(
    faces.map(async ({ user_id: userId, seq, template }) => {
      const crops = withCrops ? await get(gallery, userId) : [];
      return { userId, seq, template: bytesOf(template), crops };
    }),
  );
}

const faceColumns = {
  gallery: 'bigint',
  user_id: 'text',
  user_name: 'text',
  template: 'bytea',
  seq: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
} as const;

const insertFaces = `INSERT INTO faces (${Object.keys(faceColumns)}) ${allRows(faceColumns)}`;

type FaceRow = { readonly user_name: string } & Readonly<Record<'created_at' | 'updated_at', number>>;

/** A new row with a new seq in place of each; see the schema. Caches of the gallery read them again. */
async function replace(
  session: Session,
  gallery: number,
  spec: string,
  templates: readonly NewTemplate[],
): Promise<boolean> {
  const found = await session.get<{ version: number }>(
    `SELECT ${nextVersion} AS version FROM galleries WHERE ${begun}`,
    ...[gallery, spec],
  );
  if (!found) return false;
  let [{ version }, erased] = [found, 0];
  const rows: (string | number | Uint8Array)[][] = [];
  const face = 'faces WHERE gallery = $1 AND user_id = $2 AND seq = $3';
  for (const { userId, seq, template } of templates) {
    const columns = 'user_name, created_at, updated_at';
    const row = await session.get<FaceRow>(`SELECT ${columns} FROM ${face}`, gallery, userId, seq);
    if (!row) continue;
    if (template === null) {
      erased += await erasePeople(session, gallery, '$2', userId);
      continue;
    }
    await session.run(`DELETE FROM ${face}`, gallery, userId, seq);
    rows.push([gallery, userId, row.user_name, template, version, row.created_at, row.updated_at]);
    version += 1;
  }
  await session.runAll(insertFaces, faceColumns, rows);
  const sql = 'UPDATE galleries SET version = $2, faces = faces - $3 WHERE id = $1';
  await session.run(sql, gallery, version, erased);
  return true;
}
