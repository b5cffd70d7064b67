import type { ActivityStore } from './activity-store.ts';
import type { CropStore, FaceWrite, StoredFace, TemplateMigrationStore } from './crop-store.ts';
import type { FaceReaderOptions } from './face-reader.ts';
import type { TokenStore } from './token-store.ts';

/**
 * The store keeps the truth: accounts, galleries, sealed templates, tokens, the audit trail. It knows neither
 * faces nor keys (templates are opaque sealed bytes) and it does not search. Every promise that resolved is
 * durable. Two implementations are meant: SQLite (embedded) and PostgreSQL (several servers).
 */
export interface Store {
  readonly clients: ClientStore;
  readonly galleries: GalleryStore;
  readonly faces: FaceStore;
  /** For threads that read faces themselves. */
  readonly readerOptions: FaceReaderOptions;
  readonly crops: CropStore;
  readonly templateMigration: TemplateMigrationStore;
  readonly tokens: TokenStore;
  readonly meta: MetaStore;
  readonly audit: AuditStore;
  readonly limits: LimitStore;
  readonly sessions: SessionStore;
  readonly activity: ActivityStore;
  /** What it is, how large (where that is known) and of which schema. */
  info(): Promise<StoreInfo>;
  /** Reads, and after a failed write also writes, a small row; rejects when that fails. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreInfo {
  readonly kind: 'sqlite' | 'postgres';
  /** On disk; null: unknown. */
  readonly bytes: number | null;
  readonly migration: number;
}

/** What a client may use: −1 is unlimited. */
export interface Quota {
  readonly hits: number;
  readonly faces: number;
  readonly galleries: number;
}

/** An account and what it has used. */
export interface ClientRecord {
  readonly clientId: string;
  /** Encoded scrypt hash; null for clients of an external issuer. */
  readonly passwordHash: string | null;
  /** Null until registered. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  /** May see how the server is. */
  readonly operator: boolean;
  readonly quota: Quota;
  readonly used: Quota;
}

export interface ClientStore {
  /** @returns false when the client exists already */
  create(client: { clientId: string; passwordHash: string | null; quota: Quota }): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | null>;
  list(): Promise<ClientRecord[]>;
  /** @returns false when there is no such client */
  setQuota(clientId: string, quota: Partial<Quota>): Promise<boolean>;
  setPassword(clientId: string, passwordHash: string): Promise<boolean>;
  /** @returns false when there is no such client */
  setOperator(clientId: string, operator: boolean): Promise<boolean>;
  /** Marks the client registered; idempotent. @returns whether this call did it */
  register(clientId: string, at: Date): Promise<boolean>;
  /**
   * Erases galleries, faces, templates and what was counted of its calls; the account stays, unregistered, with the hits
   * that it has used: who registers again goes on with those that are left.
   */
  unregister(clientId: string): Promise<void>;
  /** Erases the account and all it owns. @returns false when there is no such client */
  remove(clientId: string): Promise<boolean>;
  /** Takes one hit atomically. @returns false when the quota is used up or the client is not registered */
  takeHit(clientId: string): Promise<boolean>;
  /** Gives one hit back (a call refused as busy). */
  returnHit(clientId: string): Promise<void>;
}

/** A gallery of one client. */
export interface GalleryRecord {
  /** Internal number, never reused. */
  readonly id: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** The gallery's data key, wrapped under the master key; destroying it erases every template. */
  readonly wrappedKey: Uint8Array;
  /** The embedding contract (JSON) of its templates; null while none is stored. */
  readonly embeddingSpec: string | null;
  /** Grows by one with each change of its faces. */
  readonly version: number;
  readonly faces: number;
  readonly createdAt: Date;
  /** Similarity at or above which its faces match, 0…1; null: the server's. */
  readonly threshold: number | null;
  /** Calibration curve (JSON) of its similarities; null: the server's. */
  readonly curve: string | null;
  /** Faces get in, and are verified, only with a liveness token. */
  readonly requireLiveness: boolean;
  /** The contract it was carried over from, and when; null: never. */
  readonly migrated: { readonly from: string; readonly at: Date } | null;
  /** It is being carried over to its contract at this moment: some templates are of the one before. */
  readonly migrating: boolean;
}

/** What the operator may set on a gallery; what is not named stays. */
export type GallerySettingsUpdate = Partial<Pick<GalleryRecord, 'threshold' | 'curve' | 'requireLiveness'>>;

/** How much was enrolled with one embedding contract. */
export interface EmbeddingSpecUse {
  readonly embeddingSpec: string;
  readonly galleries: number;
  readonly faces: number;
}

export interface GalleryStore {
  /** Checks name and quota in one transaction. `wrappedKey` gets the new internal number. */
  create(
    clientId: string,
    galleryId: string,
    wrappedKey: (id: number) => Uint8Array,
    requireLiveness?: boolean,
  ): Promise<GalleryRecord | 'exists' | 'quota'>;
  get(clientId: string, galleryId: string): Promise<GalleryRecord | null>;
  list(clientId: string): Promise<GalleryRecord[]>;
  /** @returns false when there is none */
  updateSettings(clientId: string, galleryId: string, tuning: GallerySettingsUpdate): Promise<boolean>;
  /** What the templates of all clients are pinned to, with how many galleries and faces stand behind each. */
  embeddingSpecs(): Promise<EmbeddingSpecUse[]>;
  /** Those of the galleries (internal numbers) that are no more. */
  findErased(galleries: readonly number[]): Promise<number[]>;
  /** Erases the gallery, its faces and its key. @returns false when there is none */
  remove(clientId: string, galleryId: string): Promise<boolean>;
}

/** A person of a gallery, without the template. */
export interface FaceRecord {
  readonly userId: string;
  readonly userName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A sealed template with its place in the gallery's order of changes. */
export interface SealedFace {
  readonly userId: string;
  readonly userName: string;
  readonly template: Uint8Array;
  /** The gallery's version with which the face was written: larger is newer. */
  readonly seq: number;
}

/** What changed in a gallery. */
export interface GallerySnapshot {
  /** The version that `faces` and `total` are complete for. */
  readonly version: number;
  readonly faces: SealedFace[];
  /** How many faces the gallery has: who kept those of `since`, added `faces` and has more, missed a removal. */
  readonly total: number;
}

/** A face as it is to be written. */
export interface NewFace {
  readonly userId: string;
  readonly userName: string;
  /** Sealed. */
  readonly template: Uint8Array;
  /** The embedding contract (JSON) of the template. */
  readonly embeddingSpec: string;
}

/** Why a face was not written. `changed`: the gallery has another version than the one that was named. */
export type EnrolRefusal = 'exists' | 'quota' | 'gone' | 'embedding-spec' | 'changed';

export interface FaceStore {
  /**
   * Writes a face in one transaction: gallery still there, contract equal (set by the first face), user new
   * or `replace`, quota left. Bumps the gallery's version.
   * @param version only if the gallery still has this version: what was concluded from its faces holds
   * @returns the new seq, or why not
   */
  enrol(gallery: number, face: FaceWrite, replace: boolean, version?: number): Promise<number | EnrolRefusal>;
  /** As of one moment, with the contract (JSON) of the template. */
  get(gallery: number, userId: string): Promise<StoredFace | null>;
  /** Ordered by user_id (code points); `after` is exclusive; without `limit` all. */
  list(gallery: number, page?: { after?: string; limit?: number }): Promise<FaceRecord[]>;
  /**
   * The next faces in order of seq: at most `limit` of those written after the version `after`. Version and total
   * are of the same moment; `faces` is complete for the version when there are fewer than `limit`.
   * @param version how new the answer must be: it may come from a copy of the store that is not behind this version
   * @returns null when there is no such gallery
   */
  slice(gallery: number, after: number, limit: number, version?: number): Promise<GallerySnapshot | null>;
  /** @returns the gallery's new version, or false when there is no such user */
  remove(gallery: number, userId: string): Promise<number | false>;
}

/** Small named values of the installation (key check, schema facts). */
export interface MetaStore {
  get(key: string): Promise<string | null>;
  /** Sets the value if there is none yet. @returns the value in force */
  setIfAbsent(key: string, value: string): Promise<string>;
  /** Sets the value; null forgets it. */
  set(key: string, value: string | null): Promise<void>;
}

/** What happened, without personal data: no user_id, no name, no picture, no template. */
export interface AuditEntry {
  readonly at: Date;
  readonly event: string;
  readonly clientId: string | null;
  readonly trxId: string | null;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(limit: number): Promise<AuditEntry[]>;
  /** Forgets what is older. @returns how many records */
  prune(before: Date): Promise<number>;
}

/** Counters of rate limits, shared by all servers of a store. A crash of the store may reset them. */
export interface LimitStore {
  /**
   * Counts one more, atomically. A window begins with its first count.
   * @param limit the count stops at one more than this
   * @returns the count with this one (above `limit`: refuse), and milliseconds until the window ends
   */
  increment(key: string, limit: number, windowMs: number): Promise<{ count: number; waitMs: number }>;
  /** Takes counts back. @param by default: all */
  decrement(key: string, by?: number): Promise<void>;
}

/** A liveness session that waits to be judged. */
export interface LivenessSessionRecord {
  readonly id: string;
  readonly clientId: string;
  /** What the person is asked to do, in order. */
  readonly steps: readonly string[];
  readonly nonce: string;
  /** Whom the frames should show; both or neither. */
  readonly galleryId: string | null;
  readonly userId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A frame that was sent in a session. */
export interface SubmittedFrame {
  /** SHA-256 of the picture's bytes. */
  readonly digest: Uint8Array;
  /** Opaque; null when no face was found. */
  readonly perceptualHash: Uint8Array | null;
}

/**
 * Liveness sessions, the frames that were sent in them, and the sealed templates that liveness tokens stand for. They
 * go with their client, and when it is unregistered.
 */
export interface SessionStore {
  create(session: LivenessSessionRecord): Promise<void>;
  /** Takes a session to be judged. Atomic: of many at once one gets it, on whichever server. */
  claim(
    clientId: string,
    id: string,
    at: Date,
  ): Promise<LivenessSessionRecord | 'unknown' | 'expired' | 'judged'>;
  /** Gives a claimed session back unjudged (the call was refused as busy). */
  release(clientId: string, id: string): Promise<void>;
  /**
   * Remembers the frames of a session. Atomic: of two sessions of a client that remember the same frame at once, the
   * later one is answered the frame of the earlier one.
   * @returns what the client sent in its other sessions from `since` on
   */
  recordFrames(
    clientId: string,
    id: string,
    frames: readonly SubmittedFrame[],
    since: Date,
  ): Promise<SubmittedFrame[]>;
  /** Keeps the sealed template of a session that was passed. */
  storeTemplate(clientId: string, id: string, template: Uint8Array, until: Date): Promise<void>;
  /**
   * Takes the template out and erases it. Atomic: of many at once one gets it.
   * @returns null when there is none: not passed, taken already, over, or of another client
   */
  consumeTemplate(clientId: string, id: string, at: Date): Promise<Uint8Array | null>;
  /** Erases templates whose time is over at `now`; sessions that expired, and frames that were sent, before `before`. */
  prune(now: Date, before: { readonly sessions: Date; readonly frames: Date }): Promise<void>;
}
