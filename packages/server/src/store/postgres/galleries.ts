import { type GalleryRow, selectEmbeddingSpecs, toGallery } from '../rows.ts';
import type { EmbeddingSpecUse, GalleryRecord, GallerySettingsUpdate, GalleryStore } from '../store.ts';
import type { PostgresDatabase, Session } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

const select = 'SELECT g.*, k.wrapped_key FROM galleries g JOIN gallery_keys k ON k.gallery = g.id';

export function postgresGalleries(db: PostgresDatabase): GalleryStore {
  return {
    create: (clientId, galleryId, wrappedKey, requireLiveness = false) =>
      db.transaction((session) => create(session, clientId, galleryId, wrappedKey, requireLiveness)),
    get: (clientId, galleryId) => find(db, clientId, galleryId),
    list: async (clientId) =>
      (await db.all<GalleryRow>(`${select} WHERE client_id = $1 ORDER BY gallery_id`, clientId)).map(
        toGallery,
      ),
    embeddingSpecs: async () =>
      (await db.all<EmbeddingSpecUse>(selectEmbeddingSpecs)).map((use) => ({
        ...use,
        faces: Number(use.faces),
      })),
    updateSettings: (clientId, galleryId, tuning) => tune(db, clientId, galleryId, tuning),
    findErased: (galleries) => erased(db, galleries),
    remove: (clientId, galleryId) => remove(db, clientId, galleryId),
  };
}

async function create(
  session: Session,
  clientId: string,
  galleryId: string,
  wrappedKey: (id: number) => Uint8Array,
  requireLiveness: boolean,
): Promise<GalleryRecord | 'exists' | 'quota'> {
  // The row of the client is the lock under which its galleries are counted.
  const client = await session.get<{ quota_galleries: number }>(
    'SELECT quota_galleries FROM clients WHERE client_id = $1 FOR NO KEY UPDATE',
    clientId,
  );
  if (await find(session, clientId, galleryId)) return 'exists';
  if (!client || !(await hasRoom(session, clientId, client.quota_galleries))) return 'quota';
  const row = await session.get<{ id: number }>(
    'INSERT INTO galleries (client_id, gallery_id, created_at, require_liveness) VALUES ($1, $2, $3, $4) RETURNING id',
    clientId,
    galleryId,
    Date.now(),
    Number(requireLiveness),
  );
  if (!row) throw new Error('the database gave the new gallery no number');
  await session.run('INSERT INTO gallery_keys VALUES ($1, $2)', row.id, wrappedKey(row.id));
  const made = await find(session, clientId, galleryId);
  if (!made) throw new Error('the new gallery is not there');
  return made;
}

async function hasRoom(session: Session, clientId: string, quota: number): Promise<boolean> {
  if (quota < 0) return true;
  const used = await session.get<{ count: number }>(
    'SELECT count(*) AS count FROM galleries WHERE client_id = $1',
    clientId,
  );
  return (used?.count ?? 0) < quota;
}

async function tune(
  db: PostgresDatabase,
  clientId: string,
  galleryId: string,
  tuning: GallerySettingsUpdate,
): Promise<boolean> {
  // What is not named is undefined and stays; null takes back.
  const { threshold, curve, requireLiveness } = tuning;
  const changed = await db.run(
    `UPDATE galleries SET threshold = CASE WHEN $3 THEN $4 ELSE threshold END,
       curve = CASE WHEN $5 THEN $6 ELSE curve END, require_liveness = coalesce($7, require_liveness) WHERE client_id = $1 AND gallery_id = $2`,
    clientId,
    galleryId,
    String(threshold !== undefined),
    threshold ?? null,
    String(curve !== undefined),
    curve ?? null,
    requireLiveness === undefined ? null : Number(requireLiveness),
  );
  return changed === 1;
}

async function remove(db: PostgresDatabase, clientId: string, galleryId: string): Promise<boolean> {
  const found = await db.transaction((session) =>
    detachGalleries(session, 'client_id = $1 AND gallery_id = $2', clientId, galleryId),
  );
  if (found > 0) await eraseDetached(db);
  return found > 0;
}

async function erased(db: PostgresDatabase, galleries: readonly number[]): Promise<number[]> {
  const rows = await db.all<{ id: number }>(
    'SELECT id FROM galleries WHERE id = ANY($1::bigint[]) AND client_id IS NOT NULL',
    galleries,
  );
  const there = new Set(rows.map(({ id }) => id));
  return galleries.filter((id) => !there.has(id));
}

async function find(session: Session, clientId: string, galleryId: string): Promise<GalleryRecord | null> {
  const row = await session.get<GalleryRow>(
    `${select} WHERE client_id = $1 AND gallery_id = $2`,
    clientId,
    galleryId,
  );
  return row ? toGallery(row) : null;
}
