import { minuteMs } from '../lib/time.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { ended, endSessions } from './ended-sessions.ts';
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
} from './ports/sessions.ts';
import { type Blob, bytesOf, countOf, rowMapper, where } from './rows.ts';

/** How long traces of the frames of passed sessions are kept, hours. */
export const frameHours = 24;

const sessionKinds = {
  id: 'text',
  clientId: 'text',
  steps: 'texts',
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
const sessions = rowMapper<EarlierSession>('liveness_sessions', {
  ...sessionKinds,
  claimedAt: 'time',
  passed: 'flag',
  reasons: 'texts',
});
const insertSession = sessions.insert();
const valuesOf = (session: LivenessSessionRecord) =>
  sessions.values({ claimedAt: null, passed: null, ...session });
const beginSession = `UPDATE liveness_sessions SET steps = $2, created_at = $3, expires_at = $4, waits = $5,
  claimed_at = NULL, passed = NULL, reasons = NULL WHERE id = $1`;

/** Of a link that has begun, `expires_at` is its end, and `frames` among what it waits for the deadline of a try. */
function withDeadline(session: EarlierSession): EarlierSession {
  const { frames } = (session.waits ?? {}) as { readonly frames?: number };
  return frames === undefined ? session : { ...session, expiresAt: new Date(frames) };
}

/** Milliseconds after which frames that were claimed are judged no more: their server has stopped meanwhile. */
const judgementMs = 5 * minuteMs;

/**
 * A link whose try is over waits for the next one, while one is left; other sessions are as they are. A try that ended before it
 * was judged, as by a reload or a lost network, is given back.
 */
export function currentTry(session: EarlierSession, at: Date): EarlierSession {
  const { waits, passed, claimedAt, expiresAt } = session;
  const isJudging = claimedAt !== null && claimedAt.getTime() + judgementMs > at.getTime();
  const isLost = passed === null && !isJudging && expiresAt <= at;
  if (!waits?.until || waits.until <= at.getTime()) return session;
  const tries = (waits.tries ?? 0) + (isLost ? 1 : 0);
  if (tries === 0 || !(isLost || passed === false)) return session;
  const next = { expiresAt: new Date(waits.until), waits: { ...waits, tries } };
  return { ...session, ...next, steps: [], claimedAt: null, passed: null };
}

/** Why frames of a session are not awaited; undefined: they are, or it waits. */
function stateOf({ claimedAt, waits, expiresAt }: EarlierSession, at: Date): SessionState | undefined {
  if (claimedAt !== null) return 'judged';
  if (waits?.ended) return 'ended';
  return expiresAt <= at ? 'expired' : undefined;
}

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
  const get = async (clientId: string, id: string) => {
    const sql = 'SELECT * FROM liveness_sessions WHERE id = $1 AND client_id = $2';
    const found = await sessions.get(db, sql, id, clientId);
    return found && withDeadline(found);
  };
  return {
    get,
    async find(clientId, id, at) {
      const session = await get(clientId, id);
      if (!session) return 'unknown';
      const current = currentTry(session, at);
      return stateOf(current, at) ?? current;
    },
    ofSecret: (secret) => sessions.get(db, 'SELECT * FROM liveness_sessions WHERE secret = $1', secret),
  } satisfies Partial<SessionStore>;
}

/** Sessions whose frames are awaited. */
function openSessions(db: Database) {
  const { get } = foundSessions(db);
  return {
    async create(session) {
      await db.run(insertSession, ...valuesOf(session));
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
        const earlier = await sessions.all(session, sql, ...values);
        const ownSql = `SELECT * FROM liveness_sessions WHERE id = $1 ${db.dialect.forUpdate}`;
        const own = begins && (await sessions.get(session, ownSql, begins));
        const decision = decide(earlier.map(withDeadline), own ? withDeadline(own) : undefined);
        const { create, begin } = decision;
        if (create) await session.run(insertSession, ...valuesOf(create));
        if (create?.waits) await endOthers(session, create);
        if (begin) {
          await endOthers(session, begin);
          await session.run(beginSession, ...begun(begin));
        }
        return decision;
      };
      // A subject without sessions has no row to lock.
      const name = Buffer.from(subject ?? []).toString('hex');
      return db.transaction(work, { lock: `session ${clientId} ${name}` });
    },
    async claim(clientId, id, at) {
      const found = await get(clientId, id);
      const state = found ? stateOf(found, at) : 'unknown';
      if (state !== undefined || !found) return state ?? 'unknown';
      if (found.steps.length === 0) return 'waiting';
      // Meanwhile it may be claimed, begin its next try, or be ended by a newer link.
      const sql = `UPDATE liveness_sessions SET claimed_at = $3 WHERE id = $1 AND client_id = $2
        AND claimed_at IS NULL AND created_at = $4 AND coalesce(waits, '') <> '${ended}' RETURNING *`;
      const claimed = await db.returning<object>(sql, id, clientId, at.getTime(), found.createdAt.getTime());
      return claimed ? withDeadline(sessions.read(claimed)) : 'judged';
    },
  } satisfies Partial<SessionStore>;
}

/** Values of a try that begins. */
function begun({ id, steps, createdAt, expiresAt, waits }: LivenessSessionRecord): SqlValue[] {
  const frames = expiresAt.getTime();
  const until = waits?.until ?? frames;
  const next = waits ? JSON.stringify({ ...waits, frames }) : null;
  return [id, JSON.stringify(steps), createdAt.getTime(), until, next];
}

/** Ends the other sessions of a subject that have not passed, also links that wait for their next try. */
async function endOthers(
  session: Session,
  { id, clientId, subject, createdAt }: LivenessSessionRecord,
): Promise<void> {
  if (subject === null) return;
  await endSessions(
    session,
    createdAt,
    'client_id = $1 AND subject = $2 AND id <> $3',
    clientId,
    subject,
    id,
  );
}

function sessionsOfPeople(db: Database) {
  return {
    eraseOf: (owner) => eraseRowsOf(db, 'liveness_sessions', owner),
    async listOf(owner) {
      const { condition, values } = ownedBy(owner, 'liveness_sessions');
      const sql = `SELECT * FROM liveness_sessions WHERE ${condition} ORDER BY created_at, id`;
      return (await sessions.all(db, sql, ...values)).map(withDeadline);
    },
  } satisfies Partial<SessionStore>;
}

function judgedSessions(db: Database) {
  return {
    async release(clientId, id) {
      const sql = 'UPDATE liveness_sessions SET claimed_at = NULL WHERE id = $1 AND client_id = $2';
      await db.run(sql, id, clientId);
    },
    markFailed: (clientId, id, alongside, reasons = []) =>
      db.transaction(async (session) => {
        const sql = 'UPDATE liveness_sessions SET passed = 0, reasons = $3 WHERE id = $1 AND client_id = $2';
        await session.run(sql, id, clientId, JSON.stringify(reasons));
        await alongside?.(session);
      }),
    storeTemplate: (clientId, id, { template, frame = null, until }, alongside) =>
      db.transaction(async (session) => {
        const sql = `UPDATE liveness_sessions SET template = $3, frame = $4, template_until = $5, passed = 1
          WHERE id = $1 AND client_id = $2 AND coalesce(waits, '') <> '${ended}'`;
        const stored = await session.run(sql, id, clientId, template, frame, until.getTime());
        if (stored === 1) await alongside?.(session);
        return stored === 1;
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
  'liveness_frames',
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
  'liveness_frames',
  { id: 'int', sessionId: 'text', sentAt: 'time', frames: 'int', shapes: 'bytes' },
  framesColumns,
);

export function createFrameStore(db: Database): FrameStore {
  return {
    record({ id: sessionId, clientId, galleryId, userId }, record, sentAt) {
      const sql = `${framesRows.insert()} RETURNING id`;
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
    async forget({ clientId, id, createdAt }) {
      const condition = 'client_id = $1 AND session = $2 AND sent_at >= $3';
      await eraseInSlices(db, 'liveness_frames', condition, clientId, id, createdAt.getTime());
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
  const sql = `SELECT CAST(coalesce(sum(frames), 0) AS bigint) AS count FROM liveness_frames
    WHERE ${condition} AND frames BETWEEN 0 AND 1000000`;
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
  const subjects = 'subjects' in owner ? owner.subjects : undefined;
  const values: SqlValue[] = [clientId];
  const conditions = ['client_id = $1', where(values, { 'gallery_id = ?': galleryId })];
  if (userId !== undefined && subjects !== undefined) {
    const user = `user_id = $${values.push(userId)}`;
    const digest = `subject IN (${subjects.map((subject) => `$${values.push(subject)}`)})`;
    const named = `SELECT id FROM liveness_sessions WHERE client_id = $1 AND ${digest}`;
    conditions.push(`(${user} OR ${table === 'liveness_sessions' ? digest : `session IN (${named})`})`);
  } else conditions.push(where(values, { 'user_id = ?': userId }));
  return { condition: conditions.join(' AND '), values };
}
