import { setImmediate as nextTurn } from 'node:timers/promises';
import { allRows, type Database, type Session } from './database/session.ts';
import { eraseInSlices, erasePeople } from './erase.ts';
import { type Blob, bytesOf } from './rows.ts';

/** A face without a template for the next embedding spec. */
export interface PendingFace {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** Of the present embedding spec, sealed. */
  readonly template: Uint8Array;
  /** Sealed, in the order in which they were added; empty where they were not asked for. */
  readonly crops: readonly Uint8Array[];
}

/** A template for the next embedding spec. */
export interface MigratedTemplate {
  readonly userId: string;
  /** Seq of the face it was extracted from. */
  readonly seq: number;
  /** Sealed; null: the face is deleted by the switch. */
  readonly template: Uint8Array | null;
}

/** `done`, the number of faces without a template, or null when no migration to that spec is under way. */
export type MigrationOutcome = 'done' | { readonly pending: number } | null;

/** Faces switched in one turn of the event loop: about 3 ms. */
const sliceFaces = 50;
/** Of a transaction that switches a whole gallery, during which other writes to it wait or time out. */
const switchTimeoutMs = 10 * 60 * 1000;

/**
 * A gallery is switched in two steps. The first sets `embedding_spec` and leaves `next_embedding_spec` equal to it, which marks the
 * switch: a face with a row in `next_templates` still has the template of the former embedding spec. The second moves
 * these rows in slices and is resumable. Meanwhile the gallery's templates are not comparable.
 */
const switchInProgress = 'client_id IS NOT NULL AND embedding_spec = next_embedding_spec';

/** SQL condition: some templates still have the former embedding spec. */
export function hasFormerTemplates(galleries: string): string {
  return `(${galleries}.embedding_spec = ${galleries}.next_embedding_spec AND EXISTS
    (SELECT 1 FROM next_templates n WHERE n.gallery = ${galleries}.id))`;
}

/**
 * Template migration: templates for the next embedding spec of a gallery are stored beside the current ones until
 * every face has one. Then the gallery is switched, in one transaction or in several with `migrating` set, during which
 * its templates are not comparable. A gallery has at most one next embedding spec, given as JSON.
 */
export function createTemplateMigrationStore(db: Database) {
  return {
    /** Sets the next spec and erases templates for another one. Naming the current spec ends the migration. */
    begin: (gallery: number, embeddingSpec: string) => begin(db, gallery, embeddingSpec),
    /** Number of faces without a template; null when this is not the next spec. */
    countPending: (gallery: number, embeddingSpec: string) => countPending(db, gallery, embeddingSpec),
    /**
     * At most `limit` pending faces with a seq after `after`, in order of seq; empty when this is not the next spec.
     * @param withCrops default: true
     */
    nextPending: async (
      gallery: number,
      embeddingSpec: string,
      after: number,
      limit: number,
      withCrops = true,
    ): Promise<PendingFace[]> =>
      (await isNext(db, gallery, embeddingSpec)) ? nextFaces(db, gallery, after, limit, withCrops) : [],
    /**
     * Stores templates. Ignores those whose face was replaced or erased since.
     * @param sealedWith the gallery's wrapped key that they were sealed with
     * @returns false when this is not the next spec, or the gallery has another key
     */
    storeTemplates(
      gallery: number,
      embeddingSpec: string,
      templates: readonly MigratedTemplate[],
      sealedWith?: Uint8Array,
    ): Promise<boolean> {
      const work = async (session: Session) => {
        if (!(await isNext(session, gallery, embeddingSpec))) return false;
        if (sealedWith && !(await session.get(selectKey, gallery, sealedWith))) return false;
        await storeTemplates(session, gallery, templates);
        return true;
      };
      return db.transaction(work, { gallery });
    },
    /** Switches the gallery if no face is pending, or resumes an interrupted switch. */
    switchGallery: (gallery: number, embeddingSpec: string, at: Date) =>
      switchGallery(db, gallery, embeddingSpec, at),
  };
}

const selectKey = 'SELECT 1 FROM gallery_keys WHERE gallery = $1 AND wrapped_key = $2';

/** Galleries $1 whose next embedding spec is $2, and whose switch has not begun. */
const next =
  'id = $1 AND client_id IS NOT NULL AND next_embedding_spec = $2 AND embedding_spec IS DISTINCT FROM $2';

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
  const switching = `SELECT 1 FROM galleries WHERE id = $1 AND ${switchInProgress}`;
  if (await db.get(switching, gallery)) await resumeSwitch(db, gallery);
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
  // Starts small, since usually all of the next faces are pending.
  let batch = Math.min(limit, db.dialect.rowsAtOnce);
  for (let last = after; ; await nextTurn()) {
    const faces = await db.all<{ user_id: string; seq: number; template: Blob | null }>(
      `SELECT f.user_id, f.seq, CASE WHEN n.user_id IS NULL THEN f.template END AS template FROM faces f
         LEFT JOIN next_templates n ON n.gallery = f.gallery AND n.user_id = f.user_id AND n.seq = f.seq
       WHERE f.gallery = $1 AND f.seq > $2 ORDER BY f.seq LIMIT $3`,
      gallery,
      last,
      batch,
    );
    const room = limit - found.length;
    const pending = faces.filter((face) => face.template !== null).slice(0, room);
    const crops = await cropsOf(db, gallery, withCrops ? pending : []);
    for (const { user_id: userId, seq, template } of pending)
      found.push({ userId, seq, template: bytesOf(template!), crops: crops.get(userId) ?? [] });
    if (found.length === limit || faces.length < batch) return found;
    last = faces.at(-1)!.seq;
    batch = Math.min(2 * batch, db.dialect.rowsAtOnce);
  }
}

async function cropsOf(db: Database, gallery: number, faces: readonly { readonly user_id: string }[]) {
  const crops = new Map<string, Uint8Array[]>();
  if (faces.length === 0) return crops;
  const places = faces.map((_, i) => `$${i + 2}`);
  const rows = await db.all<{ user_id: string; crop: Blob }>(
    `SELECT user_id, crop FROM face_crops WHERE gallery = $1 AND user_id IN (${places}) ORDER BY user_id, place`,
    gallery,
    ...faces.map(({ user_id: userId }) => userId),
  );
  for (const { user_id: userId, crop } of rows)
    crops.set(userId, [...(crops.get(userId) ?? []), bytesOf(crop)]);
  return crops;
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
  // First without a transaction: callers that wait for the switch call often.
  const switching = `SELECT 1 FROM galleries WHERE id = $1 AND embedding_spec = $2 AND ${switchInProgress}`;
  if (await db.get(switching, gallery, embeddingSpec)) return resumeSwitch(db, gallery);
  const before = await countPending(db, gallery, embeddingSpec);
  if (before !== 0) return before === null ? null : { pending: before };
  const work = async (session: Session): Promise<MigrationOutcome | 'started'> => {
    const pending = await countPending(session, gallery, embeddingSpec);
    if (pending !== 0) return pending === null ? null : { pending };
    await session.run(
      `UPDATE galleries SET former_embedding_spec = embedding_spec, migrated_at = $2, embedding_spec = $3, version = version + 1
        WHERE id = $1`,
      gallery,
      at.getTime(),
      embeddingSpec,
    );
    if (!db.dialect.longTransactions) return 'started';
    while ((await switchSlice(session, gallery)) === 'more');
    return 'done';
  };
  const outcome = await db.transaction(work, { gallery, timeoutMs: switchTimeoutMs });
  return outcome === 'started' ? resumeSwitch(db, gallery) : outcome;
}

/** Second step, in slices. @returns null when another caller completed it */
async function resumeSwitch(db: Database, gallery: number): Promise<'done' | null> {
  for (;;) {
    const outcome = await db.transaction((session) => switchSlice(session, gallery), { gallery });
    if (outcome === 'ended') return null;
    if (outcome === 'done') {
      db.purge();
      return 'done';
    }
    await nextTurn();
  }
}

/** Completes the switches of a process that ended. */
export async function finishInterruptedSwitches(db: Database): Promise<void> {
  const galleries = await db.all<{ id: number }>(`SELECT id FROM galleries WHERE ${switchInProgress}`);
  for (const { id } of galleries) await resumeSwitch(db, id);
}

/** Rows of the gallery $1 that a slice moves. */
const inSlice = 'n.gallery = $1 AND n.user_id <= $2';
/** The face that a template was made of. */
const itsFace = 'f.gallery = n.gallery AND f.user_id = n.user_id AND f.seq = n.seq';

async function switchSlice(session: Session, gallery: number): Promise<'more' | 'done' | 'ended'> {
  const switching = `SELECT version FROM galleries WHERE id = $1 AND ${switchInProgress}`;
  const place = await session.get<{ version: number }>(switching, gallery);
  if (!place) return 'ended';
  const limit = (sliceFaces * session.dialect.rowsAtOnce) / 500;
  const some = 'SELECT n.user_id FROM next_templates n WHERE n.gallery = $1 ORDER BY n.user_id LIMIT $2';
  const last = (await session.all<{ user_id: string }>(some, gallery, limit)).at(-1)?.user_id;
  if (last === undefined) {
    const end = `UPDATE galleries SET next_embedding_spec = NULL, version = version + 1,
      embedding_spec = CASE WHEN faces = 0 THEN NULL ELSE embedding_spec END WHERE id = $1`;
    await session.run(end, gallery);
    return 'done';
  }
  const stale = `SELECT n.user_id FROM next_templates n WHERE ${inSlice}
    AND NOT EXISTS (SELECT 1 FROM faces f WHERE ${itsFace})`;
  const gone = `SELECT n.user_id FROM next_templates n WHERE ${inSlice} AND n.template IS NULL`;
  const erase = `DELETE FROM next_templates WHERE gallery = $1 AND user_id IN (${stale})`;
  await session.run(erase, gallery, last);
  const dropped = (await session.get(`${gone} LIMIT 1`, gallery, last))
    ? await erasePeople(session, gallery, gone, last)
    : 0;
  const moved = await switchFaces(session, gallery, last, place.version);
  const bump = 'UPDATE galleries SET version = $2, faces = faces - $3 WHERE id = $1';
  await session.run(bump, gallery, place.version + moved + Math.sign(dropped), dropped);
  return 'more';
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

/**
 * Replaces the rows of faces by ones with the new template and a new seq, so that caches of the gallery read them again.
 * @returns how many
 */
async function switchFaces(session: Session, gallery: number, last: string, version: number) {
  const faces = await session.all<{
    user_id: string;
    user_name: string;
    template: Blob;
    created_at: number;
    updated_at: number;
  }>(
    `SELECT f.user_id, f.user_name, n.template, f.created_at, f.updated_at
       FROM next_templates n JOIN faces f ON ${itsFace} WHERE ${inSlice} ORDER BY n.user_id`,
    gallery,
    last,
  );
  const those = `gallery = $1 AND user_id IN (SELECT n.user_id FROM next_templates n WHERE ${inSlice})`;
  await session.run(`DELETE FROM faces WHERE ${those}`, gallery, last);
  await session.run('DELETE FROM next_templates WHERE gallery = $1 AND user_id <= $2', gallery, last);
  await session.runAll(
    insertFaces,
    faceColumns,
    faces.map((face, i) => [
      ...[gallery, face.user_id, face.user_name, bytesOf(face.template), version + i + 1],
      ...[face.created_at, face.updated_at],
    ]),
  );
  return faces.length;
}
