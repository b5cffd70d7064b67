import type { SealedColumn } from '../database/types.ts';

/** A place in the order of the rows of a table. */
export interface SealedPlace {
  /** user_id of a gallery's faces, number of a gallery with statistics, otherwise the id of the session. */
  readonly name: string;
  /** Number of the crop, of the remembered session; otherwise 0. */
  readonly part: number;
}

/** A sealed value. */
export interface SealedRow extends SealedPlace {
  readonly sealed: Uint8Array;
  /** Empty, unless the value is bound to it. */
  readonly clientId: string;
}

/** Sealed values, to seal them under another key. */
export interface SealedStore {
  /**
   * In order; `after` is exclusive.
   * @param gallery internal number; ignored for columns of no gallery
   */
  next(of: SealedColumn, gallery: number, after: SealedPlace, limit: number): Promise<SealedRow[]>;
  replace(of: SealedColumn, gallery: number, row: SealedPlace, sealed: Uint8Array): Promise<void>;
  /** Erases a face crop of a gallery. */
  eraseCrop(gallery: number, place: SealedPlace): Promise<void>;
  /** Erases the templates and frames of passed sessions: a liveness token is bound to their sealed bytes. */
  eraseSessionTemplates(): Promise<number>;
}
