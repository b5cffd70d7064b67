import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MigrationOutcome } from '../../crop-store.ts';
import { bytesOf, type MigratingRow } from '../../rows.ts';
import { erasePeople } from '../../tables.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseDependents } from './crops.ts';

/** Faces switched in one turn of the event loop: about 3 ms. */
const sliceFaces = 50;

/**
 * A gallery is switched in two steps. The first sets `contract` and leaves `next_contract` equal to it, which marks the
 * switch: a face with a row in `next_templates` still has the template of the former embedding spec. The second moves
 * these rows in slices and is resumable. Meanwhile the gallery's templates are not comparable.
 */
export const switchInProgress = 'client_id IS NOT NULL AND contract = next_contract';

/** SQL condition: some templates still have the former embedding spec. */
export function hasFormerTemplates(galleries: string): string {
  return `(${galleries}.contract = ${galleries}.next_contract AND EXISTS
    (SELECT 1 FROM next_templates n WHERE n.gallery = ${galleries}.id))`;
}

/** Number of faces without a template for the next embedding spec. */
export function countPending(db: SqliteDatabase, gallery: number): number {
  const row = db.get<{ pending: number }>(
    `SELECT faces - (SELECT count(*) FROM next_templates WHERE gallery = ?1) AS pending FROM galleries WHERE id = ?1`,
    gallery,
  );
  return row?.pending ?? 0;
}

/** First step, in the caller's transaction. */
export function startSwitch(
  db: SqliteDatabase,
  gallery: number,
  embeddingSpec: string,
  at: Date,
): 'started' | { readonly pending: number } {
  const pending = countPending(db, gallery);
  if (pending > 0) return { pending };
  db.run(
    `UPDATE galleries SET former_contract = contract, carried_at = ?, contract = ?, version = version + 1
     WHERE id = ?`,
    at.getTime(),
    embeddingSpec,
    gallery,
  );
  return 'started';
}

/** Second step, in slices. @returns null when another caller completed it */
export async function resumeSwitch(
  db: SqliteDatabase,
  gallery: number,
): Promise<Extract<MigrationOutcome, 'done'> | null> {
  for (;;) {
    const outcome = await db.write(() => switchSlice(db, gallery));
    if (outcome === 'ended') return null;
    if (outcome === 'done') {
      db.purge();
      return 'done';
    }
    await nextTurn();
  }
}

/** Completes the switches of a process that ended. */
export function finishInterruptedSwitches(db: SqliteDatabase): void {
  const galleries = db.all<{ id: number }>(`SELECT id FROM galleries WHERE ${switchInProgress}`);
  for (const { id } of galleries) while (db.transaction(() => switchSlice(db, id)) === 'more');
  if (galleries.length > 0) db.purge();
}

type Next = Omit<MigratingRow, 'template'> & {
  readonly next: number;
  readonly face: number | null;
  readonly template: MigratingRow['template'] | null;
};

const nextSlice = `
  SELECT n.id AS next, n.user_id, n.template, f.id AS face, f.user_name, f.created_at, f.updated_at
    FROM next_templates n
    LEFT JOIN faces f ON f.gallery = n.gallery AND f.user_id = n.user_id AND f.seq = n.seq
   WHERE n.gallery = ? ORDER BY n.user_id LIMIT ?`;

function switchSlice(db: SqliteDatabase, gallery: number): 'more' | 'done' | 'ended' {
  const place = db.get<{ version: number }>(
    `SELECT version FROM galleries WHERE id = ? AND ${switchInProgress}`,
    gallery,
  );
  if (!place) return 'ended';
  const slice = db.all<Next>(nextSlice, gallery, sliceFaces);
  if (slice.length === 0) {
    db.run(
      `UPDATE galleries SET next_contract = NULL, version = version + 1,
         contract = CASE WHEN faces = 0 THEN NULL ELSE contract END WHERE id = ?`,
      gallery,
    );
    return 'done';
  }
  let { version } = place;
  let gone = 0;
  for (const row of slice) {
    if (row.face === null) db.run('DELETE FROM next_templates WHERE id = ?', row.next);
    else if (switchFace(db, gallery, row, version + 1)) version++;
    else gone++;
  }
  db.run(
    'UPDATE galleries SET version = ?, faces = faces - ? WHERE id = ?',
    version + Math.sign(gone),
    gone,
    gallery,
  );
  return 'more';
}

/**
 * Replaces the face's row with the new template and a new seq, so that caches of the gallery read it again.
 * @returns false when the face was deleted instead
 */
function switchFace(db: SqliteDatabase, gallery: number, face: Next, seq: number): boolean {
  db.run('DELETE FROM faces WHERE id = ?', face.face);
  eraseDependents(db, gallery, face.user_id, { keepCrops: true });
  if (face.template === null) {
    for (const sql of erasePeople()) db.run(sql, gallery, face.user_id);
    return false;
  }
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
  return true;
}
