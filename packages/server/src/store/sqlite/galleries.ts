import type { GalleryRow } from '../rows.ts';
import {
  cohortColumns,
  cohortJoin,
  createdGallery,
  galleryValues,
  insertGallery,
  sqlGalleries,
  updateKey,
  upsertFormerKey,
} from '../sql/galleries.ts';
import type { GalleryStore } from '../store.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { detachGalleries, eraseDetached, eraseFormerKeys } from './faces/erase.ts';
import { hasFormerTemplates } from './faces/template-switch.ts';

const select = `
  SELECT g.*, k.wrapped_key, f.wrapped_key AS former_key, ${hasFormerTemplates('g')} AS carrying, ${cohortColumns}
    FROM galleries g JOIN gallery_keys k ON k.gallery = g.id LEFT JOIN former_gallery_keys f ON f.gallery = g.id
    ${cohortJoin}`;
const named = 'client_id = $1 AND gallery_id = $2';

export function sqliteGalleries(db: SqliteDatabase): GalleryStore {
  return {
    ...sqlGalleries(db.executor, select),
    create: (clientId, galleryId, wrapKey, rules = {}) =>
      db.write(() => {
        if (db.get(`SELECT 1 FROM galleries WHERE ${named}`, clientId, galleryId)) return 'exists';
        if (!hasRoom(db, clientId)) return 'quota';
        const row = db.get<{ id: number }>(insertGallery, ...galleryValues(clientId, galleryId, rules));
        if (!row) throw new Error('the database gave the new gallery no number');
        db.run('INSERT INTO gallery_keys VALUES ($1, $2)', row.id, wrapKey(row.id));
        return createdGallery(db.get<GalleryRow>(`${select} WHERE id = $1`, row.id));
      }),
    replaceKeys: async (gallery, from, { wrappedKey, formerKey }) => {
      const replaced = await db.write(() => {
        if (db.run(updateKey, gallery, from, wrappedKey) === 0) return false;
        if (formerKey) db.run(upsertFormerKey, gallery, formerKey);
        else db.run(eraseFormerKeys('gallery = $1'), gallery);
        return true;
      });
      if (replaced && formerKey === null) db.purge();
      return replaced;
    },
    findErased: async (galleries) => {
      const sql = 'SELECT 1 FROM galleries WHERE id = $1 AND client_id IS NOT NULL';
      return galleries.filter((id) => db.get(sql, id) === undefined);
    },
    remove: async (clientId, galleryId) => {
      const found =
        (await db.write(() => detachGalleries(db, named, clientId, galleryId), { erases: true })) === 1;
      if (found) await eraseDetached(db);
      return found;
    },
  };
}

/** @returns false for an unknown client, too */
function hasRoom(db: SqliteDatabase, clientId: string): boolean {
  const room = db.get(
    `SELECT 1 FROM clients c WHERE client_id = $1 AND (quota_galleries < 0 OR
       quota_galleries > (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id))`,
    clientId,
  );
  return room !== undefined;
}
