import type {
  MigratedTemplate,
  MigrationOutcome,
  PendingFace,
  TemplateMigrationStore,
} from '../../crop-store.ts';
import { bytesOf, type CropRow, type SealedRow, toCrop } from '../../rows.ts';
import { selectKey } from '../../sql/faces.ts';
import { erasePeople } from '../../tables.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';

/** A gallery is switched in one transaction, during which other writes to it wait or time out. */
const switchTimeoutMs = 10 * 60 * 1000;

const dropped = 'SELECT n.user_id FROM next_templates n WHERE n.gallery = $1 AND n.template IS NULL';

/** Faces without a template of their current seq, that is, of their current picture. */
const pendingFaces = `
  faces f LEFT JOIN next_templates n ON n.gallery = $1 AND n.user_id = f.user_id AND n.seq = f.seq
  WHERE f.gallery = $1 AND n.user_id IS NULL`;

export function postgresTemplateMigration(db: PostgresDatabase): TemplateMigrationStore {
  return {
    begin: (gallery, spec) => db.transaction((session) => begin(session, gallery, spec)),
    countPending: (gallery, spec) => pendingOf(db, gallery, spec),
    nextPending: async (gallery, spec, after, limit, withCrops = true) =>
      (await isNext(db, gallery, spec)) ? nextFaces(db, gallery, after, limit, withCrops) : [],
    storeTemplates: (gallery, spec, templates, sealedWith) =>
      db.transaction(async (session) => {
        // Locks the gallery first, as every write does, so that no face is replaced meanwhile.
        if (!(await lock(session, gallery, spec))) return false;
        if (sealedWith && !(await session.get(selectKey, gallery, sealedWith))) return false;
        await storeAll(session, gallery, templates);
        return true;
      }),
    async switchGallery(gallery, spec, at) {
      // First without a lock: callers that wait for the switch call often.
      const pending = await pendingOf(db, gallery, spec);
      if (pending !== 0) return pending === null ? null : { pending };
      return db.transaction((session) => switchAll(session, gallery, spec, at), switchTimeoutMs);
    },
  };
}

/** One statement, so that a concurrent switch cannot come between. @returns null when `spec` is not the next one */
async function pendingOf(session: Session, gallery: number, spec: string): Promise<number | null> {
  const row = await session.get<{ pending: number }>(
    `SELECT (SELECT count(*) FROM ${pendingFaces}) AS pending FROM galleries
     WHERE id = $1 AND client_id IS NOT NULL AND next_contract = $2`,
    gallery,
    spec,
  );
  return row?.pending ?? null;
}

async function isNext(session: Session, gallery: number, spec: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND next_contract = $2';
  return (await session.get(sql, gallery, spec)) !== undefined;
}

/** @returns the gallery's version; undefined when `spec` is not the next one */
function lock(session: Session, gallery: number, spec: string): Promise<{ version: number } | undefined> {
  return session.get(
    `SELECT version FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND next_contract = $2
     FOR NO KEY UPDATE`,
    gallery,
    spec,
  );
}

async function begin(session: Session, gallery: number, spec: string): Promise<void> {
  const changed = await session.run(
    `UPDATE galleries SET next_contract = CASE WHEN contract = $2 THEN NULL ELSE $2 END
     WHERE id = $1 AND client_id IS NOT NULL AND next_contract IS DISTINCT FROM $2`,
    gallery,
    spec,
  );
  if (changed > 0) await session.run('DELETE FROM next_templates WHERE gallery = $1', gallery);
}

async function nextFaces(
  session: Session,
  gallery: number,
  after: number,
  limit: number,
  withCrops: boolean,
): Promise<PendingFace[]> {
  const faces = await session.all<Omit<SealedRow, 'user_name'>>(
    `SELECT f.user_id, f.seq, f.template FROM ${pendingFaces} AND f.seq > $2 ORDER BY f.seq LIMIT $3`,
    gallery,
    after,
    limit,
  );
  const crops = withCrops ? await cropsOf(session, gallery, faces) : [];
  return faces.map(({ user_id, seq, template }) => ({
    userId: user_id,
    seq,
    template: bytesOf(template),
    crops: crops.filter((crop) => crop.user_id === user_id).map(toCrop),
  }));
}

function cropsOf(
  session: Session,
  gallery: number,
  faces: readonly { readonly user_id: string }[],
): Promise<(CropRow & { user_id: string })[]> {
  return session.all(
    `SELECT user_id, crop FROM face_crops WHERE gallery = $1 AND user_id = ANY($2::text[])
     ORDER BY user_id, place`,
    gallery,
    faces.map(({ user_id }) => user_id),
  );
}

async function storeAll(
  session: Session,
  gallery: number,
  templates: readonly MigratedTemplate[],
): Promise<void> {
  await session.run(
    `INSERT INTO next_templates (gallery, user_id, seq, template)
     SELECT f.gallery, f.user_id, f.seq, n.template
       FROM unnest($2::text[], $3::bigint[], $4::bytea[]) AS n (user_id, seq, template)
       JOIN faces f ON f.gallery = $1 AND f.user_id = n.user_id AND f.seq = n.seq
     ON CONFLICT (gallery, user_id) DO UPDATE SET seq = excluded.seq, template = excluded.template`,
    gallery,
    templates.map(({ userId }) => userId),
    templates.map(({ seq }) => seq),
    templates.map(({ template }) => template),
  );
}

async function switchAll(
  session: Session,
  gallery: number,
  spec: string,
  at: Date,
): Promise<MigrationOutcome> {
  const before = await lock(session, gallery, spec);
  if (!before) return null;
  const pending = await pendingOf(session, gallery, spec);
  if (pending !== 0) return pending === null ? null : { pending };
  for (const sql of erasePeople(dropped)) await session.run(sql, gallery);
  // Every face gets a new seq, so that caches of the gallery read all of it again.
  const moved = await session.run(
    `UPDATE faces f SET template = n.template, seq = $2 + n.place
     FROM (SELECT user_id, template, row_number() OVER (ORDER BY seq) AS place
             FROM next_templates WHERE gallery = $1 AND template IS NOT NULL) n
     WHERE f.gallery = $1 AND f.user_id = n.user_id`,
    gallery,
    before.version,
  );
  await session.run('DELETE FROM next_templates WHERE gallery = $1', gallery);
  await session.run(
    `UPDATE galleries SET former_contract = contract, carried_at = $2, next_contract = NULL,
       contract = CASE WHEN $3 = 0 THEN NULL ELSE $4 END, faces = $3, version = $5 WHERE id = $1`,
    gallery,
    at.getTime(),
    moved,
    spec,
    before.version + moved + 1,
  );
  return 'done';
}
