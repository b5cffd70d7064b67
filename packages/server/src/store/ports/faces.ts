import type { Alongside } from '../database/session.ts';
import type { PersonTerms, TermsUpdate } from './people.ts';

/** A person of a gallery, without the template. */
export interface FaceRecord {
  readonly userId: string;
  readonly userName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A sealed template. */
export interface SealedFace {
  readonly userId: string;
  readonly userName: string;
  readonly template: Uint8Array;
  /** The gallery's version with which the face was written: larger is newer. */
  readonly seq: number;
}

/** Part of a gallery, of one moment. */
export interface GallerySnapshot {
  /** The gallery's version at that moment. */
  readonly version: number;
  readonly faces: SealedFace[];
  /** Number of such faces in the gallery. A cache with more faces than this has missed a removal. */
  readonly total: number;
}

/** Faces by whether their people are suspended. */
export type Whose = 'matched' | 'suspended' | 'everybody';

/** A face to write. */
export interface NewFace {
  readonly userId: string;
  readonly userName: string;
  /** Sealed. */
  readonly template: Uint8Array;
  /** Embedding spec (JSON) of the template. */
  readonly embeddingSpec: string;
  /** Sealed; where face crops are stored. */
  readonly crop?: Uint8Array | undefined;
  /** Further ones, of the other templates that are written with this one. */
  readonly moreCrops?: readonly Uint8Array[];
  /** Keeps the crops and picture ids of the face that is replaced. */
  readonly appended?: boolean;
  readonly alongside?: Alongside | undefined;
  /** Only the name is another: written also while the person is suspended. */
  readonly renamed?: boolean;
  /** Consent and retention, written with the face. */
  readonly terms?: TermsUpdate | undefined;
  /** Id of the newest picture, and its position among the templates. */
  readonly picture?: { readonly id: string; readonly place: number } | undefined;
  /** Of a new user; default: now. */
  readonly createdAt?: Date | undefined;
}

/** A change of whole faces: erases a user, writes one with all crops and picture ids, or both. */
export interface Rewrite {
  readonly remove?: string | undefined;
  readonly alongside?: Alongside | undefined;
  readonly face?:
    | (NewFace & { readonly crops: readonly Uint8Array[]; readonly pictures: readonly string[] })
    | undefined;
}

/** How a face is erased. */
export interface Erasure {
  /** Only if the person's time has ended by then. */
  readonly expiredBy?: Date | undefined;
  readonly alongside?: Alongside | undefined;
}

/** A stored face. */
export type StoredFace = FaceRecord &
  SealedFace &
  Pick<NewFace, 'embeddingSpec'> &
  Pick<PersonTerms, 'suspendedAt'> & {
    /** When consent or retention ends, see `expiryOf`; null: never. */
    readonly endsAt: Date | null;
  };

/** Why a face was not written. */
export type EnrolRefusal = 'exists' | 'suspended' | 'quota' | 'gone' | 'embedding-spec' | 'changed';

/** Sealed templates of the people of galleries. Galleries are given by their internal numbers. */
export interface FaceStore {
  /**
   * Writes a face and increments the gallery's version in one transaction. Requires that the gallery exists and has
   * the same embedding spec (the first face sets it), that the user is new, or `replace` is set and the user is not
   * suspended, and that quota is left.
   * @param version fails with `changed` when the gallery has another version
   * @returns the new seq or the refusal
   */
  put(gallery: number, face: NewFace, replace: boolean, version?: number): Promise<number | EnrolRefusal>;
  /**
   * In one transaction, if the gallery still has this version. A new user gets the terms of the erased one.
   * @returns the gallery's new version, or the refusal
   */
  rewrite(gallery: number, change: Rewrite, version: number): Promise<number | EnrolRefusal>;
  get(gallery: number, userId: string): Promise<StoredFace | null>;
  /**
   * In order of user_id (code points); `after` is exclusive; default limit: none.
   * @param page.matched only those who are not suspended
   * @param page.at only those whose time has not ended then
   */
  list(
    gallery: number,
    page?: {
      after?: string;
      limit?: number;
      matched?: boolean;
      at?: Date;
    },
  ): Promise<FaceRecord[]>;
  /**
   * At most `limit` faces written after version `after`, in order of seq. With fewer than `limit` faces, the snapshot
   * is complete for its version.
   * @param whose default: `matched`
   * @returns null when there is no such gallery
   */
  slice(gallery: number, after: number, limit: number, whose?: Whose): Promise<GallerySnapshot | null>;
  /** Counts the people of a gallery anew, and gives it a version of which no face is newer. */
  recount(gallery: number): Promise<void>;
  /** @returns the gallery's new version, or false when there is no such user */
  remove(gallery: number, userId: string, how?: Erasure): Promise<number | false>;
}
