import { type ClientRow, toClient } from '../rows.ts';
import type { ClientStore, Quota } from '../store.ts';
import type { PostgresDatabase, Session } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

/** What is used is counted from what is stored, so that the two cannot drift apart. */
const select = `
  SELECT c.*,
    (SELECT coalesce(sum(faces), 0)::bigint FROM galleries g WHERE g.client_id = c.client_id) AS used_faces,
    (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id) AS used_galleries
  FROM clients c`;

export function postgresClients(db: PostgresDatabase): ClientStore {
  return {
    create: async ({ clientId, passwordHash, quota }) =>
      (await db.run(
        `INSERT INTO clients (client_id, password_hash, created_at, quota_hits, quota_faces, quota_galleries)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        clientId,
        passwordHash,
        Date.now(),
        quota.hits,
        quota.faces,
        quota.galleries,
      )) === 1,
    get: async (clientId) => {
      const row = await db.get<ClientRow>(`${select} WHERE c.client_id = $1`, clientId);
      return row ? toClient(row) : null;
    },
    list: async () => (await db.all<ClientRow>(`${select} ORDER BY c.client_id`)).map(toClient),
    setQuota: (clientId, quota) => setQuota(db, clientId, quota),
    setPassword: async (clientId, passwordHash) =>
      (await db.run('UPDATE clients SET password_hash = $2 WHERE client_id = $1', clientId, passwordHash)) ===
      1,
    setOperator: async (clientId, operator) => {
      const sql = 'UPDATE clients SET operator = $2 WHERE client_id = $1';
      return (await db.run(sql, clientId, Number(operator))) === 1;
    },
    register: async (clientId, at) =>
      (await db.run(
        'UPDATE clients SET registered_at = $2 WHERE client_id = $1 AND registered_at IS NULL',
        clientId,
        at.getTime(),
      )) === 1,
    unregister: (clientId) => unregister(db, clientId),
    remove: (clientId) => remove(db, clientId),
    takeHit: async (clientId) =>
      (await db.run(
        `UPDATE clients SET used_hits = used_hits + 1
         WHERE client_id = $1 AND registered_at IS NOT NULL AND (quota_hits < 0 OR used_hits < quota_hits)`,
        clientId,
      )) === 1,
    returnHit: async (clientId) => {
      await db.run(
        'UPDATE clients SET used_hits = used_hits - 1 WHERE client_id = $1 AND used_hits > 0',
        clientId,
      );
    },
  };
}

async function setQuota(
  db: PostgresDatabase,
  clientId: string,
  { hits, faces, galleries }: Partial<Quota>,
): Promise<boolean> {
  const changed = await db.run(
    `UPDATE clients SET quota_hits = coalesce($2, quota_hits), quota_faces = coalesce($3, quota_faces),
       quota_galleries = coalesce($4, quota_galleries) WHERE client_id = $1`,
    clientId,
    hits ?? null,
    faces ?? null,
    galleries ?? null,
  );
  return changed === 1;
}

async function unregister(db: PostgresDatabase, clientId: string): Promise<void> {
  await db.transaction(async (session) => {
    await detachAll(session, clientId);
    await session.run('DELETE FROM activity WHERE client_id = $1', clientId);
    await session.run('DELETE FROM refused_calls WHERE client_id = $1', clientId);
    await session.run('DELETE FROM liveness_frames WHERE client_id = $1', clientId);
    await session.run('DELETE FROM liveness_sessions WHERE client_id = $1', clientId);
    await session.run('UPDATE clients SET registered_at = NULL WHERE client_id = $1', clientId);
  });
  await eraseDetached(db);
}

async function remove(db: PostgresDatabase, clientId: string): Promise<boolean> {
  const found = await db.transaction(async (session) => {
    await detachAll(session, clientId);
    await session.run('DELETE FROM activity WHERE client_id = $1', clientId);
    return (await session.run('DELETE FROM clients WHERE client_id = $1', clientId)) === 1;
  });
  if (found) await eraseDetached(db);
  return found;
}

/** Galleries first and then their client, in the order in which an enrolment locks them. */
async function detachAll(session: Session, clientId: string): Promise<void> {
  await detachGalleries(session, 'client_id = $1', clientId);
  await session.run('SELECT 1 FROM clients WHERE client_id = $1 FOR UPDATE', clientId);
  // One that was made meanwhile; no further one can be.
  await detachGalleries(session, 'client_id = $1', clientId);
}
