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

/** A frame that was submitted in a session. */
export interface SubmittedFrame {
  /** SHA-256 of the picture's bytes. */
  readonly digest: Uint8Array;
  /** Masked perceptual hash; null when no face was found. */
  readonly perceptualHash: Uint8Array | null;
}

/** Liveness sessions, their submitted frames and sealed templates. Erased when their client is unregistered. */
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
  /** Claims a session for evaluation, atomically for all servers. */
  claim(
    clientId: string,
    id: string,
    at: Date,
  ): Promise<LivenessSessionRecord | 'unknown' | 'expired' | 'judged'>;
  /** Releases a claimed session, of a call refused as busy. */
  release(clientId: string, id: string): Promise<void>;
  /**
   * Records the frames of a session, serialized for each client: of two concurrent sessions with the same frame, the
   * second gets it back.
   * @returns frames of the client's other sessions since `since`
   */
  recordFrames(
    clientId: string,
    id: string,
    frames: readonly SubmittedFrame[],
    since: Date,
  ): Promise<SubmittedFrame[]>;
  /** Records that a session was judged and not passed. */
  markFailed(clientId: string, id: string): Promise<void>;
  /** Stores the sealed template of a session and records that it was passed. */
  storeTemplate(clientId: string, id: string, template: Uint8Array, until: Date): Promise<void>;
  /**
   * Returns the template and erases it, atomically.
   * @returns null when the session has none: not passed, consumed, expired, or of another client
   */
  consumeTemplate(clientId: string, id: string, at: Date): Promise<Uint8Array | null>;
  /** Erases templates expired at `now`, sessions expired before `before.sessions` and frames before `before.frames`. */
  prune(now: Date, before: { readonly sessions: Date; readonly frames: Date }): Promise<void>;
}
