import type { DamagedRow } from '../../errors.ts';
import type { Database, PoolUse } from '../database/session.ts';
import type { AuditStore } from './audit.ts';
import type { ClientStore } from './clients.ts';
import type { FaceStore } from './faces.ts';
import type { GalleryStore } from './galleries.ts';
import type { LimitStore } from './limits.ts';
import type { MetaStore } from './meta.ts';
import type { PackStore } from './packs.ts';
import type { DifferentPeopleStore, PersonStore, SubjectStore } from './people.ts';
import type { CropStore, PictureStore } from './pictures.ts';
import type { ReembeddingStore } from './reembedding.ts';
import type { ScoreStore } from './scores.ts';
import type { SealedStore } from './sealed.ts';
import type { FrameStore, SessionStore } from './sessions.ts';
import type { TokenStore } from './tokens.ts';

/** Rows with values that this program does not write. They are left out of lists, and refused where one is asked for. */
export interface DamageStore {
  /** Tells each that is met; those that were met before at once. */
  tell(listener: (row: DamagedRow) => void): void;
  /** Reads all tables, but sealed values, and heals counters. */
  find(): Promise<DamagedRow[]>;
  /** Counts the people of galleries anew whose counter is another, as after a statement of somebody else. */
  heal(): Promise<void>;
}

/**
 * Persists accounts, galleries, sealed templates, tokens and the audit trail. Templates are opaque bytes and are not
 * searched here. Writes are durable when their promise resolves. Implementations: SQLite (embedded) and PostgreSQL
 * (several servers).
 */
export interface Store extends TableStores {
  readonly damage: DamageStore;
  readonly limits: LimitStore;
  /** Makes a further store over the same database, of the tables of a feature. @param name of it, in metrics */
  part<Part extends object>(name: string, make: (db: Database) => Part): Part;
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

/** What a store keeps in tables, for both databases. */
export interface TableStores {
  readonly clients: ClientStore;
  readonly galleries: GalleryStore;
  readonly faces: FaceStore;
  readonly people: PersonStore;
  readonly crops: CropStore;
  readonly differentPeople: DifferentPeopleStore;
  readonly pictures: PictureStore;
  readonly subjects: SubjectStore;
  readonly reembedding: ReembeddingStore;
  readonly sealed: SealedStore;
  readonly tokens: TokenStore;
  readonly meta: MetaStore;
  readonly packs: PackStore;
  readonly audit: AuditStore;
  readonly sessions: SessionStore;
  readonly frames: FrameStore;
  readonly scores: ScoreStore;
}
