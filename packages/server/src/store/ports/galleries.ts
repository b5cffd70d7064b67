import type { FeatureGallerySettings } from '../../features/declared.ts';

export type { FeatureGallerySettings };

/** A gallery of one client. */
export interface GalleryRecord extends FeatureGallerySettings {
  /** Internal number, never reused. */
  readonly id: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** The gallery's data key, wrapped under the master key; no template opens without it. */
  readonly wrappedKey: Uint8Array;
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
  /** Whether crops of its faces are kept; null: as the server has it by default. */
  readonly keepCrops: boolean | null;
  /**
   * While `wajah reembed` replaces its templates, and after it was interrupted: the spec of those that are not replaced,
   * or '' of several. Nothing is compared or enrolled. Null: all are of `embeddingSpec`.
   */
  readonly formerSpec: string | null;
  /** Statistics that its scores are normalised by; null: none. */
  readonly cohort: SealedCohort | null;
  readonly cohortMode: CohortMode;
}

/** Settings to change; undefined keeps the value. */
export type GallerySettingsUpdate = Partial<
  Pick<
    GalleryRecord,
    | 'threshold'
    | 'curve'
    | 'requireLiveness'
    | 'cohortMode'
    | 'requireConsent'
    | 'retentionDays'
    | 'keepCrops'
    | keyof FeatureGallerySettings
  >
>;

/** Rules that a gallery is created with. */
export type GalleryRules = Partial<
  Pick<
    GalleryRecord,
    'requireLiveness' | 'requireConsent' | 'retentionDays' | 'keepCrops' | keyof FeatureGallerySettings
  >
>;

/** Galleries and faces with one embedding spec. */
export interface EmbeddingSpecUse extends Pick<GalleryRecord, 'formerSpec'> {
  readonly embeddingSpec: string;
  readonly galleries: number;
  readonly faces: number;
}

/** Galleries of clients. */
export interface GalleryStore {
  /** Checks name and quota in one transaction. @param wrapKey gets the new internal number */
  create(
    clientId: string,
    galleryId: string,
    wrapKey: (id: number) => Uint8Array,
    rules?: GalleryRules,
  ): Promise<GalleryRecord | 'exists' | 'quota'>;
  get(clientId: string, galleryId: string): Promise<GalleryRecord | null>;
  /** Ordered by name, from the first behind `after` on. */
  list(clientId: string, page?: { after?: string; limit?: number }): Promise<GalleryRecord[]>;
  /** @returns false when there is none */
  updateSettings(clientId: string, galleryId: string, update: GallerySettingsUpdate): Promise<boolean>;
  /** Erases the gallery, its faces and its key. @returns false when there is none */
  remove(clientId: string, galleryId: string): Promise<boolean>;
  /** Those with a calibration of their own. */
  calibrated(): Promise<GalleryRecord[]>;
  /** The embedding specs of all galleries. */
  embeddingSpecs(): Promise<EmbeddingSpecUse[]>;
  /** Those of the galleries (internal numbers) that no longer exist. */
  findErased(ids: readonly number[]): Promise<number[]>;
  /**
   * Replaces the statistics of a gallery by newer ones, so that one version has the same on all servers.
   * @param gallery internal number
   * @param cohort null erases them
   * @returns false when the gallery is gone, is not in the mode `auto`, or has statistics of this version
   */
  storeCohort(gallery: number, cohort: SealedCohort | null): Promise<boolean>;
  /** Replaces the wrapped key of a gallery (internal number), with what is sealed under it. */
  replaceKey(gallery: number, wrappedKey: Uint8Array): Promise<void>;
}

/** `auto`: the statistics follow the gallery; `off`: scores are not normalised. */
export type CohortMode = 'auto' | 'off';

/** Sealed statistics of a gallery's people. */
export interface SealedCohort {
  /** The gallery's version that they are of, or an older one. */
  readonly version: number;
  /** People measured. */
  readonly people: number;
  readonly sealed: Uint8Array;
}
