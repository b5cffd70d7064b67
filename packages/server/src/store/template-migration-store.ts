import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCropStore } from './crop-store.ts';
import { allRows, type Database, type Session } from './database/session.ts';
import { eraseInSlices, erasePeople } from './erase.ts';
import type { MigratedTemplate, MigrationOutcome, PendingFace, TemplateMigrationStore } from './ports.ts';
import { type Blob, bytesOf } from './rows.ts';

/** Of a transaction that switches a whole gallery, during which other writes to it wait or time out. */
const switchTimeoutMs = 10 * 60 * 1000;

export function createTemplateMigrationStore(db: Database): TemplateMigrationStore {
  return {
    begin: (gallery, embeddingSpec) => begin(db, gallery, embeddingSpec),
    countPending: (gallery, embeddingSpec) => countPending(db, gallery, embeddingSpec),
    nextPending: async (gallery, embeddingSpec, after, limit, withCrops = true) =>
      (await isNext(db, gallery, embeddingSpec)) ? nextFaces(db, gallery, after, limit, withCrops) : [],
    storeTemplates(gallery, embeddingSpec, templates, wrappedKey) {
      const work = async (session: Session) => {
        if (!(await isNext(session, gallery, embeddingSpec))) return false;
        if (!(await session.get(selectKey, gallery, wrappedKey))) return false;
        await storeTemplates(session, gallery, templates);
        return true;
      };
      return db.transaction(work, { gallery });
    },
    switchGallery: (gallery, embeddingSpec, at) => switchGallery(db, gallery, embeddingSpec, at),
  };
}

const selectKey = 'SELECT 1 FROM gallery_keys WHERE gallery = $1 AND wrapped_key = $2';

/** Galleries $1 whose next embedding spec is $2. */
const next = 'id = $1 AND client_id IS NOT NULL AND next_embedding_spec = $2';

async function isNext(db: Session, gallery: number, embeddingSpec: string): Promise<boolean> {
  return (await db.get(`SELECT 1 FROM galleries WHERE ${next}`, gallery, embeddingSpec)) !== undefined;
}

/** One statement, so that a concurrent switch cannot come between. @returns null when it is not the next spec */
async function countPending(db: Session, gallery: number, embeddingSpec: string): Promise<number | null> {
  // Of a face that is replaced or erased the template goes, too.
  const sql = `SELECT faces - (SELECT count(*) FROM next_templates WHERE gallery = $1) AS pending
    FROM galleries WHERE ${next}`;
  return (await db.get<{ pending: number }>(sql, gallery, embeddingSpec))?.pending ?? null;
}

/** Erases old templates in slices; sets the next embedding spec when none is left, so that none is stored before. */
async function begin(db: Database, gallery: number, embeddingSpec: string): Promise<void> {
  if (await isNext(db, gallery, embeddingSpec)) return;
  for (let left = true; left; ) {
    await db.run('UPDATE galleries SET next_embedding_spec = NULL WHERE id = $1', gallery);
    if ((await eraseInSlices(db, 'next_templates', 'gallery = $1', gallery)) > 0) db.purge();
    const work = async (session: Session) => {
      if (await session.get('SELECT 1 FROM next_templates WHERE gallery = $1 LIMIT 1', gallery)) return true;
      const set = `UPDATE galleries SET next_embedding_spec = $2
        WHERE id = $1 AND client_id IS NOT NULL AND embedding_spec IS DISTINCT FROM $2`;
      await session.run(set, gallery, embeddingSpec);
      return false;
    };
    left = await db.transaction(work, { gallery });
  }
}

/** Faces without a template of their current seq, that is, of their current picture. */
async function nextFaces(
  db: Database,
  gallery: number,
  after: number,
  limit: number,
  withCrops: boolean,
): Promise<PendingFace[]> {
  const found: PendingFace[] = [];
  for (let last = after; ; await nextTurn()) {
    const faces = await db.all<{ user_id: string; seq: number; template: Blob | null }>(
      `SELECT f.user_id, f.seq, CASE WHEN n.user_id IS NULL THEN f.template END AS template FROM faces f
         LEFT JOIN next_templates n ON n.gallery = f.gallery AND n.user_id = f.user_id AND n.seq = f.seq
       WHERE f.gallery = $1 AND f.seq > $2 ORDER BY f.seq LIMIT $3`,
      ...[gallery, last, db.dialect.rowsAtOnce],
    );
    for (const { user_id: userId, seq, template } of faces) {
      if (template === null) continue;
      const crops = withCrops ? await createCropStore(db).get(gallery, userId) : [];
      found.push({ userId, seq, template: bytesOf(template), crops });
      if (found.length === limit) return found;
    }
    if (faces.length < db.dialect.rowsAtOnce) return found;
    last = faces.at(-1)!.seq;
  }
}

const columns = { gallery: 'bigint', user_id: 'text', seq: 'bigint', template: 'bytea' } as const;

/** Ignores templates whose face was replaced or erased since. */
async function storeTemplates(
  session: Session,
  gallery: number,
  templates: readonly MigratedTemplate[],
): Promise<void> {
  const current = ':rows JOIN faces f ON f.gallery = n.gallery AND f.user_id = n.user_id AND f.seq = n.seq';
  const rows = templates.map(({ userId, seq, template }) => [gallery, userId, seq, template]);
  const erase = `DELETE FROM next_templates WHERE gallery IN (SELECT n.gallery FROM :rows)
    AND user_id IN (SELECT f.user_id FROM ${current})`;
  await session.runAll(erase, columns, rows);
  const insert = `INSERT INTO next_templates (gallery, user_id, seq, template)
    SELECT f.gallery, f.user_id, f.seq, n.template FROM ${current}`;
  await session.runAll(insert, columns, rows);
}

async function switchGallery(
  db: Database,
  gallery: number,
  embeddingSpec: string,
  at: Date,
): Promise<MigrationOutcome> {
  const work = async (session: Session): Promise<MigrationOutcome> => {
    const pending = await countPending(session, gallery, embeddingSpec);
    if (pending !== 0) return pending === null ? null : { pending };
    const gone = 'SELECT user_id FROM next_templates WHERE gallery = $1 AND template IS NULL';
    const dropped = (await session.get(`${gone} LIMIT 1`, gallery))
      ? await erasePeople(session, gallery, gone)
      : 0;
    const { version, faces } = (await session.get<{ version: number; faces: number }>(
      'SELECT version, faces FROM galleries WHERE id = $1',
      gallery,
    ))!;
    let switched = 0;
    for (let some = -1; some !== 0; switched += some)
      some = await switchSome(session, gallery, version + switched);
    // Nothing is half done: the transaction fails.
    if (switched + dropped !== faces) throw new Error(`gallery ${gallery}: a face is without a new template`);
    await session.run(
      `UPDATE galleries SET former_embedding_spec = embedding_spec, migrated_at = $2, next_embedding_spec = NULL,
        embedding_spec = $3, version = $4, faces = $5 WHERE id = $1`,
      ...[gallery, at.getTime(), switched === 0 ? null : embeddingSpec, version + switched + 1, switched],
    );
    return 'done';
  };
  const outcome = await db.transaction(work, { gallery, timeoutMs: switchTimeoutMs });
  if (outcome === 'done') db.purge();
  return outcome;
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

type FaceRow = Record<'user_id' | 'user_name', string> &
  Record<'created_at' | 'updated_at', number> & { readonly template: Blob };

/**
 * Replaces some rows of faces by ones with the new template and a new seq, so that caches of the gallery read them again.
 * @param version that all faces have a seq up to
 * @returns how many; 0: none is left
 */
async function switchSome(session: Session, gallery: number, version: number): Promise<number> {
  const faces = await session.all<FaceRow>(
    `SELECT f.user_id, f.user_name, n.template, f.created_at, f.updated_at FROM next_templates n
       JOIN faces f ON f.gallery = n.gallery AND f.user_id = n.user_id AND f.seq = n.seq
      WHERE n.gallery = $1 ORDER BY n.user_id LIMIT $2`,
    gallery,
    session.dialect.rowsAtOnce,
  );
  const last = faces.at(-1)?.user_id;
  if (last === undefined) return 0;
  const those = `SELECT user_id FROM next_templates WHERE gallery = $1 AND user_id <= $2`;
  await session.run(`DELETE FROM faces WHERE gallery = $1 AND user_id IN (${those})`, gallery, last);
  await session.run('DELETE FROM next_templates WHERE gallery = $1 AND user_id <= $2', gallery, last);
  const rows = faces.map(({ user_id, user_name, template, created_at, updated_at }, i) => [
    ...[gallery, user_id, user_name, bytesOf(template), version + i + 1, created_at, updated_at],
  ]);
  await session.runAll(insertFaces, faceColumns, rows);
  return faces.length;
}
