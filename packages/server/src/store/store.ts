import { createActivityStore } from './activity-store.ts';
import { createAuditStore } from './audit-store.ts';
import { createClientStore } from './client-store.ts';
import {
  createCropStore,
  createDifferentPeopleStore,
  createPictureStore,
  createSubjectStore,
} from './crop-store.ts';
import type { Database, PoolUse, Session } from './database/session.ts';
import { createFaceStore } from './face-store.ts';
import { createGalleryStore } from './gallery-store.ts';
import type { LimitStore } from './memory-limits.ts';
import { createMetaStore } from './meta-store.ts';
import { createPersonStore } from './person-store.ts';
import { createSealedStore } from './sealed-store.ts';
import { createFrameStore, createSessionStore } from './session-store.ts';
import { createTemplateMigrationStore } from './template-migration-store.ts';
import { createTokenStore } from './token-store.ts';
import { createWebhookStore } from './webhook-store.ts';

/**
 * Persists accounts, galleries, sealed templates, tokens and the audit trail. Templates are opaque bytes and are not
 * searched here. Writes are durable when their promise resolves. Implementations: SQLite (embedded) and PostgreSQL
 * (several servers).
 */
export interface Store extends TableStores {
  readonly limits: LimitStore;
  info(): Promise<StoreInfo>;
  /** Reads, and after a failed write also writes, a small row; rejects when that fails. */
  ping(): Promise<void>;
  /**
   * Runs `work` on all tables in one transaction, however long it takes, beside which nobody else uses the store.
   * @throws OperatorError when another process uses the database
   */
  alone<T>(work: (tables: TableStores) => Promise<T>): Promise<T>;
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

export type TableStores = ReturnType<typeof createTableStores>;

/** Reads the tables of a store of the newest schema, which is not changed. */
export type Examine<T> = (tables: TableStores) => Promise<T>;

/** The tables inside of a transaction. */
export function tablesInside(session: Session): TableStores {
  const { get, run } = session;
  const transaction = <T>(work: (inside: Session) => Promise<T>) => work(session);
  return createTableStores({
    ...session,
    transaction,
    count: get,
    returning: get,
    erase: run,
    purge: () => {},
  });
}

/** What a store keeps in tables, for both databases. */
export function createTableStores(db: Database) {
  return {
    clients: createClientStore(db),
    galleries: createGalleryStore(db),
    faces: createFaceStore(db),
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
    activity: createActivityStore(db),
    webhooks: createWebhookStore(db),
  };
}
