import type { ClientRecord, ClientStore, Quota } from '../store.ts';
import { dateOf, dateOrNull, type SqliteDatabase } from './database.ts';
import { detachGalleries, eraseDetached } from './erase.ts';

interface ClientRow {
  readonly client_id: string;
  readonly password_hash: string | null;
  readonly created_at: number;
  readonly registered_at: number | null;
  readonly quota_hits: number;
  readonly quota_faces: number;
  readonly quota_galleries: number;
  readonly used_hits: number;
  readonly used_faces: number;
  readonly used_galleries: number;
}

/** What is used is counted from what is stored, so that the two cannot drift apart. */
const select = `
  SELECT c.*,
    (SELECT coalesce(sum(faces), 0) FROM galleries g WHERE g.client_id = c.client_id) AS used_faces,
    (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id) AS used_galleries
  FROM clients c`;

export function sqliteClients(db: SqliteDatabase): ClientStore {
  return {
    create: async ({ clientId, passwordHash, quota }) =>
      db.run(
        `INSERT INTO clients (client_id, password_hash, created_at, quota_hits, quota_faces, quota_galleries)
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        clientId,
        passwordHash,
        Date.now(),
        quota.hits,
        quota.faces,
        quota.galleries,
      ) === 1,
    get: async (clientId) => {
      const row = db.get<ClientRow>(`${select} WHERE c.client_id = ?`, clientId);
      return row ? toRecord(row) : null;
    },
    list: async () => db.all<ClientRow>(`${select} ORDER BY c.client_id`).map(toRecord),
    setQuota: async (clientId, quota) => setQuota(db, clientId, quota),
    setPassword: async (clientId, passwordHash) =>
      db.run('UPDATE clients SET password_hash = ? WHERE client_id = ?', passwordHash, clientId) === 1,
    register: async (clientId, at) =>
      db.run(
        'UPDATE clients SET registered_at = ? WHERE client_id = ? AND registered_at IS NULL',
        at.getTime(),
        clientId,
      ) === 1,
    unregister: (clientId) => unregister(db, clientId),
    remove: (clientId) => remove(db, clientId),
    takeHit: async (clientId) =>
      db.run(
        `UPDATE clients SET used_hits = used_hits + 1
         WHERE client_id = ? AND registered_at IS NOT NULL AND (quota_hits < 0 OR used_hits < quota_hits)`,
        clientId,
      ) === 1,
    returnHit: async (clientId) => {
      db.run('UPDATE clients SET used_hits = used_hits - 1 WHERE client_id = ? AND used_hits > 0', clientId);
    },
  };
}

function setQuota(db: SqliteDatabase, clientId: string, quota: Partial<Quota>): boolean {
  const changed = db.run(
    `UPDATE clients SET quota_hits = coalesce(?, quota_hits), quota_faces = coalesce(?, quota_faces),
       quota_galleries = coalesce(?, quota_galleries) WHERE client_id = ?`,
    quota.hits ?? null,
    quota.faces ?? null,
    quota.galleries ?? null,
    clientId,
  );
  return changed === 1;
}

async function unregister(db: SqliteDatabase, clientId: string): Promise<void> {
  db.transaction(() => {
    detachGalleries(db, 'client_id = ?', clientId);
    db.run('UPDATE clients SET registered_at = NULL, used_hits = 0 WHERE client_id = ?', clientId);
  });
  await eraseDetached(db);
}

async function remove(db: SqliteDatabase, clientId: string): Promise<boolean> {
  const found = db.transaction(() => {
    detachGalleries(db, 'client_id = ?', clientId);
    return db.run('DELETE FROM clients WHERE client_id = ?', clientId) === 1;
  });
  if (found) await eraseDetached(db);
  return found;
}

function toRecord(row: ClientRow): ClientRecord {
  return {
    clientId: row.client_id,
    passwordHash: row.password_hash,
    registeredAt: dateOrNull(row.registered_at),
    createdAt: dateOf(row.created_at),
    quota: { hits: row.quota_hits, faces: row.quota_faces, galleries: row.quota_galleries },
    used: { hits: row.used_hits, faces: row.used_faces, galleries: row.used_galleries },
  };
}
