import type { OutboxEvent } from './webhooks/webhook-store.ts';

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
