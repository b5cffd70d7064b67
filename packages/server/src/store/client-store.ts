import { eraseActivity } from './activity-store.ts';
import { eraseAuditOf } from './audit-store.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { eraseClient, eraseDetached, eraseInSlices } from './erase.ts';
import { eraseMarkedRecordings, markRecordingsOfClient } from './recording-store.ts';
import { dateOf, dateOrNull } from './rows.ts';

/** Limits of a client; −1 is unlimited. */
export interface Quota {
  readonly hits: number;
  readonly faces: number;
  readonly galleries: number;
}

/** An account and its usage. */
export interface ClientRecord {
  readonly clientId: string;
  /** Encoded scrypt hash; null for clients of an external issuer. */
  readonly passwordHash: string | null;
  /** Null until registered. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  /** May read the server's status. */
  readonly operator: boolean;
  readonly quota: Quota;
  readonly used: Quota;
}

export interface ClientStore {
  /** @returns false when the client exists already */
  create(client: { clientId: string; passwordHash: string | null; quota: Quota }): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | null>;
  list(): Promise<ClientRecord[]>;
  /** @returns false when there is no such client */
  setQuota(clientId: string, quota: Partial<Quota>): Promise<boolean>;
  setPassword(clientId: string, passwordHash: string): Promise<boolean>;
  /** @returns false when there is no such client */
  setOperator(clientId: string, operator: boolean): Promise<boolean>;
  /** Marks the client registered; idempotent. @returns whether this call did it */
  register(clientId: string, at: Date): Promise<boolean>;
  /** Erases galleries, faces, templates and activity. The account stays, unregistered, with its used hits. */
  unregister(clientId: string): Promise<void>;
  /** Erases the account and everything that belongs to it. @returns false when there is no such client */
  remove(clientId: string): Promise<boolean>;
  /**
   * Counts hits, atomically. The embedded store may lose them in a power failure, and not before.
   * @param hits default: 1
   * @returns false when fewer remain or the client is not registered; then none is counted
   */
  takeHit(clientId: string, hits?: number): Promise<boolean>;
  /** Takes back one hit, of a call refused as busy. */
  returnHit(clientId: string): Promise<void>;
}

interface ClientRow {
  readonly client_id: string;
  readonly password_hash: string | null;
  readonly created_at: number;
  readonly registered_at: number | null;
  readonly operator: number;
  readonly quota_hits: number;
  readonly quota_faces: number;
  readonly quota_galleries: number;
  readonly used_hits: number;
  readonly used_faces: number;
  readonly used_galleries: number;
}

function toClient(row: ClientRow): ClientRecord {
  return {
    clientId: row.client_id,
    passwordHash: row.password_hash,
    registeredAt: dateOrNull(row.registered_at),
    createdAt: dateOf(row.created_at),
    operator: row.operator !== 0,
    quota: { hits: row.quota_hits, faces: row.quota_faces, galleries: row.quota_galleries },
    used: { hits: row.used_hits, faces: row.used_faces, galleries: row.used_galleries },
  };
}

/** Usage is counted from what is stored, so that the two cannot diverge. */
const select = `
  SELECT c.*,
    (SELECT CAST(coalesce(sum(faces), 0) AS bigint) FROM galleries g WHERE g.client_id = c.client_id) AS used_faces,
    (SELECT count(*) FROM galleries g WHERE g.client_id = c.client_id) AS used_galleries
  FROM clients c`;

const insertClient = `
  INSERT INTO clients (client_id, password_hash, created_at, quota_hits, quota_faces, quota_galleries)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;

export function createClientStore(db: Database): ClientStore {
  const change = async (sql: string, ...values: SqlValue[]) => (await db.run(sql, ...values)) === 1;
  return {
    unregister: async (clientId) =>
      void (await erase(db, clientId, 'UPDATE clients SET registered_at = NULL WHERE client_id = $1')),
    remove: (clientId) => erase(db, clientId, 'DELETE FROM clients WHERE client_id = $1'),
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

/** @param last changes the account, in the transaction that erases what the client has @returns false when there is none */
async function erase(db: Database, clientId: string, last: string): Promise<boolean> {
  // The foreign key would erase all of them in one transaction, which holds the event loop.
  await eraseInSlices(db, 'liveness_frames', 'client_id = $1', clientId);
  const work = async (session: Session) => {
    await eraseClient(session, clientId);
    await session.run(markRecordingsOfClient, clientId);
    return (await session.run(last, clientId)) === 1;
  };
  const found = await db.transaction(work, { erases: true });
  if (!found) return false;
  await eraseActivity(db, clientId);
  await eraseAuditOf(db, clientId);
  await eraseDetached(db);
  await eraseMarkedRecordings(db);
  return true;
}
