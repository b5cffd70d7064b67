import type { CarryOutcome, CarryStore, NextTemplate, WaitingFace } from '../crop-store.ts';
import { bytesOf, type CropRow, type MovingRow, toCrop } from '../rows.ts';
import type { SqliteDatabase } from './database.ts';

/** Rows moved at a time, so that a large gallery is not in memory as a whole. */
const sliceFaces = 1000;

/** Faces of a gallery without a template for its next contract: of their own seq, that is, of their own picture. */
const waitingFaces = `
  faces f LEFT JOIN next_templates n ON n.gallery = f.gallery AND n.user_id = f.user_id AND n.seq = f.seq
  WHERE f.gallery = ? AND n.id IS NULL`;

export function sqliteCarry(db: SqliteDatabase): CarryStore {
  return {
    begin: async (gallery, contract) => {
      const emptied = await db.write(() => begin(db, gallery, contract));
      if (emptied) db.purge();
    },
    waiting: async (gallery, contract) => (isNext(db, gallery, contract) ? countWaiting(db, gallery) : null),
    next: async (gallery, contract, after, limit) =>
      isNext(db, gallery, contract) ? nextFaces(db, gallery, after, limit) : [],
    keep: (gallery, contract, templates) =>
      db.write(() => {
        if (!isNext(db, gallery, contract)) return false;
        for (const template of templates) keep(db, gallery, template);
        return true;
      }),
    async carry(gallery, contract, at) {
      // Asked first without a transaction: who waits asks often.
      if (!isNext(db, gallery, contract)) return null;
      const outcome = await db.write(() => carry(db, gallery, contract, at));
      if (outcome === 'done') db.purge();
      return outcome;
    },
  };
}

function isNext(db: SqliteDatabase, gallery: number, contract: string): boolean {
  const found = db.get(
    'SELECT 1 FROM galleries WHERE id = ? AND client_id IS NOT NULL AND next_contract = ?',
    gallery,
    contract,
  );
  return found !== undefined;
}

function begin(db: SqliteDatabase, gallery: number, contract: string): boolean {
  if (isNext(db, gallery, contract)) return false;
  db.run(
    `UPDATE galleries SET next_contract = CASE WHEN contract = ? THEN NULL ELSE ? END
     WHERE id = ? AND client_id IS NOT NULL`,
    contract,
    contract,
    gallery,
  );
  return db.run('DELETE FROM next_templates WHERE gallery = ?', gallery) > 0;
}

function countWaiting(db: SqliteDatabase, gallery: number): number {
  return db.get<{ count: number }>(`SELECT count(*) AS count FROM ${waitingFaces}`, gallery)?.count ?? 0;
}

function nextFaces(db: SqliteDatabase, gallery: number, after: number, limit: number): WaitingFace[] {
  const faces = db.all<{ user_id: string; seq: number }>(
    `SELECT f.user_id, f.seq FROM ${waitingFaces} AND f.seq > ? ORDER BY f.seq LIMIT ?`,
    gallery,
    after,
    limit,
  );
  const crops = 'SELECT crop FROM face_crops WHERE gallery = ? AND user_id = ? ORDER BY place';
  return faces.map(({ user_id, seq }) => ({
    userId: user_id,
    seq,
    crops: db.all<CropRow>(crops, gallery, user_id).map(toCrop),
  }));
}

function keep(db: SqliteDatabase, gallery: number, { userId, seq, template }: NextTemplate): void {
  const place = [gallery, userId] as const;
  const there = db.get('SELECT 1 FROM faces WHERE gallery = ? AND user_id = ? AND seq = ?', ...place, seq);
  if (!there) return;
  db.run('DELETE FROM next_templates WHERE gallery = ? AND user_id = ?', ...place);
  db.run(
    'INSERT INTO next_templates (gallery, user_id, seq, template) VALUES (?, ?, ?, ?)',
    ...place,
    seq,
    template,
  );
}

function carry(db: SqliteDatabase, gallery: number, contract: string, at: Date): CarryOutcome {
  const before = isNext(db, gallery, contract)
    ? db.get<{ version: number }>('SELECT version FROM galleries WHERE id = ?', gallery)
    : undefined;
  if (!before) return null;
  const waiting = countWaiting(db, gallery);
  if (waiting > 0) return { waiting };
  const leftOut = '(SELECT user_id FROM next_templates WHERE gallery = ? AND template IS NULL)';
  for (const table of ['face_crops', 'faces']) {
    db.run(`DELETE FROM ${table} WHERE gallery = ? AND user_id IN ${leftOut}`, gallery, gallery);
  }
  const moved = moveTemplates(db, gallery, before.version);
  db.run('DELETE FROM next_templates WHERE gallery = ?', gallery);
  db.run(
    `UPDATE galleries SET former_contract = contract, carried_at = ?, next_contract = NULL,
       contract = CASE WHEN ? = 0 THEN NULL ELSE ? END, faces = ?, version = ? WHERE id = ?`,
    at.getTime(),
    moved,
    contract,
    moved,
    before.version + moved + 1,
    gallery,
  );
  return 'done';
}

/**
 * Writes every face anew with its new template and a new seq, so that whoever holds the gallery in memory reads all of
 * it again. @returns how many
 */
function moveTemplates(db: SqliteDatabase, gallery: number, version: number): number {
  let moved = 0;
  for (;;) {
    const faces = db.all<MovingRow>(
      `SELECT f.user_id, f.user_name, f.created_at, f.updated_at, n.template FROM faces f
         JOIN next_templates n ON n.gallery = f.gallery AND n.user_id = f.user_id
       WHERE f.gallery = ? AND f.seq <= ? ORDER BY f.seq LIMIT ?`,
      gallery,
      version,
      sliceFaces,
    );
    for (const face of faces) moveFace(db, gallery, face, version + ++moved);
    if (faces.length < sliceFaces) return moved;
  }
}

function moveFace(db: SqliteDatabase, gallery: number, face: MovingRow, seq: number): void {
  db.run('DELETE FROM faces WHERE gallery = ? AND user_id = ?', gallery, face.user_id);
  db.run(
    `INSERT INTO faces (gallery, user_id, user_name, template, seq, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    gallery,
    face.user_id,
    face.user_name,
    bytesOf(face.template),
    seq,
    face.created_at,
    face.updated_at,
  );
}
