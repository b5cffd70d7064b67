import type { Alongside } from '../database/session.ts';

/** With what a session begins, and how often: the link of a hosted one is good for several tries. */
export interface WaitingSession {
  /** Random steps asked for. */
  readonly steps?: number | undefined;
  /** Tries that may still begin; absent: one. */
  readonly tries?: number | undefined;
  /** Until when they may, milliseconds since 1970; absent: the session has not begun. */
  readonly until?: number | undefined;
  readonly ended?: undefined;
}

export interface EndedSession extends Partial<Record<'steps' | 'tries' | 'until', undefined>> {
  readonly ended: true;
}

/** A liveness session. */
export interface LivenessSessionRecord {
  readonly id: string;
  readonly clientId: string;
  /** Steps of the challenge, in order. */
  readonly steps: readonly string[];
  readonly nonce: string;
  /** Expected identity; both or neither. */
  readonly galleryId: string | null;
  readonly userId: string | null;
  /** Keyed digest of the end user whom the session is for, 32 bytes; null: of nobody in particular. */
  readonly subject: Uint8Array | null;
  readonly createdAt: Date;
  /** Of the beginning, while it waits; else of the frames. */
  readonly expiresAt: Date;
  /** What it begins with, or that a newer link of its subject has ended it; null: it begins no more. */
  readonly waits?: WaitingSession | EndedSession | null;
  /** SHA-256 of the secret of its hosted page; null: it has none. */
  readonly secret?: Uint8Array | null;
  readonly redirectUrl?: string | null;
  /** Whether a frontal frame is kept while the template is. */
  readonly keepFrame?: boolean | null;
  /** Least size of the face, pixels; null: the default. */
  readonly minFace?: number | null;
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
  /** Digests of the user_id as the subject of sessions: those name the person, too. */
  readonly subjects?: readonly Uint8Array[];
}

/** A session and what became of it. */
export interface EarlierSession extends LivenessSessionRecord {
  /** When its frames were claimed for evaluation; null: none were submitted. */
  readonly claimedAt: Date | null;
  /** Null until it is judged. */
  readonly passed: boolean | null;
  /** Of a failed session. */
  readonly reasons?: readonly string[] | null;
}

/** The sessions of a client and subject that a decision needs. */
export interface SessionHistory {
  readonly clientId: string;
  /** Null: those without a subject. */
  readonly subject: Uint8Array | null;
  readonly since: Date;
  /** Most sessions. */
  readonly limit: number;
  /** The session that begins; null: another one is opened. */
  readonly begins?: string | undefined;
}

/** What is remembered of the frames of a session that passed. */
export interface FramesRecord {
  /** How many. */
  readonly frames: number;
  /** The sealed shapes of their faces. */
  readonly shapes: Uint8Array;
}

/** Remembered frames of a session. */
export interface RememberedFrames extends FramesRecord {
  /** Grows in the order in which rows become visible, over all clients and servers. */
  readonly id: number;
  readonly sessionId: string;
  readonly sentAt: Date;
}

/** Why the frames of a session are not awaited. */
export type SessionState = 'unknown' | 'expired' | 'judged' | 'waiting' | 'ended';

/** Liveness sessions and their sealed templates. Erased when their client is unregistered. */
export interface SessionStore {
  /** A session that waits, also for its next try, or whose frames are awaited; or why they are not. */
  find(clientId: string, id: string, at: Date): Promise<LivenessSessionRecord | SessionState>;
  /** A session in any state; null: the client has none of this id. */
  get(clientId: string, id: string): Promise<EarlierSession | null>;
  /** The session whose page has this secret. @param secret its SHA-256 */
  ofSecret(secret: Uint8Array): Promise<LivenessSessionRecord | null>;
  create(session: LivenessSessionRecord): Promise<void>;
  /**
   * Opens a session that depends on the earlier ones of its subject, one decision after the other for all servers. One
   * that waits, or begins after it has waited, ends the others of its subject.
   * @param decide synchronous; `earlier` are the latest sessions that have begun, the newest first, and `own` is the one
   *   that begins; `create` is stored if given, and `begin` takes the place of what waits or of the former try
   * @returns its decision
   */
  open<Decision extends object>(
    history: SessionHistory,
    decide: (
      earlier: readonly EarlierSession[],
      own: EarlierSession | undefined,
    ) => Decision & {
      readonly create?: LivenessSessionRecord;
      readonly begin?: LivenessSessionRecord;
    },
  ): Promise<Decision>;
  /** Claims a session for evaluation, atomically for all servers. */
  claim(clientId: string, id: string, at: Date): Promise<LivenessSessionRecord | SessionState>;
  /** Erases the sessions that name a user. @returns how many */
  eraseOf(owner: SessionOwner | SessionPerson): Promise<number>;
  /** The sessions that name a user, the oldest first. */
  listOf(owner: SessionPerson): Promise<EarlierSession[]>;
  /** Releases a claimed session, of a call refused as busy. */
  release(clientId: string, id: string): Promise<void>;
  /** Records that a session was judged and not passed. */
  markFailed(clientId: string, id: string, alongside?: Alongside, reasons?: readonly string[]): Promise<void>;
  /**
   * Stores the sealed template of a session, and its sealed frame where one is kept, and records that it was passed.
   * @returns false when it was ended or erased meanwhile
   */
  storeTemplate(
    clientId: string,
    id: string,
    passed: { template: Uint8Array; frame?: Uint8Array | null; until: Date },
    alongside?: Alongside,
  ): Promise<boolean>;
  /** Erases templates expired at `now`, sessions expired before `before.sessions` and frames before `before.frames`. */
  prune(now: Date, before: { readonly sessions: Date; readonly frames: Date }): Promise<void>;
  /** The template of a passed session and its frame, while they are neither consumed nor expired. */
  passedParts(
    clientId: string,
    id: string,
    at: Date,
  ): Promise<{ template: Uint8Array; until: Date; frame: Uint8Array | null } | null>;
  /**
   * Returns the template, and erases it and the frame, atomically.
   * @returns null when the session has none: not passed, consumed, expired, or of another client
   */
  consumeTemplate(clientId: string, id: string, at: Date): Promise<Uint8Array | null>;
}

/** Frames of sessions that passed, of all clients: a row for each session. */
export interface FrameStore {
  /**
   * Records the frames of a session, one session after the other for all servers.
   * @returns its id: sessions that were recorded before have smaller ones
   */
  record(
    session: Pick<LivenessSessionRecord, 'id' | 'clientId' | 'galleryId' | 'userId'>,
    record: FramesRecord,
    sentAt: Date,
  ): Promise<number>;
  /** Those with ids above `after`, in the order of ids. @param limit at most so many */
  list(after: number, limit: number): Promise<RememberedFrames[]>;
  /** Number and sum of the ids up to `last`: what was erased since changes them. */
  extent(last: number): Promise<{ count: number; sum: number }>;
  /** The ids up to `last`. */
  ids(last: number): Promise<number[]>;
  /** Erases the frames of a session that were sent since it was created: those of earlier tries of its link stay. */
  forget(session: Pick<LivenessSessionRecord, 'id' | 'clientId' | 'createdAt'>): Promise<void>;
  /** Erases the frames of the sessions that name a user, or any user of a gallery. @returns how many */
  forgetUser(owner: SessionOwner | SessionPerson): Promise<number>;
  /** Number of frames of the sessions that name a user. */
  countOf(owner: SessionPerson): Promise<number>;
}
