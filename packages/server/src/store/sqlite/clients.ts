import { type ClientRow, toClient } from '../rows.ts';
import type { ClientStore, Quota } from '../store.ts';
import { eraseActivity } from './activity.ts';
import type { SqliteDatabase, SqlValue } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

/** What is used is counted from what is stored, so that the two cannot drift apart. */
const select = `
  SELECT c.*,
    (SELECT coalesce(sum(faces), 0) FROM galleries g WHERE g.client_id = c.client_id) AS used_faces,
    (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id) AS used_galleries
  FROM clients c`;

export function sqliteClients(db: SqliteDatabase): ClientStore {
  const change = (sql: string, ...values: SqlValue[]) => db.write(() => db.run(sql, ...values) === 1);
  return {
    create: ({ clientId, passwordHash, quota }) =>
      change(
        `INSERT INTO clients (client_id, password_hash, created_at, quota_hits, quota_faces, quota_galleries)
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        clientId,
        passwordHash,
        Date.now(),
        quota.hits,
        quota.faces,
        quota.galleries,
      ),
    get: async (clientId) => {
      const row = db.get<ClientRow>(`${select} WHERE c.client_id = ?`, clientId);
      return row ? toClient(row) : null;
    },
    list: async () => db.all<ClientRow>(`${select} ORDER BY c.client_id`).map(toClient),
    setQuota: (clientId, quota) => db.write(() => setQuota(db, clientId, quota)),
    setPassword: (clientId, passwordHash) =>
      change('UPDATE clients SET password_hash = ? WHERE client_id = ?', passwordHash, clientId),
    setOperator: (clientId, operator) =>
      change('UPDATE clients SET operator = ? WHERE client_id = ?', Number(operator), clientId),
    register: (clientId, at) =>
      change(
        'UPDATE clients SET registered_at = ? WHERE client_id = ? AND registered_at IS NULL',
        at.getTime(),
        clientId,
      ),
    unregister: (clientId) => unregister(db, clientId),
    remove: (clientId) => remove(db, clientId),
    takeHit: (clientId) =>
      change(
        `UPDATE clients SET used_hits = used_hits + 1
         WHERE client_id = ? AND registered_at IS NOT NULL AND (quota_hits < 0 OR used_hits < quota_hits)`,
        clientId,
      ),
    returnHit: async (clientId) => {
      await change(
        'UPDATE clients SET used_hits = used_hits - 1 WHERE client_id = ? AND used_hits > 0',
        clientId,
      );
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
  await db.write(() => {
    detachGalleries(db, 'client_id = ?', clientId);
    db.run('DELETE FROM refused_calls WHERE client_id = ?', clientId);
    db.run('DELETE FROM liveness_frames WHERE client_id = ?', clientId);
    db.run('DELETE FROM liveness_sessions WHERE client_id = ?', clientId);
    db.run('UPDATE clients SET registered_at = NULL WHERE client_id = ?', clientId);
  });
  await eraseActivity(db, clientId);
  await eraseDetached(db);
}

async function remove(db: SqliteDatabase, clientId: string): Promise<boolean> {
  const found = await db.write(() => {
    detachGalleries(db, 'client_id = ?', clientId);
    return db.run('DELETE FROM clients WHERE client_id = ?', clientId) === 1;
  });
  if (found) await eraseActivity(db, clientId);
  if (found) await eraseDetached(db);
  return found;
}
