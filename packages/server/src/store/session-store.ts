import type { Database, Session, SqlValue } from './database/session.ts';
import { eraseInSlices } from './erase.ts';
import type {
  EarlierSession,
  FrameStore,
  LivenessSessionRecord,
  RememberedFrames,
  SessionHistory,
  SessionOwner,
  SessionPerson,
  SessionState,
  SessionStore,
} from './ports.ts';
import { type Blob, bytesOf, countOf, rowMapper, where } from './rows.ts';
import { writeEvent } from './webhook-store.ts';

/** How long traces of the frames of passed sessions are kept, hours. */
export const frameHours = 24;

const sessionKinds = {
  id: 'text',
  clientId: 'text',
  steps: 'json',
  nonce: 'text',
  galleryId: 'text',
  userId: 'text',
  subject: 'bytes',
  createdAt: 'time',
  expiresAt: 'time',
  waits: 'json',
  secret: 'bytes',
  redirectUrl: 'text',
  keepFrame: 'flag',
  minFace: 'int',
} as const;
const sessions = rowMapper<LivenessSessionRecord>(sessionKinds);
const earlierSessions = rowMapper<EarlierSession>({
  ...sessionKinds,
  claimedAt: 'time',
  passed: 'flag',
  reasons: 'json',
});
const insertSession = sessions.insert('liveness_sessions');
const beginSession = `UPDATE liveness_sessions
  SET steps = $2, created_at = $3, expires_at = $4, waits = NULL WHERE id = $1 AND waits IS NOT NULL`;

/** Template of a session that was passed: session, client, time. */
const selectTemplate = `SELECT template, template_until, frame FROM liveness_sessions
  WHERE id = $1 AND client_id = $2 AND template IS NOT NULL AND template_until > $3`;

interface PassedRow {
  readonly template: Blob;
  readonly template_until: number;
  readonly frame: Blob | null;
}

export function createSessionStore(db: Database): SessionStore {
  return {
    ...foundSessions(db),
    ...openSessions(db),
    ...judgedSessions(db),
    ...passedSessions(db),
    ...sessionsOfPeople(db),
  };
}

function foundSessions(db: Database) {
  const find = async (
    clientId: string,
    id: string,
    at: Date,
  ): Promise<LivenessSessionRecord | SessionState> => {
    const sql = 'SELECT * FROM liveness_sessions WHERE id = $1 AND client_id = $2';
    const row = await db.get<object>(sql, id, clientId);
    if (!row) return 'unknown';
    if (earlierSessions.read(row).claimedAt !== null) return 'judged';
    const found = sessions.read(row);
    if (found.waits?.ended) return 'ended';
    return found.expiresAt <= at ? 'expired' : found;
  };
  return {
    find,
    async get(clientId, id) {
      const sql = 'SELECT * FROM liveness_sessions WHERE id = $1 AND client_id = $2';
      return earlierSessions.get(db, sql, id, clientId);
    },
    ofSecret: (secret) => sessions.get(db, 'SELECT * FROM liveness_sessions WHERE secret = $1', secret),
  } satisfies Partial<SessionStore>;
}

/** Sessions whose frames are awaited. */
function openSessions(db: Database) {
  const { find } = foundSessions(db);
  return {
    async create(session) {
      await db.run(insertSession, ...sessions.values(session));
    },
    open<Decision extends object>(
      { clientId, subject, since, limit, begins }: SessionHistory,
      decide: (
        earlier: readonly EarlierSession[],
        own: EarlierSession | undefined,
      ) => Decision & { readonly create?: LivenessSessionRecord; readonly begin?: LivenessSessionRecord },
    ): Promise<Decision> {
      const sql = `SELECT * FROM liveness_sessions
        WHERE client_id = $1 AND subject ${subject === null ? 'IS NULL' : '= $4'} AND created_at >= $2 AND steps <> '[]'
        ORDER BY created_at DESC, id DESC LIMIT $3`;
      const values = [clientId, since.getTime(), limit, ...(subject === null ? [] : [subject])];
      const work = async (session: Session) => {
        const rows = await session.all<object>(sql, ...values);
        const own =
          begins && (await session.get<object>('SELECT * FROM liveness_sessions WHERE id = $1', begins));
        const decision = decide(rows.map(earlierSessions.read), own ? earlierSessions.read(own) : undefined);
        const { create, begin } = decision;
        if (create) await session.run(insertSession, ...sessions.values(create));
        if (create?.waits) await endOthers(session, create);
        if (begin) {
          await endOthers(session, begin);
          const times = [begin.createdAt.getTime(), begin.expiresAt.getTime()];
          await session.run(beginSession, begin.id, JSON.stringify(begin.steps), ...times);
        }
        return decision;
      };
      // A subject without sessions has no row to lock.
      const name = Buffer.from(subject ?? []).toString('hex');
      return db.transaction(work, { lock: `session ${clientId} ${name}` });
    },
    async claim(clientId, id, at) {
      const sql = `UPDATE liveness_sessions SET claimed_at = $3
        WHERE id = $1 AND client_id = $2 AND claimed_at IS NULL AND waits IS NULL AND expires_at > $3 RETURNING *`;
      const claimed = await db.returning<object>(sql, id, clientId, at.getTime());
      if (claimed) return sessions.read(claimed);
      const found = await find(clientId, id, at);
      if (typeof found === 'string') return found;
      // Between the two statements a session can be released.
      return found.waits ? 'waiting' : 'judged';
    },
  } satisfies Partial<SessionStore>;
}

/**
 * Ends the other sessions of a subject that are not judged. What has begun stays in its history, as its challenge comes
 * again, until the session that begins with this challenge takes its place there.
 */
async function endOthers(
  session: Session,
  { id, clientId, subject, createdAt, waits }: LivenessSessionRecord,
): Promise<void> {
  if (subject === null) return;
  const steps = waits ? 'steps' : "CASE WHEN claimed_at IS NULL THEN '[]' ELSE steps END";
  const sql = `UPDATE liveness_sessions SET waits = '{"ended":true}', steps = ${steps}
    WHERE client_id = $1 AND subject = $2 AND id <> $3 AND passed IS NULL AND expires_at > $4`;
  await session.run(sql, clientId, subject, id, createdAt.getTime());
}

function sessionsOfPeople(db: Database) {
  return {
    eraseOf: (owner) => eraseRowsOf(db, 'liveness_sessions', owner),
    async listOf(owner) {
      const { condition, values } = ownedBy(owner, 'liveness_sessions');
      const sql = `SELECT * FROM liveness_sessions WHERE ${condition} ORDER BY created_at, id`;
      return earlierSessions.all(db, sql, ...values);
    },
  } satisfies Partial<SessionStore>;
}

function judgedSessions(db: Database) {
  return {
    async release(clientId, id) {
      const sql = 'UPDATE liveness_sessions SET claimed_at = NULL WHERE id = $1 AND client_id = $2';
      await db.run(sql, id, clientId);
    },
    markFailed: (clientId, id, event, reasons = []) =>
      db.transaction(async (session) => {
        const sql = 'UPDATE liveness_sessions SET passed = 0, reasons = $3 WHERE id = $1 AND client_id = $2';
        await session.run(sql, id, clientId, JSON.stringify(reasons));
        await writeEvent(session, event);
      }),
    storeTemplate: (clientId, id, { template, frame = null, until }, event) =>
      db.transaction(async (session) => {
        const sql = `UPDATE liveness_sessions SET template = $3, frame = $4, template_until = $5, passed = 1
          WHERE id = $1 AND client_id = $2`;
        await session.run(sql, id, clientId, template, frame, until.getTime());
        await writeEvent(session, event);
      }),
    async prune(now, before) {
      const expired = `UPDATE liveness_sessions SET template = NULL, frame = NULL
        WHERE template IS NOT NULL AND template_until <= $1`;
      const erased = await db.erase(expired, now.getTime());
      const old = 'DELETE FROM liveness_sessions WHERE expires_at < $1 AND template IS NULL';
      await db.erase(old, before.sessions.getTime());
      await eraseInSlices(db, 'liveness_frames', 'sent_at < $1', before.frames.getTime());
      if (erased > 0) db.purge();
    },
  } satisfies Partial<SessionStore>;
}

/** What is stored of sessions that passed. */
function passedSessions(db: Database) {
  return {
    async passedParts(clientId, id, at) {
      const found = await db.get<PassedRow>(selectTemplate, id, clientId, at.getTime());
      if (!found) return null;
      const { template, template_until, frame } = found;
      return { template: bytesOf(template), until: new Date(template_until), frame: frame && bytesOf(frame) };
    },
    async consumeTemplate(clientId, id, at) {
      const row = await db.transaction(async (session) => {
        const sql = `${selectTemplate} ${db.dialect.forUpdate}`;
        const found = await session.get<{ template: Blob }>(sql, id, clientId, at.getTime());
        if (found)
          await session.run('UPDATE liveness_sessions SET template = NULL, frame = NULL WHERE id = $1', id);
        return found;
      });
      if (!row) return null;
      db.purge();
      return bytesOf(row.template);
    },
  } satisfies Partial<SessionStore>;
}

type FramesRow = RememberedFrames & Pick<LivenessSessionRecord, 'clientId' | 'galleryId' | 'userId'>;

const framesColumns = { sessionId: 'session' } as const;
const framesRows = rowMapper<Omit<FramesRow, 'id'>>(
  {
    clientId: 'text',
    sessionId: 'text',
    galleryId: 'text',
    userId: 'text',
    sentAt: 'time',
    frames: 'int',
    shapes: 'bytes',
  },
  framesColumns,
);
const rememberedFrames = rowMapper<RememberedFrames>(
  { id: 'int', sessionId: 'text', sentAt: 'time', frames: 'int', shapes: 'bytes' },
  framesColumns,
);

export function createFrameStore(db: Database): FrameStore {
  return {
    record({ id: sessionId, clientId, galleryId, userId }, record, sentAt) {
      const sql = `${framesRows.insert('liveness_frames')} RETURNING id`;
      const values = framesRows.values({ clientId, sessionId, galleryId, userId, sentAt, ...record });
      const work = async (session: Session) => (await session.get<{ id: number }>(sql, ...values))!.id;
      // Ids are drawn before a commit: without the lock, a smaller one could become visible after a larger one.
      return db.transaction(work, { lock: 'frames' });
    },
    async list(after, limit) {
      const sql = `SELECT id, session, sent_at, frames, shapes FROM liveness_frames
        WHERE id > $1 ORDER BY id LIMIT $2`;
      return rememberedFrames.all(db, sql, after, limit);
    },
    async extent(last) {
      const sql =
        'SELECT count(*) AS count, CAST(coalesce(sum(id), 0) AS bigint) AS sum FROM liveness_frames WHERE id <= $1';
      return (await db.get<{ count: number; sum: number }>(sql, last))!;
    },
    async ids(last) {
      const rows = await db.all<{ id: number }>('SELECT id FROM liveness_frames WHERE id <= $1', last);
      return rows.map(({ id }) => id);
    },
    async forget(clientId, sessionId) {
      await eraseInSlices(db, 'liveness_frames', 'client_id = $1 AND session = $2', clientId, sessionId);
    },
    async forgetUser(owner) {
      const frames = await countFrames(db, owner);
      await eraseRowsOf(db, 'liveness_frames', owner);
      return frames;
    },
    countOf: (owner) => countFrames(db, owner),
  };
}

function countFrames(db: Database, owner: SessionOwner | SessionPerson): Promise<number> {
  const { condition, values } = ownedBy(owner, 'liveness_frames');
  const sql = `SELECT CAST(coalesce(sum(frames), 0) AS bigint) AS count FROM liveness_frames WHERE ${condition}`;
  return countOf(db, sql, ...values);
}

type OwnedTable = 'liveness_frames' | 'liveness_sessions';

/** Erases the rows of a table that name a user, or any user of a gallery. @returns how many */
function eraseRowsOf(db: Database, table: OwnedTable, owner: SessionOwner | SessionPerson): Promise<number> {
  const { condition, values } = ownedBy(owner, table);
  return db.erase(`DELETE FROM ${table} WHERE ${condition}`, ...values);
}

/** Condition on the rows of an owner. Frames of a subject are known while the session is there. */
function ownedBy(owner: SessionOwner | SessionPerson, table: OwnedTable) {
  const { clientId, galleryId, userId } = owner;
  const subject = 'subject' in owner ? owner.subject : undefined;
  const values: SqlValue[] = [clientId];
  const conditions = ['client_id = $1', where(values, { 'gallery_id = ?': galleryId })];
  if (userId !== undefined && subject !== undefined) {
    const user = `user_id = $${values.push(userId)}`;
    const digest = `subject = $${values.push(subject)}`;
    const named = `SELECT id FROM liveness_sessions WHERE client_id = $1 AND ${digest}`;
    conditions.push(`(${user} OR ${table === 'liveness_sessions' ? digest : `session IN (${named})`})`);
  } else conditions.push(where(values, { 'user_id = ?': userId }));
  return { condition: conditions.join(' AND '), values };
}
