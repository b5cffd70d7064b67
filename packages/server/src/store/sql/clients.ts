import { type ClientRow, toClient } from '../rows.ts';
import type { ClientStore } from '../store.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';

/** Usage is counted from what is stored, so that the two cannot diverge. */
const select = `
  SELECT c.*,
    (SELECT CAST(coalesce(sum(faces), 0) AS bigint) FROM galleries g WHERE g.client_id = c.client_id) AS used_faces,
    (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id) AS used_galleries
  FROM clients c`;

const insertClient = `
  INSERT INTO clients (client_id, password_hash, created_at, quota_hits, quota_faces, quota_galleries)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;

/** All of `ClientStore` but the erasures, which differ between the databases. */
export function sqlClients(db: SqlExecutor): Omit<ClientStore, 'unregister' | 'remove'> {
  const change = async (sql: string, ...values: SqlValue[]) => (await db.run(sql, ...values)) === 1;
  return {
    create: ({ clientId, passwordHash, quota: { hits, faces, galleries } }) =>
      change(insertClient, clientId, passwordHash, Date.now(), hits, faces, galleries),
    get: async (clientId) => {
      const row = await db.get<ClientRow>(`${select} WHERE c.client_id = $1`, clientId);
      return row ? toClient(row) : null;
    },
    list: async () => (await db.all<ClientRow>(`${select} ORDER BY c.client_id`)).map(toClient),
    setQuota: (clientId, { hits, faces, galleries }) =>
      change(
        `UPDATE clients SET quota_hits = coalesce($2, quota_hits), quota_faces = coalesce($3, quota_faces),
           quota_galleries = coalesce($4, quota_galleries) WHERE client_id = $1`,
        clientId,
        hits ?? null,
        faces ?? null,
        galleries ?? null,
      ),
    setPassword: (clientId, passwordHash) =>
      change('UPDATE clients SET password_hash = $2 WHERE client_id = $1', clientId, passwordHash),
    setOperator: (clientId, operator) =>
      change('UPDATE clients SET operator = $2 WHERE client_id = $1', clientId, Number(operator)),
    register: (clientId, at) =>
      change(
        'UPDATE clients SET registered_at = $2 WHERE client_id = $1 AND registered_at IS NULL',
        clientId,
        at.getTime(),
      ),
    takeHit: async (clientId, hits = 1) =>
      (await db.count(
        `UPDATE clients SET used_hits = used_hits + $2
         WHERE client_id = $1 AND registered_at IS NOT NULL AND (quota_hits < 0 OR used_hits + $2 <= quota_hits)`,
        clientId,
        hits,
      )) === 1,
    returnHit: async (clientId) => {
      await db.count(
        'UPDATE clients SET used_hits = used_hits - 1 WHERE client_id = $1 AND used_hits > 0',
        clientId,
      );
    },
  };
}
