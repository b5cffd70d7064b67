import type { FaceRecord, NewFace, SealedFace } from './store.ts';

/** A face as it is to be written, with its crop where crops are kept. */
export interface FaceWrite extends NewFace {
  /** Sealed. */
  readonly crop?: Uint8Array | undefined;
  /** The templates that were there stay, and so do their crops; else these are erased. */
  readonly appended?: boolean;
}

/** A face as it is stored. */
export type StoredFace = FaceRecord & SealedFace & Pick<NewFace, 'embeddingSpec'>;

/** Pictures of faces, kept beside the templates that were made of them. They go with the face. */
export interface CropStore {
  /** Sealed, in the order in which they were added. */
  get(gallery: number, userId: string): Promise<Uint8Array[]>;
  /** Erases the crops of galleries (internal numbers). @returns how many */
  erase(galleries: readonly number[]): Promise<number>;
  /** How many are kept, in all galleries. */
  count(): Promise<number>;
}

/** Somebody who has no template for another pack yet, and the crops to make one of. */
export interface PendingFace {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** Sealed, in the order in which they were added. */
  readonly crops: readonly Uint8Array[];
}

/** A template for another pack. */
export interface MigratedTemplate {
  readonly userId: string;
  /** Of the face that it was made of. */
  readonly seq: number;
  /** Sealed; null: the person is left out, and is enrolled no more when the gallery is carried over. */
  readonly template: Uint8Array | null;
}

/** Whether a gallery was carried over, or how many people still have no template; null: none is being made. */
export type MigrationOutcome = 'done' | { readonly pending: number } | null;

/**
 * Templates for another model pack, which lie beside those in force until all of a gallery are there. Then the gallery
 * is carried over: in one transaction, or so that it is `carrying` meanwhile and nothing compares its templates. One
 * pack at a time for each gallery.
 */
export interface TemplateMigrationStore {
  /**
   * Says for which contract templates are to be made; those that were made for another one are erased. For the contract
   * that the gallery has none are made.
   */
  begin(gallery: number, contract: string): Promise<void>;
  /** How many have no template yet; null when templates are made for another contract, or none. */
  countPending(gallery: number, contract: string): Promise<number | null>;
  /** Those who have none, in order of seq: at most `limit` after `after`. Empty also as `waiting` answers null. */
  nextPending(gallery: number, contract: string, after: number, limit: number): Promise<PendingFace[]>;
  /**
   * Puts templates beside those in force. What was made of a face that was replaced or erased since is dropped.
   * @returns false when templates are made for another contract by now
   */
  storeTemplates(gallery: number, contract: string, templates: readonly MigratedTemplate[]): Promise<boolean>;
  /** Carries a gallery over to a contract if everybody has a template for it, or goes on with what was interrupted. */
  switchGallery(gallery: number, contract: string, at: Date): Promise<MigrationOutcome>;
}
