import { type SessionRow, toEarlierSession, toSession } from '../rows.ts';
import type { LivenessSessionRecord, SessionHistory, SessionStore } from '../session-store.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';
import { eraseFrames } from './frames.ts';
import { eraseRowsOf, ownedBy } from './session-owner.ts';

const erasedFramesKeptMs = 60 * 60 * 1000;

export const insertSession = `INSERT INTO liveness_sessions
  (id, client_id, steps, nonce, gallery_id, user_id, subject, created_at, expires_at, lights)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Parameters of `insertSession`. */
export function sessionValues(session: LivenessSessionRecord): SqlValue[] {
  return [
    session.id,
    session.clientId,
    JSON.stringify(session.steps),
    session.nonce,
    session.galleryId,
    session.userId,
    session.subject,
    session.createdAt.getTime(),
    session.expiresAt.getTime(),
    session.lights && JSON.stringify(session.lights),
  ];
}

/** The latest sessions of a subject or, where it is null, of none; its parameters are `historyValues`. */
export function selectHistory({ subject }: SessionHistory): string {
  return `SELECT * FROM liveness_sessions
    WHERE client_id = $1 AND subject ${subject === null ? 'IS NULL' : '= $4'} AND created_at >= $2
    ORDER BY created_at DESC, id DESC LIMIT $3`;
}

export function historyValues({ clientId, subject, since, limit }: SessionHistory): SqlValue[] {
  return [clientId, since.getTime(), limit, ...(subject === null ? [] : [subject])];
}

/** Template of a session that was passed: session, client, time. */
export const selectTemplate = `SELECT template FROM liveness_sessions
  WHERE id = $1 AND client_id = $2 AND template IS NOT NULL AND template_until > $3`;

/** Session, client. */
export const markFailed = 'UPDATE liveness_sessions SET passed = 0 WHERE id = $1 AND client_id = $2';

export const eraseTemplate = 'UPDATE liveness_sessions SET template = NULL WHERE id = $1';

/** All of `SessionStore` but what takes several statements in one transaction. */
export function sqlSessions(
  db: SqlExecutor,
): Omit<SessionStore, 'open' | 'markFailed' | 'consumeTemplate' | 'prune'> {
  const find: SessionStore['find'] = async (clientId, id, at) => {
    const sql = 'SELECT * FROM liveness_sessions WHERE id = $1 AND client_id = $2';
    const row = await db.get<SessionRow>(sql, id, clientId);
    if (!row) return 'unknown';
    if (row.claimed_at !== null) return 'judged';
    return row.expires_at <= at.getTime() ? 'expired' : toSession(row);
  };
  return {
    create: async (session) => void (await db.run(insertSession, ...sessionValues(session))),
    claim: async (clientId, id, at) => {
      const claimed = await db.returning<SessionRow>(
        `UPDATE liveness_sessions SET claimed_at = $3
         WHERE id = $1 AND client_id = $2 AND claimed_at IS NULL AND expires_at > $3 RETURNING *`,
        id,
        clientId,
        at.getTime(),
      );
      if (claimed) return toSession(claimed);
      const found = await find(clientId, id, at);
      // Between the two statements a session can be released.
      return typeof found === 'string' ? found : 'judged';
    },
    find,
    release: async (clientId, id) => {
      const sql = 'UPDATE liveness_sessions SET claimed_at = NULL WHERE id = $1 AND client_id = $2';
      await db.run(sql, id, clientId);
    },
    eraseOf: (owner) => eraseRowsOf(db, 'liveness_sessions', owner),
    listOf: async (owner) => {
      const { where, values } = ownedBy(owner, 'liveness_sessions');
      const sql = `SELECT * FROM liveness_sessions WHERE ${where} ORDER BY created_at, id`;
      return (await db.all<SessionRow>(sql, ...values)).map(toEarlierSession);
    },
    storeTemplate: async (clientId, id, template, until) => {
      await db.run(
        'UPDATE liveness_sessions SET template = $3, template_until = $4, passed = 1 WHERE id = $1 AND client_id = $2',
        id,
        clientId,
        template,
        until.getTime(),
      );
    },
  };
}

/** See `SessionStore.prune`. @returns whether templates were erased */
export async function pruneSessions(
  db: SqlExecutor,
  now: Date,
  before: { readonly sessions: Date; readonly frames: Date },
): Promise<boolean> {
  const erased = await db.erase(
    'UPDATE liveness_sessions SET template = NULL WHERE template IS NOT NULL AND template_until <= $1',
    now.getTime(),
  );
  await db.erase(
    'DELETE FROM liveness_sessions WHERE expires_at < $1 AND template IS NULL',
    before.sessions.getTime(),
  );
  await eraseFrames(db, 'sent_at < $1', before.frames.getTime());
  await db.erase('DELETE FROM erased_frames WHERE erased_at < $1', now.getTime() - erasedFramesKeptMs);
  return erased > 0;
}
