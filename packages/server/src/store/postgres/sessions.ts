import { bytesOf, claimProblem, type FrameRow, type SessionRow, toFrame, toSession } from '../rows.ts';
import type { LivenessSessionRecord, SessionStore, SubmittedFrame } from '../store.ts';
import type { PostgresDatabase, Session } from './connection/database.ts';

export function postgresSessions(db: PostgresDatabase): SessionStore {
  return {
    create: (session) => create(db, session),
    claim: (clientId, id, at) => db.transaction((session) => claim(session, clientId, id, at)),
    async release(clientId, id) {
      const sql = 'UPDATE liveness_sessions SET claimed_at = NULL WHERE id = $1 AND client_id = $2';
      await db.run(sql, id, clientId);
    },
    recordFrames: (clientId, id, frames, since) =>
      db.transaction((session) => remember(session, clientId, id, frames, since)),
    async storeTemplate(clientId, id, template, until) {
      await db.run(
        'UPDATE liveness_sessions SET template = $3, template_until = $4 WHERE id = $1 AND client_id = $2',
        id,
        clientId,
        template,
        until.getTime(),
      );
    },
    consumeTemplate: (clientId, id, at) => db.transaction((session) => spend(session, clientId, id, at)),
    prune: (now, before) => forget(db, now, before),
  };
}

async function create(db: PostgresDatabase, session: LivenessSessionRecord): Promise<void> {
  await db.run(
    `INSERT INTO liveness_sessions (id, client_id, steps, nonce, gallery_id, user_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    session.id,
    session.clientId,
    JSON.stringify(session.steps),
    session.nonce,
    session.galleryId,
    session.userId,
    session.createdAt.getTime(),
    session.expiresAt.getTime(),
  );
}

/** The row of the session is the lock. */
async function claim(
  session: Session,
  clientId: string,
  id: string,
  at: Date,
): Promise<LivenessSessionRecord | 'unknown' | 'expired' | 'judged'> {
  const row = await session.get<SessionRow>(
    'SELECT * FROM liveness_sessions WHERE id = $1 AND client_id = $2 FOR UPDATE',
    id,
    clientId,
  );
  if (!row) return 'unknown';
  const problem = claimProblem(row, at);
  if (problem) return problem;
  await session.run('UPDATE liveness_sessions SET claimed_at = $2 WHERE id = $1', id, at.getTime());
  return toSession(row);
}

/** The row of the client is the lock: sessions of one client remember their frames one after the other. */
async function remember(
  session: Session,
  clientId: string,
  id: string,
  frames: readonly SubmittedFrame[],
  since: Date,
): Promise<SubmittedFrame[]> {
  await session.get('SELECT 1 FROM clients WHERE client_id = $1 FOR NO KEY UPDATE', clientId);
  const earlier = await session.all<FrameRow>(
    `SELECT digest, fingerprint FROM liveness_frames
     WHERE client_id = $1 AND sent_at >= $2 AND session <> $3`,
    clientId,
    since.getTime(),
    id,
  );
  for (const { digest, perceptualHash: fingerprint } of frames) {
    await session.run(
      `INSERT INTO liveness_frames (client_id, session, digest, fingerprint, sent_at)
       VALUES ($1, $2, $3, $4, $5)`,
      clientId,
      id,
      digest,
      fingerprint,
      Date.now(),
    );
  }
  return earlier.map(toFrame);
}

async function spend(session: Session, clientId: string, id: string, at: Date): Promise<Uint8Array | null> {
  const row = await session.get<{ template: Uint8Array }>(
    `SELECT template FROM liveness_sessions
     WHERE id = $1 AND client_id = $2 AND template IS NOT NULL AND template_until > $3 FOR UPDATE`,
    id,
    clientId,
    at.getTime(),
  );
  if (!row) return null;
  await session.run('UPDATE liveness_sessions SET template = NULL WHERE id = $1', id);
  return bytesOf(row.template);
}

async function forget(
  db: PostgresDatabase,
  now: Date,
  before: { sessions: Date; frames: Date },
): Promise<void> {
  await db.run(
    'UPDATE liveness_sessions SET template = NULL WHERE template IS NOT NULL AND template_until <= $1',
    now.getTime(),
  );
  await db.run(
    'DELETE FROM liveness_sessions WHERE expires_at < $1 AND template IS NULL',
    before.sessions.getTime(),
  );
  await db.run('DELETE FROM liveness_frames WHERE sent_at < $1', before.frames.getTime());
}
