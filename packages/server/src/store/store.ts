import { type ActivityStore, createActivityStore } from './activity-store.ts';
import { type AuditStore, createAuditStore } from './audit-store.ts';
import { type ClientStore, createClientStore } from './client-store.ts';
import {
  type CropStore,
  createCropStore,
  createDifferentPeopleStore,
  createPictureStore,
  createSubjectStore,
  type DifferentPeopleStore,
  type PictureStore,
  type SubjectStore,
} from './crop-store.ts';
import type { Database, PoolUse, ReaderOptions, Session } from './database/session.ts';
import { createFaceStore, type FaceStore } from './face-store.ts';
import { createGalleryStore, type GalleryStore } from './gallery-store.ts';
import type { LimitStore } from './memory-limits.ts';
import { createMetaStore, type MetaStore } from './meta-store.ts';
import { createPersonStore, type PersonStore } from './person-store.ts';
import { createRecordingStore, type RecordingStore } from './recording-store.ts';
import { createSealedStore, type SealedStore } from './sealed-store.ts';
import { createFrameStore, createSessionStore, type FrameStore, type SessionStore } from './session-store.ts';
import { createTemplateMigrationStore, type TemplateMigrationStore } from './template-migration-store.ts';
import { createTokenStore, type TokenStore } from './token-store.ts';
import { createWebhookStore, type WebhookStore } from './webhook-store.ts';

export type { ClientRecord, ClientStore, Quota } from './client-store.ts';
export type {
  EnrolRefusal,
  FaceRecord,
  FaceStore,
  GallerySnapshot,
  NewFace,
  Rewrite,
  SealedFace,
  StoredFace,
} from './face-store.ts';
export type {
  EmbeddingSpecUse,
  GalleryRecord,
  GalleryRules,
  GallerySettingsUpdate,
  GalleryStore,
} from './gallery-store.ts';
export type { MetaStore } from './meta-store.ts';

interface TableStores {
  readonly clients: ClientStore;
  readonly galleries: GalleryStore;
  readonly faces: FaceStore;
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
  readonly sessions: SessionStore;
  readonly frames: FrameStore;
  readonly recordings: RecordingStore;
  readonly activity: ActivityStore;
  readonly webhooks: WebhookStore;
}

/**
 * Persists accounts, galleries, sealed templates, tokens and the audit trail. Templates are opaque bytes and are not
 * searched here. Writes are durable when their promise resolves. Implementations: SQLite (embedded) and PostgreSQL
 * (several servers).
 */
export interface Store extends TableStores {
  /** For threads that open the faces themselves. */
  readonly readerOptions: ReaderOptions;
  readonly limits: LimitStore;
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

/** What a store keeps in tables, for both databases. @param replica as of `createFaceStore` */
export function createTableStores(db: Database, replica: Session | null = null): TableStores {
  return {
    clients: createClientStore(db),
    galleries: createGalleryStore(db),
    faces: createFaceStore(db, replica),
    people: createPersonStore(db),
    crops: createCropStore(db),
    differentPeople: createDifferentPeopleStore(db),
    pictures: createPictureStore(db),
    subjects: createSubjectStore(db),
    templateMigration: createTemplateMigrationStore(db),
    sealed: createSealedStore(db),
    tokens: createTokenStore(db),
    meta: createMetaStore(db),
    audit: createAuditStore(db),
    sessions: createSessionStore(db),
    frames: createFrameStore(db),
    recordings: createRecordingStore(db),
    activity: createActivityStore(db),
    webhooks: createWebhookStore(db),
  };
}
