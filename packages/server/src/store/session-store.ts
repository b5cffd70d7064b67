import { setImmediate as nextTurn } from 'node:timers/promises';
import { hourMs } from '../lib/time.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { type Blob, bytesOf, dateOf } from './rows.ts';
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

/** Frames of sessions that passed, of all clients. */
export interface FrameStore {
  /**
   * Records frames of a session, one session after the other for all servers.
   * @returns an id: frames that were recorded before have smaller ones
   */
  record(
    session: Pick<LivenessSessionRecord, 'id' | 'clientId' | 'galleryId' | 'userId'>,
    frames: readonly FrameRecord[],
    at: Date,
  ): Promise<number>;
  /** Erases the frames of a session. */
  forget(clientId: string, sessionId: string): Promise<void>;
  /** Erases the frames of the sessions that name a user, or any user of a gallery. @returns how many */
  forgetUser(owner: SessionOwner | SessionPerson): Promise<number>;
  /** Number of frames of the sessions that name a user. */
  countOf(owner: SessionPerson): Promise<number>;
  /** Whether there are frames since `since`. */
  any(since: Date): Promise<boolean>;
  /** Whether a frame with this digest was recorded since `since`, with an id below `before`. */
  hasDigest(digest: Uint8Array, since: Date, before: number): Promise<boolean>;
  /** Hashes of frames since `since` with ids above `after`, in the order of ids. @param limit at most so many */
  hashes(after: number, since: Date, limit: number): Promise<(StoredFramePart & { readonly sentAt: Date })[]>;
  /** Details of frames; those that were erased are missing. */
  details(ids: readonly number[]): Promise<StoredFramePart[]>;
  /** Ids of the frames that were erased in the last hour. */
  erased(): Promise<number[]>;
}

/** What finds frames; another thread reads it over its own connection. */
export type FrameReader = Pick<FrameStore, 'hasDigest' | 'hashes' | 'details' | 'erased'> & {
  close(): Promise<void>;
};

/** Liveness sessions and their sealed templates. Erased when their client is unregistered. */
export interface SessionStore {
  create(session: LivenessSessionRecord): Promise<void>;
  /**
   * Opens a session that depends on the earlier ones of its subject, one decision after the other for all servers.
   * @param decide synchronous; `earlier` are the latest sessions, the newest first; `create` is stored if given
   * @returns its decision
   */
  open<Decision extends object>(
    history: SessionHistory,
    decide: (earlier: readonly EarlierSession[]) => Decision & { readonly create?: LivenessSessionRecord },
  ): Promise<Decision>;
  /** A session whose frames are still awaited, or why they are not. */
  find(
    clientId: string,
    id: string,
    at: Date,
  ): Promise<LivenessSessionRecord | 'unknown' | 'expired' | 'judged'>;
  /** Claims a session for evaluation, atomically for all servers. */
  claim(
    clientId: string,
    id: string,
    at: Date,
  ): Promise<LivenessSessionRecord | 'unknown' | 'expired' | 'judged'>;
  /** Releases a claimed session, of a call refused as busy. */
  release(clientId: string, id: string): Promise<void>;
  /** Erases the sessions that name a user. @returns how many */
  eraseOf(owner: SessionOwner | SessionPerson): Promise<number>;
  /** The sessions that name a user, the oldest first. */
  listOf(owner: SessionPerson): Promise<EarlierSession[]>;
  /** Records that a session was judged and not passed. @param event tells it; written with it */
  markFailed(clientId: string, id: string, event?: OutboxEvent): Promise<void>;
  /** Stores the sealed template of a session and records that it was passed. */
  storeTemplate(clientId: string, id: string, template: Uint8Array, until: Date): Promise<void>;
  /**
   * Returns the template and erases it, atomically.
   * @returns null when the session has none: not passed, consumed, expired, or of another client
   */
  consumeTemplate(clientId: string, id: string, at: Date): Promise<Uint8Array | null>;
  /**
   * Erases templates expired at `now`, sessions expired before `before.sessions` and frames before `before.frames`, and
   * forgets which frames were erased more than an hour ago.
   */
  prune(now: Date, before: { readonly sessions: Date; readonly frames: Date }): Promise<void>;
}

interface SessionRow {
  readonly id: string;
  readonly client_id: string;
  /** JSON */
  readonly steps: string;
  /** JSON */
  readonly lights: string | null;
  readonly nonce: string;
  readonly gallery_id: string | null;
  readonly user_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly subject: Blob | null;
  readonly claimed_at: number | null;
  readonly passed: number | null;
}

/** A sealed part of a frame. */
interface FrameRow {
  readonly id: number;
  readonly session: string;
  readonly sealed: Blob;
  readonly sent_at: number;
}

function toSession(row: SessionRow): LivenessSessionRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    steps: JSON.parse(row.steps) as string[],
    lights: row.lights === null ? null : (JSON.parse(row.lights) as number[]),
    nonce: row.nonce,
    galleryId: row.gallery_id,
    userId: row.user_id,
    subject: row.subject && bytesOf(row.subject),
    createdAt: dateOf(row.created_at),
    expiresAt: dateOf(row.expires_at),
  };
}

function toEarlierSession(row: SessionRow): EarlierSession {
  const { claimed_at: claimedAt, passed } = row;
  return {
    ...toSession(row),
    claimedAt: claimedAt === null ? null : dateOf(claimedAt),
    passed: passed === null ? null : passed === 1,
  };
}

function toFramePart(row: FrameRow) {
  return {
    id: row.id,
    sessionId: row.session,
    sealed: bytesOf(row.sealed),
    sentAt: dateOf(row.sent_at),
  } satisfies StoredFramePart & { sentAt: Date };
}

const erasedFramesKeptMs = hourMs;

const insertSession = `INSERT INTO liveness_sessions
  (id, client_id, steps, nonce, gallery_id, user_id, subject, created_at, expires_at, lights)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Parameters of `insertSession`. */
function sessionValues(session: LivenessSessionRecord): SqlValue[] {
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
function selectHistory({ subject }: SessionHistory): string {
  return `SELECT * FROM liveness_sessions
    WHERE client_id = $1 AND subject ${subject === null ? 'IS NULL' : '= $4'} AND created_at >= $2
    ORDER BY created_at DESC, id DESC LIMIT $3`;
}

function historyValues({ clientId, subject, since, limit }: SessionHistory): SqlValue[] {
  return [clientId, since.getTime(), limit, ...(subject === null ? [] : [subject])];
}

/** Template of a session that was passed: session, client, time. */
const selectTemplate = `SELECT template FROM liveness_sessions
  WHERE id = $1 AND client_id = $2 AND template IS NOT NULL AND template_until > $3`;

/** Session, client. */
const markFailed = 'UPDATE liveness_sessions SET passed = 0 WHERE id = $1 AND client_id = $2';

const eraseTemplate = 'UPDATE liveness_sessions SET template = NULL WHERE id = $1';

export function createSessionStore(db: Database): SessionStore {
  const find: SessionStore['find'] = (clientId, id, at) => findSession(db, clientId, id, at);
  return {
    open: (history, decide) => open(db, history, decide),
    markFailed: (clientId, id, event) =>
      db.transaction(async (session) => {
        await session.run(markFailed, id, clientId);
        await writeEvent(session, event);
      }),
    consumeTemplate: (clientId, id, at) => consumeTemplate(db, clientId, id, at),
    prune: (now, before) => pruneSessions(db, now, before),
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

function open<Decision extends object>(
  db: Database,
  history: SessionHistory,
  decide: (earlier: readonly EarlierSession[]) => Decision & { readonly create?: LivenessSessionRecord },
): Promise<Decision> {
  const work = async (session: Session) => {
    const rows = await session.all<SessionRow>(selectHistory(history), ...historyValues(history));
    const decision = decide(rows.map(toEarlierSession));
    if (decision.create) await session.run(insertSession, ...sessionValues(decision.create));
    return decision;
  };
  // A subject without sessions has no row to lock.
  const subject = Buffer.from(history.subject ?? []).toString('hex');
  return db.transaction(work, { lock: `session ${history.clientId} ${subject}` });
}

async function consumeTemplate(db: Database, clientId: string, id: string, at: Date) {
  const row = await db.transaction(async (session) => {
    const sql = `${selectTemplate} ${db.dialect.forUpdate}`;
    const found = await session.get<{ template: Blob }>(sql, id, clientId, at.getTime());
    if (found) await session.run(eraseTemplate, id);
    return found;
  });
  if (!row) return null;
  db.purge();
  return bytesOf(row.template);
}

async function findSession(db: Database, clientId: string, id: string, at: Date) {
  const sql = 'SELECT * FROM liveness_sessions WHERE id = $1 AND client_id = $2';
  const row = await db.get<SessionRow>(sql, id, clientId);
  if (!row) return 'unknown';
  if (row.claimed_at !== null) return 'judged';
  return row.expires_at <= at.getTime() ? 'expired' : toSession(row);
}

/** See `SessionStore.prune`. */
async function pruneSessions(
  db: Database,
  now: Date,
  before: { readonly sessions: Date; readonly frames: Date },
): Promise<void> {
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
  if (erased > 0) db.purge();
}

const insertFrame = `INSERT INTO liveness_frames
  (client_id, session, gallery_id, user_id, sent_at, digest, hash, detail)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`;

/** Parameters of `insertFrame`. */
function frameValues(
  { id, clientId, galleryId, userId }: Parameters<FrameStore['record']>[0],
  { digest, hash, detail }: FrameRecord,
  at: Date,
): SqlValue[] {
  return [clientId, id, galleryId, userId, at.getTime(), digest, hash, detail];
}

/** Frames that one statement erases: a row has three kilobytes. */
const erasedAtOnce = 50;

/** Erases the frames that fulfil a condition, in several transactions. */
export async function eraseFrames(db: Database, where: string, ...values: SqlValue[]): Promise<void> {
  const some = `DELETE FROM liveness_frames
    WHERE id IN (SELECT id FROM liveness_frames WHERE ${where} LIMIT ${erasedAtOnce})`;
  while ((await db.erase(some, ...values)) === erasedAtOnce) await nextTurn();
}

export function createFrameStore(db: Database): FrameStore {
  return {
    record: (session, frames, at) =>
      db.transaction(
        async (transaction) => {
          const ids: number[] = [];
          for (const frame of frames) {
            const row = await transaction.get<{ id: number }>(
              insertFrame,
              ...frameValues(session, frame, at),
            );
            ids.push(row!.id);
          }
          return Math.min(...ids);
        },
        // Ids are drawn before a commit: without the lock, a smaller one could become visible after a larger one.
        { lock: 'frames' },
      ),
    forget: (clientId, sessionId) => eraseFrames(db, 'client_id = $1 AND session = $2', clientId, sessionId),
    forgetUser: (owner) => eraseRowsOf(db, 'liveness_frames', owner),
    countOf: async (owner) => {
      const { where, values } = ownedBy(owner, 'liveness_frames');
      const sql = `SELECT count(*) AS count FROM liveness_frames WHERE ${where}`;
      return (await db.get<{ count: number }>(sql, ...values))?.count ?? 0;
    },
    async any(since) {
      const sql = 'SELECT id FROM liveness_frames WHERE sent_at >= $1 LIMIT 1';
      return (await db.get(sql, since.getTime())) !== undefined;
    },
    async hasDigest(digest, since, before) {
      const sql = 'SELECT id FROM liveness_frames WHERE digest = $1 AND sent_at >= $2 AND id < $3 LIMIT 1';
      return (await db.get(sql, digest, since.getTime(), before)) !== undefined;
    },
    async hashes(after, since, limit) {
      const rows = await db.all<FrameRow>(
        `SELECT id, session, hash AS sealed, sent_at FROM liveness_frames
         WHERE id > $1 AND sent_at >= $2 AND hash IS NOT NULL ORDER BY id LIMIT $3`,
        after,
        since.getTime(),
        limit,
      );
      return rows.map(toFramePart);
    },
    async details(ids) {
      const sql =
        'SELECT id, session, detail AS sealed, sent_at FROM liveness_frames WHERE id = $1 AND detail IS NOT NULL';
      const rows = await Promise.all(ids.map((id) => db.get<FrameRow>(sql, id)));
      return rows.flatMap((row) => (row ? toFramePart(row) : []));
    },
    async erased() {
      return (await db.all<{ id: number }>('SELECT id FROM erased_frames')).map(({ id }) => id);
    },
  };
}

type OwnedTable = 'liveness_frames' | 'liveness_sessions';

/** Erases the rows of a table that name a user, or any user of a gallery. @returns how many */
function eraseRowsOf(
  db: Pick<Database, 'erase'>,
  table: OwnedTable,
  owner: SessionOwner | SessionPerson,
): Promise<number> {
  const { where, values } = ownedBy(owner, table);
  return db.erase(`DELETE FROM ${table} WHERE ${where}`, ...values);
}

/** Condition on the rows of an owner. Frames of a subject are known while the session is there. */
function ownedBy(owner: SessionOwner | SessionPerson, table: OwnedTable) {
  const { clientId, galleryId, userId } = owner;
  const values: SqlValue[] = [clientId];
  const conditions = ['client_id = $1'];
  if (galleryId !== undefined) conditions.push(`gallery_id = $${values.push(galleryId)}`);
  const subject = 'subject' in owner ? owner.subject : undefined;
  if (userId !== undefined && subject !== undefined) {
    const user = `user_id = $${values.push(userId)}`;
    const digest = `subject = $${values.push(subject)}`;
    const sessions = `SELECT id FROM liveness_sessions WHERE client_id = $1 AND ${digest}`;
    conditions.push(`(${user} OR ${table === 'liveness_sessions' ? digest : `session IN (${sessions})`})`);
  } else if (userId !== undefined) conditions.push(`user_id = $${values.push(userId)}`);
  return { where: conditions.join(' AND '), values };
}
