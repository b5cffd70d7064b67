import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MigratedTemplate, PendingFace, TemplateMigrationStore } from '../../crop-store.ts';
import { bytesOf, type CropRow, type SealedRow, toCrop } from '../../rows.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseSlice } from './crops.ts';
import { hasKey } from './enrol.ts';
import { countPending, resumeSwitch, startSwitch, switchInProgress } from './template-switch.ts';

/** Faces scanned for pending ones in one turn of the event loop: about 1.5 ms. */
const scanLimit = 500;

/** Templates erased in one turn of the event loop: about 3 ms. */
const erasedTemplates = 200;

export function sqliteTemplateMigration(db: SqliteDatabase): TemplateMigrationStore {
  return {
    begin: (gallery, embeddingSpec) => begin(db, gallery, embeddingSpec),
    countPending: async (gallery, embeddingSpec) =>
      isNext(db, gallery, embeddingSpec) ? countPending(db, gallery) : null,
    nextPending: async (gallery, embeddingSpec, after, limit, withCrops = true) =>
      isNext(db, gallery, embeddingSpec) ? nextFaces(db, gallery, after, limit, withCrops) : [],
    storeTemplates: (gallery, embeddingSpec, templates, sealedWith) =>
      db.write(() => {
        if (!isNext(db, gallery, embeddingSpec)) return false;
        if (sealedWith && !hasKey(db, gallery, sealedWith)) return false;
        for (const template of templates) storeTemplate(db, gallery, template);
        return true;
      }),
    async switchGallery(gallery, embeddingSpec, at) {
      // First without a transaction: callers that wait for the switch call often.
      if (isSwitching(db, gallery, embeddingSpec)) return resumeSwitch(db, gallery);
      if (!isNext(db, gallery, embeddingSpec)) return null;
      const start = await db.write(() =>
        isNext(db, gallery, embeddingSpec) ? startSwitch(db, gallery, embeddingSpec, at) : null,
      );
      return start === 'started' ? resumeSwitch(db, gallery) : start;
    },
  };
}

/** Whether it is the next embedding spec and the switch has not begun. */
function isNext(db: SqliteDatabase, gallery: number, embeddingSpec: string): boolean {
  const found = db.get(
    `SELECT 1 FROM galleries WHERE id = ? AND client_id IS NOT NULL AND next_contract = ?
       AND contract IS NOT next_contract`,
    gallery,
    embeddingSpec,
  );
  return found !== undefined;
}

function isSwitching(db: SqliteDatabase, gallery: number, embeddingSpec: string): boolean {
  const sql = `SELECT 1 FROM galleries WHERE id = ? AND contract = ? AND ${switchInProgress}`;
  return db.get(sql, gallery, embeddingSpec) !== undefined;
}

/** Erases old templates in slices; sets the next embedding spec in the last one, so that none is stored before. */
async function begin(db: SqliteDatabase, gallery: number, embeddingSpec: string): Promise<void> {
  // Completes a switch that is under way.
  if (db.get(`SELECT 1 FROM galleries WHERE id = ? AND ${switchInProgress}`, gallery))
    await resumeSwitch(db, gallery);
  if (isNext(db, gallery, embeddingSpec)) return;
  for (let all = 0; ; await nextTurn()) {
    const erased = await db.write(() => {
      db.run('UPDATE galleries SET next_contract = NULL WHERE id = ?', gallery);
      const some = eraseSlice(db, 'next_templates', gallery, erasedTemplates);
      if (some < erasedTemplates) setNextSpec(db, gallery, embeddingSpec);
      return some;
    });
    all += erased;
    if (erased === erasedTemplates) continue;
    if (all > 0) db.purge();
    return;
  }
}

function setNextSpec(db: SqliteDatabase, gallery: number, embeddingSpec: string): void {
  db.run(
    `UPDATE galleries SET next_contract = ? WHERE id = ? AND client_id IS NOT NULL AND contract IS NOT ?`,
    embeddingSpec,
    gallery,
    embeddingSpec,
  );
}

/** Faces without a template of their current seq, that is, of their current picture. */
async function nextFaces(
  db: SqliteDatabase,
  gallery: number,
  after: number,
  limit: number,
  withCrops: boolean,
): Promise<PendingFace[]> {
  const found: PendingFace[] = [];
  // Starts small, since usually all of the next faces are pending.
  let batch = Math.min(limit, scanLimit);
  for (let last = after; ; await nextTurn()) {
    const faces = db.all<{ id: number; user_id: string; seq: number; pending: number }>(
      `SELECT f.id, f.user_id, f.seq, n.id IS NULL AS pending FROM faces f
         LEFT JOIN next_templates n ON n.gallery = f.gallery AND n.user_id = f.user_id AND n.seq = f.seq
       WHERE f.gallery = ? AND f.seq > ? ORDER BY f.seq LIMIT ?`,
      gallery,
      last,
      batch,
    );
    const pending = faces.filter((face) => face.pending === 1).slice(0, limit - found.length);
    found.push(...pending.map((face) => pendingFace(db, gallery, face, withCrops)));
    if (found.length === limit || faces.length < batch) return found;
    last = faces.at(-1)!.seq;
    batch = Math.min(2 * batch, scanLimit);
  }
}

function pendingFace(
  db: SqliteDatabase,
  gallery: number,
  { id, user_id: userId, seq }: { id: number; user_id: string; seq: number },
  withCrops: boolean,
): PendingFace {
  const { template } = db.get<Pick<SealedRow, 'template'>>('SELECT template FROM faces WHERE id = ?', id)!;
  const crops = 'SELECT crop FROM face_crops WHERE gallery = ? AND user_id = ? ORDER BY place';
  return {
    ...{ userId, seq, template: bytesOf(template) },
    crops: withCrops ? db.all<CropRow>(crops, gallery, userId).map(toCrop) : [],
  };
}

function storeTemplate(
  db: SqliteDatabase,
  gallery: number,
  { userId, seq, template }: MigratedTemplate,
): void {
  const place = [gallery, userId] as const;
  const face = db.get('SELECT 1 FROM faces WHERE gallery = ? AND user_id = ? AND seq = ?', ...place, seq);
  if (!face) return;
  db.run('DELETE FROM next_templates WHERE gallery = ? AND user_id = ?', ...place);
  db.run(
    'INSERT INTO next_templates (gallery, user_id, seq, template) VALUES (?, ?, ?, ?)',
    ...place,
    seq,
    template,
  );
}
