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
import type { GalleryRecord, GalleryRules, GalleryStore } from '../store.ts';
import type { PostgresDatabase, Session } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

const select = `
  SELECT g.*, k.wrapped_key, f.wrapped_key AS former_key, ${cohortColumns}
    FROM galleries g JOIN gallery_keys k ON k.gallery = g.id LEFT JOIN former_gallery_keys f ON f.gallery = g.id
    ${cohortJoin}`;
const named = 'client_id = $1 AND gallery_id = $2';

export function postgresGalleries(db: PostgresDatabase): GalleryStore {
  return {
    ...sqlGalleries(db, select),
    create: (clientId, galleryId, wrapKey, rules = {}) =>
      db.transaction((session) => create(session, clientId, galleryId, wrapKey, rules)),
    replaceKeys: (gallery, from, { wrappedKey, formerKey }) =>
      db.transaction(async (session) => {
        // Waits for enrolments, which lock the gallery and have compared its key.
        await session.run('SELECT 1 FROM galleries WHERE id = $1 FOR NO KEY UPDATE', gallery);
        if ((await session.run(updateKey, gallery, from, wrappedKey)) === 0) return false;
        if (formerKey) await session.run(upsertFormerKey, gallery, formerKey);
        else {
          await session.run('DELETE FROM former_gallery_keys WHERE gallery = $1', gallery);
          // A standby that has not applied this yet has faces that the remaining key does not open.
          await session.run('UPDATE galleries SET version = version + 1 WHERE id = $1', gallery);
        }
        return true;
      }),
    findErased: async (galleries) => {
      const sql = 'SELECT id FROM galleries WHERE id = ANY($1::bigint[]) AND client_id IS NOT NULL';
      const present = new Set((await db.all<{ id: number }>(sql, galleries)).map(({ id }) => id));
      return galleries.filter((id) => !present.has(id));
    },
    remove: async (clientId, galleryId) => {
      const found = await db.transaction((session) => detachGalleries(session, named, clientId, galleryId));
      if (found > 0) await eraseDetached(db);
      return found > 0;
    },
  };
}

async function create(
  session: Session,
  clientId: string,
  galleryId: string,
  wrapKey: (id: number) => Uint8Array,
  rules: GalleryRules,
): Promise<GalleryRecord | 'exists' | 'quota'> {
  // Locks the client's row, so that its galleries are counted and created one at a time.
  const client = await session.get<{ quota_galleries: number }>(
    'SELECT quota_galleries FROM clients WHERE client_id = $1 FOR NO KEY UPDATE',
    clientId,
  );
  if (await session.get(`SELECT 1 FROM galleries WHERE ${named}`, clientId, galleryId)) return 'exists';
  if (!client || !(await hasRoom(session, clientId, client.quota_galleries))) return 'quota';
  const row = await session.get<{ id: number }>(insertGallery, ...galleryValues(clientId, galleryId, rules));
  if (!row) throw new Error('the database gave the new gallery no number');
  await session.run('INSERT INTO gallery_keys VALUES ($1, $2)', row.id, wrapKey(row.id));
  return createdGallery(await session.get<GalleryRow>(`${select} WHERE id = $1`, row.id));
}

async function hasRoom(session: Session, clientId: string, quota: number): Promise<boolean> {
  if (quota < 0) return true;
  const used = await session.get<{ count: number }>(
    'SELECT count(*) AS count FROM galleries WHERE client_id = $1',
    clientId,
  );
  return (used?.count ?? 0) < quota;
}
