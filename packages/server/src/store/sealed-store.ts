/** What is sealed under the key of a gallery, in the order in which it is sealed anew: prepared templates become templates. */
export const galleryKinds = ['nextTemplate', 'template', 'crop', 'cohort'] as const;
/** What is sealed under keys that are derived from the master key. */
export const masterKinds = [
  'frameHash',
  'frameDetail',
  'judgement',
  'recordedPart',
  'webhookSecret',
] as const;

export type GalleryKind = (typeof galleryKinds)[number];
export type MasterKind = (typeof masterKinds)[number];
export type SealedKind = GalleryKind | MasterKind;

/** A place in the order of the rows of a kind. */
export interface SealedPlace {
  /** user_id of a gallery's faces, number of a gallery with statistics, otherwise the id of the session. */
  readonly name: string;
  /** Number of the crop, the frame or the part; otherwise 0. */
  readonly part: number;
}

/** A sealed value. */
export interface SealedRow extends SealedPlace {
  readonly sealed: Uint8Array;
  /** Client of a recorded session or of a webhook; otherwise empty. */
  readonly clientId: string;
}

/** Sealed values of all kinds, to seal them under another key while others read and write them. */
export interface SealedStore {
  /**
   * In order; `after` is exclusive.
   * @param gallery internal number; ignored for kinds of no gallery
   */
  next(kind: SealedKind, gallery: number, after: SealedPlace, limit: number): Promise<SealedRow[]>;
  /** Replaces a value if it is still `row.sealed`; it keeps its length. */
  replace(kind: SealedKind, gallery: number, row: SealedRow, sealed: Uint8Array): Promise<void>;
  /** When the last template of a liveness session expires that is stored now; null: there is none. */
  sessionTemplatesUntil(): Promise<Date | null>;
}

/** Before the first row. */
export const firstPlace: SealedPlace = { name: '', part: -1 };

/** `auto`: the statistics follow the gallery; `frozen`: they stay as they are; `off`: scores are not normalised. */
export type CohortMode = 'auto' | 'frozen' | 'off';

/** Sealed statistics of a gallery's people. */
export interface SealedCohort {
  /** The gallery's version that they are of, or an older one. */
  readonly version: number;
  /** People measured. */
  readonly people: number;
  readonly sealed: Uint8Array;
}
