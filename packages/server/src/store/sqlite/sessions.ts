import { bytesOf, claimProblem, type FrameRow, type SessionRow, toFrame, toSession } from '../rows.ts';
import type { LivenessSessionRecord, SessionStore, SubmittedFrame } from '../store.ts';
import type { SqliteDatabase } from './connection/database.ts';

export function sqliteSessions(db: SqliteDatabase): SessionStore {
  return {
    create: (session) => db.write(() => create(db, session)),
    claim: (clientId, id, at) => db.write(() => claim(db, clientId, id, at)),
    release: (clientId, id) =>
      db.write(() => {
        db.run('UPDATE liveness_sessions SET claimed_at = NULL WHERE id = ? AND client_id = ?', id, clientId);
      }),
    recordFrames: (clientId, id, frames, since) => db.write(() => remember(db, clientId, id, frames, since)),
    storeTemplate: (clientId, id, template, until) =>
      db.write(() => {
        db.run(
          'UPDATE liveness_sessions SET template = ?, template_until = ? WHERE id = ? AND client_id = ?',
          template,
          until.getTime(),
          id,
          clientId,
        );
      }),
    async consumeTemplate(clientId, id, at) {
      const template = await db.write(() => spend(db, clientId, id, at));
      if (template) db.purge();
      return template;
    },
    async prune(now, before) {
      if (await db.write(() => forget(db, now, before))) db.purge();
    },
  };
}

function create(db: SqliteDatabase, session: LivenessSessionRecord): void {
  db.run(
    `INSERT INTO liveness_sessions (id, client_id, steps, nonce, gallery_id, user_id, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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

function claim(
  db: SqliteDatabase,
  clientId: string,
  id: string,
  at: Date,
): LivenessSessionRecord | 'unknown' | 'expired' | 'judged' {
  const row = db.get<SessionRow>(
    'SELECT * FROM liveness_sessions WHERE id = ? AND client_id = ?',
    id,
    clientId,
  );
  if (!row) return 'unknown';
  const problem = claimProblem(row, at);
  if (problem) return problem;
  db.run('UPDATE liveness_sessions SET claimed_at = ? WHERE id = ?', at.getTime(), id);
  return toSession(row);
}

function remember(
  db: SqliteDatabase,
  clientId: string,
  id: string,
  frames: readonly SubmittedFrame[],
  since: Date,
): SubmittedFrame[] {
  const earlier = db.all<FrameRow>(
    `SELECT digest, fingerprint FROM liveness_frames WHERE client_id = ? AND sent_at >= ? AND session <> ?`,
    clientId,
    since.getTime(),
    id,
  );
  for (const { digest, perceptualHash: fingerprint } of frames) {
    db.run(
      'INSERT INTO liveness_frames (client_id, session, digest, fingerprint, sent_at) VALUES (?, ?, ?, ?, ?)',
      clientId,
      id,
      digest,
      fingerprint,
      Date.now(),
    );
  }
  return earlier.map(toFrame);
}

function spend(db: SqliteDatabase, clientId: string, id: string, at: Date): Uint8Array | null {
  const row = db.get<{ template: ArrayBuffer | Uint8Array }>(
    `SELECT template FROM liveness_sessions
     WHERE id = ? AND client_id = ? AND template IS NOT NULL AND template_until > ?`,
    id,
    clientId,
    at.getTime(),
  );
  if (!row) return null;
  db.run('UPDATE liveness_sessions SET template = NULL WHERE id = ?', id);
  return bytesOf(row.template);
}

/** @returns whether a template was erased */
function forget(db: SqliteDatabase, now: Date, before: { sessions: Date; frames: Date }): boolean {
  const erased = db.run(
    'UPDATE liveness_sessions SET template = NULL WHERE template IS NOT NULL AND template_until <= ?',
    now.getTime(),
  );
  db.run(
    'DELETE FROM liveness_sessions WHERE expires_at < ? AND template IS NULL',
    before.sessions.getTime(),
  );
  db.run('DELETE FROM liveness_frames WHERE sent_at < ?', before.frames.getTime());
  return erased > 0;
}
