import { isSuspended, writeTerms } from '../../people/postgres.ts';
import type { GalleryStateRow } from '../../rows.ts';
import { deletePicturesBeyond, insertPicture, selectKey } from '../../sql/faces.ts';
import type { EnrolRefusal, NewFace } from '../../store.ts';
import { writeEvent } from '../../webhooks/postgres.ts';
import type { PostgresDatabase, Session } from '../connection/database.ts';
import { eraseDependents, writeCrops } from './crops.ts';

/**
 * See `FaceStore.enrol`. The gallery's row is the lock that orders the writes of all servers: a reader of version n
 * finds every face with a seq up to n.
 */
export function enrol(
  db: PostgresDatabase,
  gallery: number,
  face: NewFace,
  replace: boolean,
  version?: number,
): Promise<number | EnrolRefusal> {
  return db.transaction(async (session) => {
    const place = await lockGallery(session, gallery);
    if (!place) return 'gone';
    if (version !== undefined && version !== place.version) return 'changed';
    // After the lock, which a replacement of the key waits for.
    if (face.sealedWith && !(await session.get(selectKey, gallery, face.sealedWith))) return 'changed';
    if (place.contract !== null && place.contract !== face.embeddingSpec) return 'embedding-spec';
    const known = await session.get(
      'SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2',
      gallery,
      face.userId,
    );
    if (known && !replace) return 'exists';
    if (known && !face.renamed && (await isSuspended(session, gallery, face.userId))) return 'suspended';
    if (!known && !(await hasRoom(session, place.client_id))) return 'quota';
    if (known) await eraseDependents(session, gallery, face.userId, { keepCrops: face.appended ?? false });
    const seq = await write(session, gallery, face, known === undefined);
    await writeCrops(session, gallery, face);
    await writePicture(session, gallery, face);
    await writeEvent(session, face.event);
    if (face.terms) await writeTerms(session, gallery, face.userId, face.terms);
    return seq;
  });
}

/** A gallery that is not being deleted; its row is locked until the end of the transaction. */
export function lockGallery(session: Session, gallery: number): Promise<GalleryStateRow | undefined> {
  return session.get<GalleryStateRow>(
    'SELECT client_id, contract, version FROM galleries WHERE id = $1 AND client_id IS NOT NULL FOR NO KEY UPDATE',
    gallery,
  );
}

/** Locks the client's row only when it has a quota: otherwise its galleries are written concurrently. */
async function hasRoom(session: Session, clientId: string): Promise<boolean> {
  const client = await session.get<{ quota_faces: number }>(
    'SELECT quota_faces FROM clients WHERE client_id = $1 AND quota_faces >= 0 FOR NO KEY UPDATE',
    clientId,
  );
  if (!client) return true;
  const used = await session.get<{ faces: number }>(
    'SELECT coalesce(sum(faces), 0)::bigint AS faces FROM galleries WHERE client_id = $1',
    clientId,
  );
  return (used?.faces ?? 0) < client.quota_faces;
}

/** @returns the new seq */
export async function write(
  session: Session,
  gallery: number,
  face: NewFace,
  isNew: boolean,
): Promise<number> {
  const now = Date.now();
  const row = await session.get<{ seq: number }>(
    `WITH bumped AS (
       UPDATE galleries SET version = version + 1, faces = faces + $6, contract = $7 WHERE id = $1 RETURNING version
     )
     INSERT INTO faces (gallery, user_id, user_name, template, seq, created_at, updated_at)
     SELECT $1, $2, $3, $4, version, $8, $5 FROM bumped
     ON CONFLICT (gallery, user_id) DO UPDATE SET user_name = excluded.user_name, template = excluded.template,
       seq = excluded.seq, updated_at = excluded.updated_at
     RETURNING seq`,
    gallery,
    face.userId,
    face.userName,
    face.template,
    now,
    isNew ? 1 : 0,
    face.embeddingSpec,
    face.createdAt?.getTime() ?? now,
  );
  if (!row) throw new Error('the gallery disappeared inside a transaction');
  return row.seq;
}

async function writePicture(session: Session, gallery: number, { userId, picture }: NewFace): Promise<void> {
  if (!picture) return;
  await session.run(deletePicturesBeyond, gallery, userId, picture.place);
  await session.run(insertPicture, gallery, userId, picture.place, picture.id);
}
