import type {
  MigratedTemplate,
  MigrationOutcome,
  PendingFace,
  TemplateMigrationStore,
} from '../../crop-store.ts';
import { type CropRow, toCrop } from '../../rows.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';

/** A large gallery is carried over in one transaction; others that write to it wait or are refused. */
const switchTimeoutMs = 10 * 60 * 1000;

/** Faces of a gallery without a template for its next contract: of their own seq, that is, of their own picture. */
const pendingFaces = `
  faces f LEFT JOIN next_templates n ON n.gallery = $1 AND n.user_id = f.user_id AND n.seq = f.seq
  WHERE f.gallery = $1 AND n.user_id IS NULL`;

export function postgresTemplateMigration(db: PostgresDatabase): TemplateMigrationStore {
  return {
    begin: (gallery, contract) => db.transaction((session) => begin(session, gallery, contract)),
    countPending: async (gallery, contract) =>
      (await isNext(db, gallery, contract)) ? countPending(db, gallery) : null,
    nextPending: async (gallery, contract, after, limit) =>
      (await isNext(db, gallery, contract)) ? nextFaces(db, gallery, after, limit) : [],
    storeTemplates: (gallery, contract, templates) =>
      db.transaction(async (session) => {
        // The gallery first, as everybody does; so no face is replaced meanwhile.
        if (!(await lock(session, gallery, contract))) return false;
        for (const template of templates) await keep(session, gallery, template);
        return true;
      }),
    async switchGallery(gallery, contract, at) {
      // Asked first without a lock: who waits asks often.
      if (!(await isNext(db, gallery, contract))) return null;
      const waiting = await countPending(db, gallery);
      if (waiting > 0) return { pending: waiting };
      return db.transaction((session) => carry(session, gallery, contract, at), switchTimeoutMs);
    },
  };
}

async function isNext(session: Session, gallery: number, contract: string): Promise<boolean> {
  const row = await session.get(
    'SELECT 1 FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND next_contract = $2',
    gallery,
    contract,
  );
  return row !== undefined;
}

/** @returns the gallery's version; undefined when its next contract is not this one */
function lock(session: Session, gallery: number, contract: string): Promise<{ version: number } | undefined> {
  return session.get(
    `SELECT version FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND next_contract = $2
     FOR NO KEY UPDATE`,
    gallery,
    contract,
  );
}

async function begin(session: Session, gallery: number, contract: string): Promise<void> {
  const changed = await session.run(
    `UPDATE galleries SET next_contract = CASE WHEN contract = $2 THEN NULL ELSE $2 END
     WHERE id = $1 AND client_id IS NOT NULL AND next_contract IS DISTINCT FROM $2`,
    gallery,
    contract,
  );
  if (changed > 0) await session.run('DELETE FROM next_templates WHERE gallery = $1', gallery);
}

async function countPending(session: Session, gallery: number): Promise<number> {
  const row = await session.get<{ count: number }>(`SELECT count(*) AS count FROM ${pendingFaces}`, gallery);
  return row?.count ?? 0;
}

async function nextFaces(
  session: Session,
  gallery: number,
  after: number,
  limit: number,
): Promise<PendingFace[]> {
  const faces = await session.all<{ user_id: string; seq: number }>(
    `SELECT f.user_id, f.seq FROM ${pendingFaces} AND f.seq > $2 ORDER BY f.seq LIMIT $3`,
    gallery,
    after,
    limit,
  );
  const crops = await session.all<CropRow & { user_id: string }>(
    `SELECT user_id, crop FROM face_crops WHERE gallery = $1 AND user_id = ANY($2::text[])
     ORDER BY user_id, place`,
    gallery,
    faces.map(({ user_id }) => user_id),
  );
  return faces.map(({ user_id, seq }) => ({
    userId: user_id,
    seq,
    crops: crops.filter((crop) => crop.user_id === user_id).map(toCrop),
  }));
}

async function keep(
  session: Session,
  gallery: number,
  { userId, seq, template }: MigratedTemplate,
): Promise<void> {
  await session.run(
    `INSERT INTO next_templates (gallery, user_id, seq, template)
     SELECT gallery, user_id, seq, $4::bytea FROM faces WHERE gallery = $1 AND user_id = $2 AND seq = $3
     ON CONFLICT (gallery, user_id) DO UPDATE SET seq = excluded.seq, template = excluded.template`,
    gallery,
    userId,
    seq,
    template,
  );
}

async function carry(
  session: Session,
  gallery: number,
  contract: string,
  at: Date,
): Promise<MigrationOutcome> {
  const before = await lock(session, gallery, contract);
  if (!before) return null;
  const waiting = await countPending(session, gallery);
  if (waiting > 0) return { pending: waiting };
  for (const table of ['face_crops', 'faces']) {
    await session.run(
      `DELETE FROM ${table} t USING next_templates n
       WHERE t.gallery = $1 AND n.gallery = $1 AND n.user_id = t.user_id AND n.template IS NULL`,
      gallery,
    );
  }
  // Every face gets a new seq, so that whoever holds the gallery in memory reads all of it again.
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
    contract,
    before.version + moved + 1,
  );
  return 'done';
}
