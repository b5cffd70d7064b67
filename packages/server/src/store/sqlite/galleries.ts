import { type GalleryRow, selectEmbeddingSpecs, toGallery } from '../rows.ts';
import type { EmbeddingSpecUse, GalleryRecord, GallerySettingsUpdate, GalleryStore } from '../store.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';
import { hasFormerTemplates } from './faces/template-switch.ts';

const select = `
  SELECT g.*, k.wrapped_key, ${hasFormerTemplates('g')} AS carrying FROM galleries g JOIN gallery_keys k ON k.gallery = g.id`;

export function sqliteGalleries(db: SqliteDatabase): GalleryStore {
  return {
    create: (clientId, galleryId, wrappedKey, requireLiveness = false) =>
      db.write(() => create(db, clientId, galleryId, wrappedKey, requireLiveness)),
    get: async (clientId, galleryId) => find(db, clientId, galleryId),
    list: async (clientId) =>
      db.all<GalleryRow>(`${select} WHERE client_id = ? ORDER BY gallery_id`, clientId).map(toGallery),
    embeddingSpecs: async () => db.all<EmbeddingSpecUse>(selectEmbeddingSpecs),
    updateSettings: (clientId, galleryId, tuning) => db.write(() => tune(db, clientId, galleryId, tuning)),
    findErased: async (galleries) => galleries.filter((id) => !isThere(db, id)),
    remove: (clientId, galleryId) => remove(db, clientId, galleryId),
  };
}

function create(
  db: SqliteDatabase,
  clientId: string,
  galleryId: string,
  wrappedKey: (id: number) => Uint8Array,
  requireLiveness: boolean,
): GalleryRecord | 'exists' | 'quota' {
  if (find(db, clientId, galleryId)) return 'exists';
  if (!hasRoom(db, clientId)) return 'quota';
  const row = db.get<{ id: number }>(
    'INSERT INTO galleries (client_id, gallery_id, created_at, require_liveness) VALUES (?, ?, ?, ?) RETURNING id',
    clientId,
    galleryId,
    Date.now(),
    Number(requireLiveness),
  );
  if (!row) throw new Error('the database gave the new gallery no number');
  db.run('INSERT INTO gallery_keys VALUES (?, ?)', row.id, wrappedKey(row.id));
  const made = find(db, clientId, galleryId);
  if (!made) throw new Error('the new gallery is not there');
  return made;
}

function tune(
  db: SqliteDatabase,
  clientId: string,
  galleryId: string,
  tuning: GallerySettingsUpdate,
): boolean {
  const gallery = find(db, clientId, galleryId);
  if (!gallery) return false;
  const { threshold, curve, requireLiveness } = { ...gallery, ...tuning };
  db.run(
    'UPDATE galleries SET threshold = ?, curve = ?, require_liveness = ? WHERE id = ?',
    threshold,
    curve,
    Number(requireLiveness),
    gallery.id,
  );
  return true;
}

async function remove(db: SqliteDatabase, clientId: string, galleryId: string): Promise<boolean> {
  const which = 'client_id = ? AND gallery_id = ?';
  const found = (await db.write(() => detachGalleries(db, which, clientId, galleryId))) === 1;
  if (found) await eraseDetached(db);
  return found;
}

/** @returns false for an unknown client, too */
function hasRoom(db: SqliteDatabase, clientId: string): boolean {
  const room = db.get(
    `SELECT 1 FROM clients c WHERE client_id = ? AND (quota_galleries < 0 OR
       quota_galleries > (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id))`,
    clientId,
  );
  return room !== undefined;
}

function isThere(db: SqliteDatabase, id: number): boolean {
  return db.get('SELECT 1 FROM galleries WHERE id = ? AND client_id IS NOT NULL', id) !== undefined;
}

function find(db: SqliteDatabase, clientId: string, galleryId: string): GalleryRecord | null {
  const row = db.get<GalleryRow>(`${select} WHERE client_id = ? AND gallery_id = ?`, clientId, galleryId);
  return row ? toGallery(row) : null;
}
