import { hourMs } from '../lib/time.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { eraseInSlices } from './erase.ts';
import { type Blob, bytesOf, countOf, rowMapper, where } from './rows.ts';
import { type OutboxEvent, writeEvent } from './webhook-store.ts';

/** A liveness session. */
export interface LivenessSessionRecord {
  readonly id: string;
  readonly clientId: string;
  /** Steps of the challenge, in order. */
  readonly steps: readonly string[];
  /** Lights of the screen, indices into `LIGHT_PALETTE` of the engine; null: none. */
  readonly lights: readonly number[] | null;
  readonly nonce: string;
  /** Expected identity; both or neither. */
  readonly galleryId: string | null;
  readonly userId: string | null;
  /** Keyed digest of the end user whom the session is for, 32 bytes; null: of nobody in particular. */
  readonly subject: Uint8Array | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A user whom sessions name, or all users of a gallery. */
export interface SessionOwner {
  readonly clientId: string;
  readonly galleryId: string;
  readonly userId?: string;
}

/** A user_id in all galleries of a client. */
export interface SessionPerson {
  readonly clientId: string;
  readonly galleryId?: undefined;
  readonly userId: string;
  /** Digest of the user_id as the subject of sessions: those name the person, too. */
  readonly subject?: Uint8Array;
}

/** A session and what became of it. */
export interface EarlierSession extends LivenessSessionRecord {
  /** When its frames were claimed for evaluation; null: none were submitted. */
  readonly claimedAt: Date | null;
  /** Null until it is judged. */
  readonly passed: boolean | null;
}

/** The sessions of a client and subject that a decision needs. */
export interface SessionHistory {
  readonly clientId: string;
  /** Null: those without a subject. */
  readonly subject: Uint8Array | null;
  readonly since: Date;
  /** Most sessions. */
  readonly limit: number;
}

/** A frame of a session that passed. */
export interface FrameRecord {
  /** Keyed digest of the picture's bytes, 32 bytes. */
  readonly digest: Uint8Array;
  /** Sealed perceptual hash and sealed detail; null when no face was found. */
  readonly hash: Uint8Array | null;
  readonly detail: Uint8Array | null;
}

/** A sealed part of a recorded frame. */
export interface StoredFramePart {
  /** Grows in the order in which frames become visible, over all clients and servers. */
  readonly id: number;
  readonly sessionId: string;
  readonly sealed: Uint8Array;
}

const sessionKinds = {
  id: 'text',
  clientId: 'text',
  steps: 'json',
  lights: 'json',
  nonce: 'text',
  galleryId: 'text',
  userId: 'text',
  subject: 'bytes',
  createdAt: 'time',
  expiresAt: 'time',
} as const;
const sessions = rowMapper<LivenessSessionRecord>(sessionKinds);
const earlierSessions = rowMapper<EarlierSession>({ ...sessionKinds, claimedAt: 'time', passed: 'flag' });
const insertSession = sessions.insert('liveness_sessions');

/** Template of a session that was passed: session, client, time. */
const selectTemplate = `SELECT template FROM liveness_sessions
  WHERE id = $1 AND client_id = $2 AND template IS NOT NULL AND template_until > $3`;

/** Why the frames of a session are not awaited. */
type SessionState = 'unknown' | 'expired' | 'judged';

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Liveness sessions and their sealed templates. Erased when their client is unregistered. */
export function createSessionStore(db: Database) {
  return { ...openSessions(db), ...judgedSessions(db), ...sessionsOfPeople(db) };
}

/** Sessions whose frames are awaited. */
function openSessions(db: Database) {
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
    return found.expiresAt <= at ? 'expired' : found;
  };
  return {
    async create(session: LivenessSessionRecord): Promise<void> {
      await db.run(insertSession, ...sessions.values(session));
    },
    /**
     * Opens a session that depends on the earlier ones of its subject, one decision after the other for all servers.
     * @param decide synchronous; `earlier` are the latest sessions, the newest first; `create` is stored if given
     * @returns its decision
     */
    open<Decision extends object>(
      { clientId, subject, since, limit }: SessionHistory,
      decide: (earlier: readonly EarlierSession[]) => Decision & { readonly create?: LivenessSessionRecord },
    ): Promise<Decision> {
      const sql = `SELECT * FROM liveness_sessions
        WHERE client_id = $1 AND subject ${subject === null ? 'IS NULL' : '= $4'} AND created_at >= $2
        ORDER BY created_at DESC, id DESC LIMIT $3`;
      const values = [clientId, since.getTime(), limit, ...(subject === null ? [] : [subject])];
      const work = async (session: Session) => {
        const rows = await session.all<object>(sql, ...values);
        const decision = decide(rows.map(earlierSessions.read));
        if (decision.create) await session.run(insertSession, ...sessions.values(decision.create));
        return decision;
      };
      // A subject without sessions has no row to lock.
      const name = Buffer.from(subject ?? []).toString('hex');
      return db.transaction(work, { lock: `session ${clientId} ${name}` });
    },
    /** A session whose frames are still awaited, or why they are not. */
    find,
    /** Claims a session for evaluation, atomically for all servers. */
    async claim(clientId: string, id: string, at: Date): Promise<LivenessSessionRecord | SessionState> {
      const sql = `UPDATE liveness_sessions SET claimed_at = $3
        WHERE id = $1 AND client_id = $2 AND claimed_at IS NULL AND expires_at > $3 RETURNING *`;
      const claimed = await db.returning<object>(sql, id, clientId, at.getTime());
      if (claimed) return sessions.read(claimed);
      const found = await find(clientId, id, at);
      // Between the two statements a session can be released.
      return typeof found === 'string' ? found : 'judged';
    },
  };
}

function sessionsOfPeople(db: Database) {
  return {
    /** Erases the sessions that name a user. @returns how many */
    eraseOf: (owner: SessionOwner | SessionPerson) => eraseRowsOf(db, 'liveness_sessions', owner),
    /** The sessions that name a user, the oldest first. */
    async listOf(owner: SessionPerson): Promise<EarlierSession[]> {
      const { condition, values } = ownedBy(owner, 'liveness_sessions');
      const sql = `SELECT * FROM liveness_sessions WHERE ${condition} ORDER BY created_at, id`;
      return (await db.all<object>(sql, ...values)).map(earlierSessions.read);
    },
  };
}

function judgedSessions(db: Database) {
  return {
    /** Releases a claimed session, of a call refused as busy. */
    async release(clientId: string, id: string): Promise<void> {
      const sql = 'UPDATE liveness_sessions SET claimed_at = NULL WHERE id = $1 AND client_id = $2';
      await db.run(sql, id, clientId);
    },
    /** Records that a session was judged and not passed. @param event tells it; written with it */
    markFailed: (clientId: string, id: string, event?: OutboxEvent): Promise<void> =>
      db.transaction(async (session) => {
        const sql = 'UPDATE liveness_sessions SET passed = 0 WHERE id = $1 AND client_id = $2';
        await session.run(sql, id, clientId);
        await writeEvent(session, event);
      }),
    /** Stores the sealed template of a session and records that it was passed. */
    async storeTemplate(clientId: string, id: string, template: Uint8Array, until: Date): Promise<void> {
      const sql = `UPDATE liveness_sessions SET template = $3, template_until = $4, passed = 1
        WHERE id = $1 AND client_id = $2`;
      await db.run(sql, id, clientId, template, until.getTime());
    },
    /**
     * Returns the template and erases it, atomically.
     * @returns null when the session has none: not passed, consumed, expired, or of another client
     */
    async consumeTemplate(clientId: string, id: string, at: Date): Promise<Uint8Array | null> {
      const row = await db.transaction(async (session) => {
        const sql = `${selectTemplate} ${db.dialect.forUpdate}`;
        const found = await session.get<{ template: Blob }>(sql, id, clientId, at.getTime());
        if (found) await session.run('UPDATE liveness_sessions SET template = NULL WHERE id = $1', id);
        return found;
      });
      if (!row) return null;
      db.purge();
      return bytesOf(row.template);
    },
    /**
     * Erases templates expired at `now`, sessions expired before `before.sessions` and frames before `before.frames`,
     * and forgets which frames were erased more than an hour ago.
     */
    async prune(now: Date, before: { readonly sessions: Date; readonly frames: Date }): Promise<void> {
      const expired = `UPDATE liveness_sessions SET template = NULL
        WHERE template IS NOT NULL AND template_until <= $1`;
      const erased = await db.erase(expired, now.getTime());
      const old = 'DELETE FROM liveness_sessions WHERE expires_at < $1 AND template IS NULL';
      await db.erase(old, before.sessions.getTime());
      await eraseInSlices(db, 'liveness_frames', 'sent_at < $1', before.frames.getTime());
      await db.erase('DELETE FROM erased_frames WHERE erased_at < $1', now.getTime() - erasedFramesKeptMs);
      if (erased > 0) db.purge();
    },
  };
}

const erasedFramesKeptMs = hourMs;

type FrameRow = FrameRecord &
  Pick<LivenessSessionRecord, 'clientId' | 'galleryId' | 'userId'> & {
    readonly session: string;
    readonly sentAt: Date;
  };

const frameRows = rowMapper<FrameRow>({
  clientId: 'text',
  session: 'text',
  galleryId: 'text',
  userId: 'text',
  sentAt: 'time',
  digest: 'bytes',
  hash: 'bytes',
  detail: 'bytes',
});

const frameParts = rowMapper<StoredFramePart & { readonly sentAt: Date }>(
  { id: 'int', sessionId: 'text', sealed: 'bytes', sentAt: 'time' },
  { sessionId: 'session' },
);

export type FrameStore = ReturnType<typeof createFrameStore>;

/** Frames of sessions that passed, of all clients. */
export function createFrameStore(db: Database) {
  return {
    ...createFrameReader(db),
    /**
     * Records frames of a session, one session after the other for all servers.
     * @returns an id: frames that were recorded before have smaller ones
     */
    record(
      {
        id,
        clientId,
        galleryId,
        userId,
      }: Pick<LivenessSessionRecord, 'id' | 'clientId' | 'galleryId' | 'userId'>,
      frames: readonly FrameRecord[],
      sentAt: Date,
    ): Promise<number> {
      const sql = `${frameRows.insert('liveness_frames')} RETURNING id`;
      const work = async (session: Session) => {
        const ids: number[] = [];
        for (const frame of frames) {
          const values = frameRows.values({ clientId, session: id, galleryId, userId, sentAt, ...frame });
          ids.push((await session.get<{ id: number }>(sql, ...values))!.id);
        }
        return Math.min(...ids);
      };
      // Ids are drawn before a commit: without the lock, a smaller one could become visible after a larger one.
      return db.transaction(work, { lock: 'frames' });
    },
    /** Erases the frames of a session. */
    async forget(clientId: string, sessionId: string): Promise<void> {
      await eraseInSlices(db, 'liveness_frames', 'client_id = $1 AND session = $2', clientId, sessionId);
    },
    /** Erases the frames of the sessions that name a user, or any user of a gallery. @returns how many */
    forgetUser: (owner: SessionOwner | SessionPerson) => eraseRowsOf(db, 'liveness_frames', owner),
    /** Number of frames of the sessions that name a user. */
    countOf(owner: SessionPerson): Promise<number> {
      const { condition, values } = ownedBy(owner, 'liveness_frames');
      return countOf(db, `SELECT count(*) AS count FROM liveness_frames WHERE ${condition}`, ...values);
    },
    /** Whether there are frames since `since`. */
    async any(since: Date): Promise<boolean> {
      const sql = 'SELECT id FROM liveness_frames WHERE sent_at >= $1 LIMIT 1';
      return (await db.get(sql, since.getTime())) !== undefined;
    },
  };
}

export type FrameReader = ReturnType<typeof createFrameReader>;

/** What finds frames; another thread reads it over its own connection. */
export function createFrameReader(db: Database) {
  return {
    /** Whether a frame with this digest was recorded since `since`, with an id below `before`. */
    async hasDigest(digest: Uint8Array, since: Date, before: number): Promise<boolean> {
      const sql = 'SELECT id FROM liveness_frames WHERE digest = $1 AND sent_at >= $2 AND id < $3 LIMIT 1';
      return (await db.get(sql, digest, since.getTime(), before)) !== undefined;
    },
    /** Hashes of frames since `since` with ids above `after`, in the order of ids. @param limit at most so many */
    async hashes(after: number, since: Date, limit: number) {
      const sql = `SELECT id, session, hash AS sealed, sent_at FROM liveness_frames
        WHERE id > $1 AND sent_at >= $2 AND hash IS NOT NULL ORDER BY id LIMIT $3`;
      return (await db.all<object>(sql, after, since.getTime(), limit)).map(frameParts.read);
    },
    /** Details of frames; those that were erased are missing. */
    async details(ids: readonly number[]): Promise<StoredFramePart[]> {
      const sql = `SELECT id, session, detail AS sealed, sent_at FROM liveness_frames
        WHERE id = $1 AND detail IS NOT NULL`;
      const rows = await Promise.all(ids.map((id) => db.get<object>(sql, id)));
      return rows.flatMap((row) => (row ? frameParts.read(row) : []));
    },
    /** Ids of the frames that were erased in the last hour. */
    async erased(): Promise<number[]> {
      return (await db.all<{ id: number }>('SELECT id FROM erased_frames')).map(({ id }) => id);
    },
  };
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
