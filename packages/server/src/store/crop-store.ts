import type { PersonTerms, TermsUpdate } from './people/person-store.ts';
import type { OutboxEvent } from './webhooks/webhook-store.ts';

/** Crops of faces, sealed. Erased with the face. */
export interface CropStore {
  /** In the order in which they were added. */
  get(gallery: number, userId: string): Promise<Uint8Array[]>;
  /** Erases the crops of galleries (internal numbers). @returns how many */
  erase(galleries: readonly number[]): Promise<number>;
  /** Number of crops in all galleries. */
  count(): Promise<number>;
}

/** Pairs of users of a gallery (internal number) that are marked as different people. Erased with either of them. */
export interface DifferentPeopleStore {
  /** Does nothing unless both are enrolled; idempotent. */
  mark(gallery: number, users: readonly [string, string]): Promise<void>;
  unmark(gallery: number, users: readonly [string, string]): Promise<void>;
  isMarked(gallery: number, users: readonly [string, string]): Promise<boolean>;
  /** Users who are marked as other people than this one, in order. */
  listOf(gallery: number, userId: string): Promise<string[]>;
}

/** A face without a template for the next embedding spec. */
export interface PendingFace {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** Of the present embedding spec, sealed. */
  readonly template: Uint8Array;
  /** Sealed, in the order in which they were added; empty where they were not asked for. */
  readonly crops: readonly Uint8Array[];
}

/** A template for the next embedding spec. */
export interface MigratedTemplate {
  readonly userId: string;
  /** Seq of the face it was extracted from. */
  readonly seq: number;
  /** Sealed; null: the face is deleted by the switch. */
  readonly template: Uint8Array | null;
}

/** `done`, the number of faces without a template, or null when no migration to that spec is under way. */
export type MigrationOutcome = 'done' | { readonly pending: number } | null;

/**
 * Template migration: templates for the next embedding spec of a gallery are stored beside the current ones until
 * every face has one. Then the gallery is switched, in one transaction or in several with `migrating` set, during which
 * its templates are not comparable. A gallery has at most one next embedding spec, given as JSON.
 */
export interface TemplateMigrationStore {
  /** Sets the next spec and erases templates for another one. Naming the current spec ends the migration. */
  begin(gallery: number, embeddingSpec: string): Promise<void>;
  /** Number of faces without a template; null when this is not the next spec. */
  countPending(gallery: number, embeddingSpec: string): Promise<number | null>;
  /**
   * At most `limit` pending faces with a seq after `after`, in order of seq; empty when this is not the next spec.
   * @param withCrops default: true
   */
  nextPending(
    gallery: number,
    embeddingSpec: string,
    after: number,
    limit: number,
    withCrops?: boolean,
  ): Promise<PendingFace[]>;
  /**
   * Stores templates. Ignores those whose face was replaced or erased since.
   * @param sealedWith the gallery's wrapped key that they were sealed with
   * @returns false when this is not the next spec, or the gallery has another key
   */
  storeTemplates(
    gallery: number,
    embeddingSpec: string,
    templates: readonly MigratedTemplate[],
    sealedWith?: Uint8Array,
  ): Promise<boolean>;
  /** Switches the gallery if no face is pending, or resumes an interrupted switch. */
  switchGallery(gallery: number, embeddingSpec: string, at: Date): Promise<MigrationOutcome>;
}

/** A picture of a person: one of the templates of the face, with an id of its own. */
export interface PictureRecord {
  /** UUID */
  readonly pictureId: string;
  readonly userId: string;
  /** Position among the templates of the person, from 0. */
  readonly place: number;
}

/** Templates of a face that need ids: as many as `ids`. */
export interface UnnamedPictures {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** For the pictures without an id, by place. */
  readonly ids: readonly string[];
}

/** Ids of the pictures of a gallery (internal number). Erased with the face, and when it is replaced. */
export interface PictureStore {
  /** Gives ids to the pictures that have none, and erases those of pictures that are gone; ignores changed faces. */
  assign(gallery: number, faces: readonly UnnamedPictures[]): Promise<void>;
  get(gallery: number, pictureId: string): Promise<PictureRecord | null>;
  /** @param userId default: of all people */
  count(gallery: number, userId?: string): Promise<number>;
  /** In order of user_id and place. */
  page(
    gallery: number,
    page: { readonly userId?: string | undefined; readonly offset: number; readonly limit: number },
  ): Promise<PictureRecord[]>;
}

/** Names of people without a picture, of a gallery (internal number). Erased with the person and the gallery. */
export interface SubjectStore {
  /** @returns false when the name is there already, or the gallery is gone */
  add(gallery: number, userId: string): Promise<boolean>;
  /** In order of code points. */
  list(gallery: number): Promise<string[]>;
  /** @returns false when there is no such name */
  remove(gallery: number, userId: string): Promise<boolean>;
}

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
  /** Number of faces in the gallery that are not suspended. A cache with more faces than this has missed a removal. */
  readonly total: number;
}

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
  /** The gallery's wrapped key that it was sealed with: the face is refused as `changed` when there is another. */
  readonly sealedWith?: Uint8Array;
  /** Keeps the crops and picture ids of the face that is replaced. */
  readonly appended?: boolean;
  /** For the endpoints of the client, in the same transaction. */
  readonly event?: OutboxEvent | undefined;
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
  /** Tells that the user is erased; written with it. */
  readonly event?: OutboxEvent | undefined;
  readonly face?:
    | (NewFace & { readonly crops: readonly Uint8Array[]; readonly pictures: readonly string[] })
    | undefined;
}

/** How a face is erased. */
export interface Erasure {
  /** Only if the person's time has ended by then. */
  readonly expiredBy?: Date | undefined;
  /** Written with it. */
  readonly event?: OutboxEvent | undefined;
}

/** A stored face. */
export type StoredFace = FaceRecord &
  SealedFace &
  Pick<NewFace, 'embeddingSpec'> &
  Pick<PersonTerms, 'suspendedAt'>;

/** Why a face was not written. */
export type EnrolRefusal = 'exists' | 'suspended' | 'quota' | 'gone' | 'embedding-spec' | 'changed';

export interface FaceStore {
  /**
   * Writes a face and increments the gallery's version in one transaction. Requires that the gallery exists and has the
   * same embedding spec (the first face sets it), that the user is new, or `replace` is set and the user is not suspended,
   * and that quota is left.
   * @param version fails with `changed` when the gallery has another version, or another key than `face.sealedWith`
   * @returns the new seq or the refusal
   */
  enrol(gallery: number, face: NewFace, replace: boolean, version?: number): Promise<number | EnrolRefusal>;
  /**
   * In one transaction, if the gallery still has this version and key. A new user gets the terms of the erased one.
   * @returns the gallery's new version, or the refusal
   */
  rewrite(gallery: number, change: Rewrite, version: number): Promise<number | EnrolRefusal>;
  get(gallery: number, userId: string): Promise<StoredFace | null>;
  /**
   * In order of user_id (code points); `after` is exclusive; default limit: none.
   * @param page.matched only those who are not suspended
   */
  list(gallery: number, page?: { after?: string; limit?: number; matched?: boolean }): Promise<FaceRecord[]>;
  /**
   * At most `limit` faces written after version `after`, in order of seq, without those of suspended people. With fewer than `limit` faces, the snapshot
   * is complete for its version.
   * @param version minimum version; a replica of the store that has reached it may answer
   * @returns null when there is no such gallery
   */
  slice(gallery: number, after: number, limit: number, version?: number): Promise<GallerySnapshot | null>;
  /**
   * @param expiredBy removes the person only if their time has ended by then
   * @returns the gallery's new version, or false when there is no such user
   */
  remove(gallery: number, userId: string, how?: Erasure): Promise<number | false>;
}
