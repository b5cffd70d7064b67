import { eraseAuditOf } from './audit-store.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { eraseClient, eraseDetached, eraseInSlices } from './erase.ts';
import type { ClientRecord, ClientStore, PasswordChange, Quota, QuotaUse } from './ports/clients.ts';
import { rowMapper } from './rows.ts';

const quotaOf = (prefix: 'quota' | 'used') =>
  rowMapper<Quota>(
    'clients',
    { hits: 'int', faces: 'int', galleries: 'int' },
    { hits: `${prefix}_hits`, faces: `${prefix}_faces`, galleries: `${prefix}_galleries` },
  );
const [quotas, uses] = [quotaOf('quota'), quotaOf('used')];
const since = rowMapper<{ readonly tokensSince: Date | null }>('clients', { tokensSince: 'time' });
const clients = rowMapper<ClientRecord>('clients', {
  clientId: 'text',
  passwordHash: 'text',
  registeredAt: 'time',
  createdAt: 'time',
  tokensSince: (row) => since.read(row).tokensSince ?? new Date(row['created_at'] as number),
  operator: 'flag',
  quota: quotas.read,
  used: uses.read,
});

/** Percentages of a quota at which it is told: it is nearly used up, and it is. */
export const quotaMarks = [80, 100] as const;

/** Usage is counted from what is stored, so that the two cannot diverge. */
const select = `
  SELECT c.*,
    (SELECT CAST(coalesce(sum(faces), 0) AS bigint) FROM galleries g WHERE g.client_id = c.client_id) AS used_faces,
    (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id) AS used_galleries
  FROM clients c`;

/** Quotas of which clients have used as much as the first mark, the fullest first. */
async function readNearQuota(db: Pick<Database, 'all'>): Promise<QuotaUse[]> {
  const kinds = ['hits', 'faces', 'galleries'] as const;
  const each = kinds.map(
    (
      quota,
    ) => `SELECT client_id AS "clientId", '${quota}' AS quota, used_${quota} AS used, quota_${quota} AS "limit"
      FROM used WHERE quota_${quota} > 0 AND 100 * used_${quota} >= ${quotaMarks[0]} * quota_${quota}`,
  );
  const sql = `WITH used AS (${select} WHERE c.quota_hits > 0 OR c.quota_faces > 0 OR c.quota_galleries > 0)
    SELECT * FROM (${each.join(' UNION ALL ')}) n ORDER BY 1.0 * used / "limit" DESC, "clientId", quota`;
  return db.all<QuotaUse>(sql);
}

const insertClient = `
  INSERT INTO clients (client_id, password_hash, created_at, quota_hits, quota_faces, quota_galleries)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;

const maxClients = 2_147_483_647;

const updatePassword = `
  UPDATE clients SET password_hash = $2, tokens_since = coalesce($3, tokens_since)
  WHERE client_id = $1 AND coalesce(password_hash, '') = coalesce($4, password_hash, '')`;
const revokeApiTokens = 'UPDATE api_tokens SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL';

export function createClientStore(db: Database): ClientStore {
  const change = async (sql: string, ...values: SqlValue[]) => (await db.run(sql, ...values)) === 1;
  return {
    create: ({ clientId, passwordHash, quota }) =>
      change(insertClient, clientId, passwordHash, Date.now(), ...quotas.values(quota)),
    get: (clientId) => clients.get(db, `${select} WHERE c.client_id = $1`, clientId),
    list: (page = {}) => list(db, page),
    setQuota(clientId, { hits, faces, galleries }) {
      const sql = `UPDATE clients SET quota_hits = coalesce($2, quota_hits),
        quota_faces = coalesce($3, quota_faces), quota_galleries = coalesce($4, quota_galleries) WHERE client_id = $1`;
      return change(sql, clientId, hits ?? null, faces ?? null, galleries ?? null);
    },
    setPassword: (clientId, passwordHash, change) => setPassword(db, clientId, passwordHash, change),
    setOperator: (clientId, operator) =>
      change('UPDATE clients SET operator = $2 WHERE client_id = $1', clientId, Number(operator)),
    async register(clientId, at) {
      const sql = 'UPDATE clients SET registered_at = $2 WHERE client_id = $1 AND registered_at IS NULL';
      const done = await change(sql, clientId, at.getTime());
      // Few rows of a young store are anywhere but in the log: a client is worth a checkpoint.
      if (done) db.purge();
      return done;
    },
    async unregister(clientId) {
      await erase(db, clientId, 'UPDATE clients SET registered_at = NULL WHERE client_id = $1');
    },
    remove: (clientId) => erase(db, clientId, 'DELETE FROM clients WHERE client_id = $1'),
    async takeHits(clientId, hits = 1) {
      const sql = `UPDATE clients SET used_hits = used_hits + $2
        WHERE client_id = $1 AND registered_at IS NOT NULL AND (quota_hits < 0 OR used_hits + $2 <= quota_hits)
        RETURNING quota_hits AS quota, used_hits AS used`;
      const row = await db.count<{ quota: number; used: number }>(sql, clientId, hits);
      if (!row) return null;
      const quota = row.quota < 0 ? Number.POSITIVE_INFINITY : row.quota;
      return { left: quota - row.used, quota };
    },
    nearQuota: () => readNearQuota(db),
    async returnHit(clientId) {
      const sql = 'UPDATE clients SET used_hits = used_hits - 1 WHERE client_id = $1 AND used_hits > 0';
      await db.count(sql, clientId);
    },
  };
}

async function list(
  db: Database,
  { after = '', limit = maxClients }: { after?: string | undefined; limit?: number },
) {
  const sql = `${select} WHERE c.client_id > $1 ORDER BY c.client_id LIMIT $2`;
  return clients.all(db, sql, after, limit);
}

/**
 * Replaces the password of a client, and revokes tokens in the same transaction.
 * @returns false when there is no such client, or it has another password than the former one
 */
function setPassword(
  db: Database,
  clientId: string,
  passwordHash: string,
  { at, revoke, former }: PasswordChange,
): Promise<boolean> {
  const values = [clientId, passwordHash, revoke === 'none' ? null : at.getTime(), former ?? null];
  return db.transaction(async (session) => {
    const changed = (await session.run(updatePassword, ...values)) === 1;
    if (changed && revoke === 'all') await session.run(revokeApiTokens, clientId, at.getTime());
    return changed;
  });
}

/** @param last changes the account, in the transaction that erases what the client has @returns false when there is none */
async function erase(db: Database, clientId: string, last: string): Promise<boolean> {
  // The foreign key would erase all of them in one transaction, which holds the event loop.
  await eraseInSlices(db, 'liveness_frames', 'client_id = $1', clientId);
  const work = async (session: Session) => {
    await eraseClient(session, clientId);
    return (await session.run(last, clientId)) === 1;
  };
  const found = await db.transaction(work, { erases: true });
  if (!found) return false;
  await eraseAuditOf(db, clientId);
  await eraseDetached(db);
  return true;
}
