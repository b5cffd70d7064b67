import type { ActivityStore } from './activity-store.ts';
import type { AuditStore } from './audit/audit-store.ts';
import type {
  CropStore,
  DifferentPeopleStore,
  FaceStore,
  PictureStore,
  SubjectStore,
  TemplateMigrationStore,
} from './crop-store.ts';
import type { LimitStore } from './memory-limits.ts';
import type { ReaderOptions } from './options.ts';
import type { PersonStore } from './people/person-store.ts';
import type { RecordingStore } from './recording-store.ts';
import type { CohortMode, SealedCohort, SealedStore } from './sealed-store.ts';
import type { FrameStore, SessionStore } from './session-store.ts';
import type { TokenStore } from './token-store.ts';
import type { WebhookStore } from './webhooks/webhook-store.ts';

export type {
  EnrolRefusal,
  FaceRecord,
  FaceStore,
  GallerySnapshot,
  NewFace,
  Rewrite,
  SealedFace,
  StoredFace,
} from './crop-store.ts';

/**
 * Persists accounts, galleries, sealed templates, tokens and the audit trail. Templates are opaque bytes and are not
 * searched here. Writes are durable when their promise resolves. Implementations: SQLite (embedded) and PostgreSQL
 * (several servers).
 */
export interface Store {
  readonly clients: ClientStore;
  readonly galleries: GalleryStore;
  readonly faces: FaceStore;
  /** For threads that open the faces themselves. */
  readonly readerOptions: ReaderOptions;
  readonly people: PersonStore;
  readonly crops: CropStore;
  readonly differentPeople: DifferentPeopleStore;
  readonly pictures: PictureStore;
  readonly subjects: SubjectStore;
  readonly templateMigration: TemplateMigrationStore;
  readonly sealed: SealedStore;
  readonly tokens: TokenStore;
  readonly meta: MetaStore;
  readonly audit: AuditStore;
  readonly limits: LimitStore;
  readonly sessions: SessionStore;
  readonly frames: FrameStore;
  readonly recordings: RecordingStore;
  readonly activity: ActivityStore;
  readonly webhooks: WebhookStore;
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
  /** Of the pool; null: the store has none. */
  readonly connections: PoolUse | null;
}

/** Connections of a pool. */
export interface PoolUse {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** Limits of a client; −1 is unlimited. */
export interface Quota {
  readonly hits: number;
  readonly faces: number;
  readonly galleries: number;
}

/** An account and its usage. */
export interface ClientRecord {
  readonly clientId: string;
  /** Encoded scrypt hash; null for clients of an external issuer. */
  readonly passwordHash: string | null;
  /** Null until registered. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  /** May read the server's status. */
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
  /** Erases galleries, faces, templates and activity. The account stays, unregistered, with its used hits. */
  unregister(clientId: string): Promise<void>;
  /** Erases the account and everything that belongs to it. @returns false when there is no such client */
  remove(clientId: string): Promise<boolean>;
  /**
   * Counts hits, atomically. The embedded store may lose them in a power failure, and not before.
   * @param hits default: 1
   * @returns false when fewer remain or the client is not registered; then none is counted
   */
  takeHit(clientId: string, hits?: number): Promise<boolean>;
  /** Takes back one hit, of a call refused as busy. */
  returnHit(clientId: string): Promise<void>;
}

/** A gallery of one client. */
export interface GalleryRecord {
  /** Internal number, never reused. */
  readonly id: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** The gallery's data key, wrapped under the master key; no template opens without it. */
  readonly wrappedKey: Uint8Array;
  /** The former data key, wrapped, while rows that are sealed under it are sealed anew; null: none. */
  readonly formerKey: Uint8Array | null;
  /** Embedding spec (JSON) of its templates; null while none is stored. */
  readonly embeddingSpec: string | null;
  /** Grows by one with each change of its faces. */
  readonly version: number;
  readonly faces: number;
  readonly createdAt: Date;
  /** Minimum similarity of a match, 0…1; null: the server's. */
  readonly threshold: number | null;
  /** Calibration curve (JSON) of its similarities; null: the server's. */
  readonly curve: string | null;
  /** Enrolment and verification need a liveness token. */
  readonly requireLiveness: boolean;
  /** Enrolment needs a consent, of the call or stored. */
  readonly requireConsent: boolean;
  /** Days after the first enrolment after which people are erased; null: no end. */
  readonly retentionDays: number | null;
  /** Former embedding spec and time of the last template migration; null: none. */
  readonly migrated: { readonly from: string; readonly at: Date } | null;
  /** A template migration is switching it: some templates still have the former embedding spec. */
  readonly migrating: boolean;
  /** Statistics that its scores are normalised by; null: none. */
  readonly cohort: SealedCohort | null;
  readonly cohortMode: CohortMode;
}

/** Settings to change; undefined keeps the value. */
export type GallerySettingsUpdate = Partial<
  Pick<
    GalleryRecord,
    'threshold' | 'curve' | 'requireLiveness' | 'cohortMode' | 'requireConsent' | 'retentionDays'
  >
>;

/** Rules that a gallery is created with. */
export type GalleryRules = Partial<
  Pick<GalleryRecord, 'requireLiveness' | 'requireConsent' | 'retentionDays'>
>;

/** Galleries and faces with one embedding spec. */
export interface EmbeddingSpecUse {
  readonly embeddingSpec: string;
  readonly galleries: number;
  readonly faces: number;
}

export interface GalleryStore {
  /** Checks name and quota in one transaction. @param wrapKey gets the new internal number */
  create(
    clientId: string,
    galleryId: string,
    wrapKey: (id: number) => Uint8Array,
    rules?: GalleryRules,
  ): Promise<GalleryRecord | 'exists' | 'quota'>;
  get(clientId: string, galleryId: string): Promise<GalleryRecord | null>;
  list(clientId: string): Promise<GalleryRecord[]>;
  /** @returns false when there is none */
  updateSettings(clientId: string, galleryId: string, tuning: GallerySettingsUpdate): Promise<boolean>;
  /**
   * Replaces the statistics of a gallery by newer ones, so that one version has the same on all servers.
   * @param gallery internal number
   * @param cohort null erases them
   * @returns false when the gallery is gone, is not in the mode `auto`, or has statistics of this version
   */
  storeCohort(gallery: number, cohort: SealedCohort | null): Promise<boolean>;
  /**
   * Replaces the wrapped keys of a gallery. From then on no face that was sealed with other keys is written.
   * @param gallery internal number
   * @param from the wrapped key until now
   * @param to the wrapped key and the former one
   * @returns false when it was not `from` any longer
   */
  replaceKeys(
    gallery: number,
    from: Uint8Array,
    to: Pick<GalleryRecord, 'wrappedKey' | 'formerKey'>,
  ): Promise<boolean>;
  /** The embedding specs of all galleries. */
  embeddingSpecs(): Promise<EmbeddingSpecUse[]>;
  /** Those of the galleries (internal numbers) that no longer exist. */
  findErased(galleries: readonly number[]): Promise<number[]>;
  /** Erases the gallery, its faces and its key. @returns false when there is none */
  remove(clientId: string, galleryId: string): Promise<boolean>;
}

/** Named values of the installation. */
export interface MetaStore {
  get(key: string): Promise<string | null>;
  /** Sets the value if the key has none. @returns the stored value */
  setIfAbsent(key: string, value: string): Promise<string>;
  /** Replaces a value. @returns false when it is not `from` any longer */
  replace(key: string, from: string, to: string): Promise<boolean>;
  /** Sets the value; null deletes it. */
  set(key: string, value: string | null): Promise<void>;
}
