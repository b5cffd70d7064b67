import type { Config } from '../../config/config.ts';
import type { Session } from '../../store/database/session.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';

/** A face that was not identified. */
export interface UnknownFace {
  readonly unknownId: string;
  /** Sealed, of the first sight. */
  readonly template: Uint8Array;
  /** Embedding spec (JSON) of the template. */
  readonly embeddingSpec: string;
  /** Sealed, of the first sight; null: none is kept. */
  readonly crop: Uint8Array | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly seen: number;
}

/** Of a page before it: newest sight, and unknown_id. */
export interface UnknownPlace extends Pick<UnknownFace, 'unknownId'> {
  readonly lastSeenAt: number;
}

/** The gallery, whose setting says how long its faces are kept. */
export type OfGallery = Pick<GalleryRecord, 'id' | 'keepUnknownHours'>;

/** Faces whose time has ended are in no answer, also before they are erased. */
export interface UnknownStore {
  /** Those that were seen last, of one pack; without crops. */
  templates(gallery: OfGallery, embeddingSpec: string, most: number): Promise<Omit<UnknownFace, 'crop'>[]>;
  get(gallery: OfGallery, unknownId: string): Promise<UnknownFace | null>;
  /** The one who was seen last first; `after` is exclusive. */
  page(gallery: OfGallery, after: UnknownPlace | null, limit: number): Promise<UnknownFace[]>;
  /** Counts a further sight. @returns how many there were; undefined: it is gone */
  seen(gallery: number, unknownId: string, at: Date): Promise<number | undefined>;
  /** @param most further ones of the gallery are erased, from the one who was seen longest ago @returns false: no more kept */
  add(gallery: number, face: UnknownFace, most: number): Promise<boolean>;
  /** In the transaction of the caller, or alone. @returns false when it is gone */
  erase(gallery: number, unknownId: string, session?: Session): Promise<boolean>;
  /**
   * Erases faces whose time has ended, and those of a pack that the gallery no longer has; and crops of galleries that keep
   * none. @param keepCrops as the operator has it, see `keepsCrops`
   */
  prune(now: Date, keepCrops: Config['keepFaceCrops']): Promise<void>;
}
