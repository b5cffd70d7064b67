/** A face whose template is to be replaced. */
export interface PendingFace {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** The present one, sealed. */
  readonly template: Uint8Array;
  /** Sealed, in the order in which they were added; empty where they were not asked for. */
  readonly crops: readonly Uint8Array[];
}

/** A template in place of the present one. */
export interface NewTemplate extends Pick<PendingFace, 'userId' | 'seq'> {
  /** Sealed; null: the person is erased. */
  readonly template: Uint8Array | null;
}

/**
 * Replaces the templates of a gallery by those of another embedding spec (JSON) in place, while no server runs. From
 * `begin` to `finish` nothing of the gallery is compared or enrolled.
 */
export interface ReembeddingStore {
  /** Number of faces that are not of the spec. */
  countPending(gallery: number, spec: string): Promise<number>;
  /** Those of them without a crop, by user_id. */
  withoutCrop(gallery: number, spec: string): Promise<string[]>;
  /** Does nothing where the gallery has the spec, or has begun with it. */
  begin(gallery: number, spec: string): Promise<void>;
  /** At most `limit` faces that are not of the spec, with a seq after `after`, in order of seq. */
  next(
    gallery: number,
    spec: string,
    after: number,
    limit: number,
    withCrops: boolean,
  ): Promise<PendingFace[]>;
  /** @returns false when the gallery has not begun with the spec */
  replace(gallery: number, spec: string, templates: readonly NewTemplate[]): Promise<boolean>;
  /** @returns false when templates are left that are not of the spec */
  finish(gallery: number, spec: string): Promise<boolean>;
}
