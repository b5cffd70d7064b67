import { isSuspended, writeTerms } from '../../people/sqlite.ts';
import type { GalleryStateRow } from '../../rows.ts';
import { deletePicturesBeyond, insertPicture, selectKey } from '../../sql/faces.ts';
import type { EnrolRefusal, NewFace } from '../../store.ts';
import { writeEvent } from '../../webhooks/sqlite.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { eraseDependents, writeCrops } from './crops.ts';

/** See `FaceStore.enrol`. */
export async function enrol(
  db: SqliteDatabase,
  gallery: number,
  face: NewFace,
  replace: boolean,
  version?: number,
): Promise<number | EnrolRefusal> {
  const written = await db.write(() => {
    const place = db.get<GalleryStateRow>(
      'SELECT client_id, contract, version FROM galleries WHERE id = ? AND client_id IS NOT NULL',
      gallery,
    );
    if (!place) return 'gone';
    if (version !== undefined && version !== place.version) return 'changed';
    if (face.sealedWith && !hasKey(db, gallery, face.sealedWith)) return 'changed';
    if (place.contract !== null && place.contract !== face.embeddingSpec) return 'embedding-spec';
    const since = createdAtOf(db, gallery, face.userId);
    if (since !== undefined && !replace) return 'exists';
    if (since !== undefined && !face.renamed && isSuspended(db, gallery, face.userId)) return 'suspended';
    if (since === undefined && !hasRoom(db, place.client_id)) return 'quota';
    return { seq: write(db, gallery, face, since), replaced: since !== undefined };
  });
  if (typeof written === 'string') return written;
  if (written.replaced) db.purge();
  return written.seq;
}

/** In the transaction that writes what is sealed with it. */
export function hasKey(db: SqliteDatabase, gallery: number, wrappedKey: Uint8Array): boolean {
  return db.get(selectKey, gallery, wrappedKey) !== undefined;
}

/** Creation time of an enrolled user. */
export function createdAtOf(db: SqliteDatabase, gallery: number, userId: string): number | undefined {
  const row = db.get<{ created_at: number }>(
    'SELECT created_at FROM faces WHERE gallery = ? AND user_id = ?',
    gallery,
    userId,
  );
  return row?.created_at;
}

function hasRoom(db: SqliteDatabase, clientId: string): boolean {
  const room = db.get(
    `SELECT 1 FROM clients c WHERE client_id = ? AND (quota_faces < 0 OR
       quota_faces > (SELECT sum(faces) FROM galleries g WHERE g.client_id = c.client_id))`,
    clientId,
  );
  return room !== undefined;
}

/** @param since creation time of the user that is replaced @returns the new seq */
export function write(db: SqliteDatabase, gallery: number, face: NewFace, since: number | undefined): number {
  const now = Date.now();
  // A new row instead of an update; see the schema.
  if (since !== undefined) {
    db.run('DELETE FROM faces WHERE gallery = ? AND user_id = ?', gallery, face.userId);
    eraseDependents(db, gallery, face.userId, { keepCrops: face.appended ?? false });
  }
  const row = db.get<{ version: number }>(
    'UPDATE galleries SET version = version + 1, faces = faces + ?, contract = ? WHERE id = ? RETURNING version',
    since === undefined ? 1 : 0,
    face.embeddingSpec,
    gallery,
  );
  if (!row) throw new Error('the gallery disappeared inside a transaction');
  db.run(
    `INSERT INTO faces (gallery, user_id, user_name, template, seq, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    gallery,
    face.userId,
    face.userName,
    face.template,
    row.version,
    since ?? face.createdAt?.getTime() ?? now,
    now,
  );
  writeCrops(db, gallery, face);
  writePicture(db, gallery, face);
  writeEvent(db, face.event);
  if (face.terms) writeTerms(db, gallery, face.userId, face.terms);
  return row.version;
}

function writePicture(db: SqliteDatabase, gallery: number, { userId, picture }: NewFace): void {
  if (!picture) return;
  db.run(deletePicturesBeyond, gallery, userId, picture.place);
  db.run(insertPicture, gallery, userId, picture.place, picture.id);
}
