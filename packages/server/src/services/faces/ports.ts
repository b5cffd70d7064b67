import type { IfExists, Picture, RequestOf, UserRequest } from '@wajah/contract';
import type { Analysis, AnalyzeRequest, Face, FaceCrop } from '@wajah/engine';
import type { Receipt } from '../../events/ports.ts';
import type { NamedListing } from '../../lib/pages.ts';
import type { Alongside } from '../../store/database/session.ts';
import type { FaceRecord } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { PersonTerms, TermsUpdate } from '../../store/ports/people.ts';
import type { PictureRecord } from '../../store/ports/pictures.ts';
import type { SessionOwner } from '../../store/ports/sessions.ts';
import type { Caller } from '../caller.ts';

/** A request field that holds a picture; `name` is its path in refusals, such as `batch[2].image`. */
export interface PictureField {
  readonly kind: 'image' | 'target_image' | 'source_image' | 'ktp_image';
  readonly name: string;
}

/** Why a picture could not be judged. */
export interface PictureError {
  readonly status: string;
  readonly status_message: string;
  readonly detail: string;
}

/** A picture of several that was left out, by its place among them. */
export interface LeftOut {
  readonly index: number;
  readonly error: PictureError;
}

/** Decodes the picture fields of a request and has the engine analyse them in turn; its errors become refusals. */
export interface Pictures {
  /** @throws Refusal `…Null` | `…Base64` | `imageBroken` (over the byte limit), naming the field */
  decode(field: PictureField, picture: Picture): Uint8Array;
  /**
   * All pictures of a call, and all looks at one, share a deadline that begins with the first.
   * @throws Refusal `imageType` | `sourceImageType` | `imageBroken` | `busy`, naming the field;
   *   EngineError `aborted` when the caller disconnected
   */
  analyze(field: PictureField, bytes: Uint8Array, request: AnalyzeRequest, caller: Caller): Promise<Analysis>;
  /** Maps pictures of one call, as many at once as there are workers, so that one call does not fill the queue. */
  map<Item, Result>(
    items: readonly Item[],
    task: (item: Item, index: number) => Promise<Result>,
  ): Promise<Result[]>;
}

/** Who is enrolled under a user_id. */
export interface Person {
  readonly userId: string;
  readonly userName: string;
  readonly templates: readonly Float32Array[];
}

/** The face of a picture. */
export interface PictureFace {
  readonly template: Float32Array;
  /** Kept with the template; undefined: none. */
  readonly crop: FaceCrop | undefined;
}

/** A face to be written. */
export interface EnrolledFace {
  readonly userId: string;
  readonly userName: string;
  /** What is stored: each picture, with its crop where one is kept. */
  readonly faces: readonly PictureFace[];
  readonly ifExists: IfExists;
  /** Consent and retention to be written with it. */
  readonly terms?: TermsUpdate | undefined;
  /** Is written in its transaction, and fails it. */
  readonly alongside?: Alongside | undefined;
  /** Id of the picture; default: it gets one when it is asked for. */
  readonly pictureId?: string;
}

/**
 * Throws where a face must not be written.
 * @param gallery as it is in turn, before each attempt to write to it
 * @param person whom the face is added to, or is to replace if it is the same; else undefined
 * @returns true: the person has the picture already, and it is not added to the others
 */
export type FaceCheck = (gallery: GalleryRecord, person: Person | undefined) => Promise<boolean>;

/** The person that another is joined with. Endpoints of the client are told that the other is gone. */
export interface Joined {
  /** Default: as before. */
  readonly userName: string | undefined;
  readonly trxId: string;
}

/**
 * Writes faces, in the store and in the matcher, for enrolment, imports and subjects. What depends on the gallery as it
 * was read is written one at a time for each gallery, so that writers of this server do not conflict with each other,
 * and again when another server has changed the gallery meanwhile. Other faces go to the store at once, which writes many
 * in a transaction.
 */
export interface FaceWriter {
  /**
   * Resolves when the face is durable and can be found. A person to whom it is added keeps the name. Of a picture that the
   * person has already, the terms are written, and the crop where none of the person is kept.
   * @returns whether the picture was added: the person did not have it
   * @throws Refusal `galleryNotFound` | `denied` (other model pack, n_face used up) | `userExists` (also: the user has
   *   the maximum number of faces) | `userSuspended`; `busy` when concurrent writes prevent a consistent check
   */
  writeFace(caller: Caller, gallery: GalleryRecord, face: EnrolledFace, check?: FaceCheck): Promise<boolean>;
  /**
   * Writes the enrolled templates again with another name, so that every server finds it.
   * @throws Refusal `userNotFound` | `denied` (other model pack) | `busy`
   */
  rename(gallery: GalleryRecord, userId: string, userName: string): Promise<void>;
  /**
   * Gives a user another user_id; with that of another user, both become one. What calls left behind of the former
   * user_id is erased.
   * @param into a person who must be enrolled; undefined: the user_id may be new
   * @returns false when nobody of the user_id is enrolled
   * @throws Refusal `userExists` when both have more pictures than one user may have; `userNotFound`
   */
  merge(gallery: GalleryRecord, from: string, to: string, into?: Joined): Promise<boolean>;
  /**
   * Erases one picture of a user; the user with the last one, unless that is to be refused.
   * @returns the user_id, and whether the user has no other picture
   * @throws Refusal `userNotFound` when there is no such picture, `denied` for the last one
   */
  removePicture(
    gallery: GalleryRecord,
    pictureId: string,
    trxId: string,
    keepLast?: boolean,
  ): Promise<{ userId: string; last: boolean }>;
}

/** Whose person: a client, and the user_id that it gave. */
export interface PersonName {
  readonly clientId: string;
  readonly userId: string;
}

/** Why a person is erased: by their client or operator, or at the end of retention or consent. */
export interface ErasureCause {
  readonly trxId: string | null;
  readonly reason: 'deleted' | 'expired';
}

/** Removes a user in a transaction. @returns the gallery's new version; else nobody was removed */
export type RemoveFace = (alongside: Alongside) => Promise<number | false | null>;

/** How much calls had left behind. */
export interface ErasedTraces {
  /** Liveness sessions. */
  readonly sessions: number;
  /** Remembered frames. */
  readonly frames: number;
}

/** What a feature keeps of people in rows that outlive their faces, or name them without one. */
export interface PersonTraces {
  /** What the records of processing say of it. */
  readonly category: {
    readonly data: string;
    readonly of: string;
    /** Whether this server keeps it. */
    readonly kept: boolean;
    readonly erased: string;
  };
  /** Field of an export, and its values as the export shows them. */
  readonly field: string;
  list(person: PersonName): Promise<readonly object[]>;
  /** @returns how many it has erased */
  erase(person: PersonName): Promise<number>;
}

/**
 * Erases people, and what calls left behind of them: always the traces first, so that an erasure that was interrupted is
 * completed by the next call, which still finds the face. The caller records the erasure.
 */
export interface FaceEraser {
  /** As a rename leaves them behind: the face stays. */
  eraseTraces(owner: SessionOwner): Promise<ErasedTraces>;
  /** Erases a user of a gallery. @returns false when nobody was erased */
  erase(gallery: GalleryRecord, userId: string, cause: ErasureCause): Promise<boolean>;
  /** Erases a user with the last picture, which a writer of faces removes. @returns false when the gallery has changed */
  eraseBy(gallery: GalleryRecord, userId: string, trxId: string, remove: RemoveFace): Promise<boolean>;
  /** Erases a gallery with its people. @returns false when it is gone already */
  eraseGallery(gallery: GalleryRecord): Promise<boolean>;
  /**
   * Erases a person from all galleries of a client, and what calls left behind: liveness sessions that name the person or
   * have them as their subject, frames that were remembered of them, names without a picture, traces of features. What was not erased when the process ends is erased by the next call.
   * @returns how much was erased @throws Refusal `userNotFound` when there was nothing
   */
  erasePerson(
    person: PersonName,
    trxId: string | null,
  ): Promise<ErasedTraces & Readonly<{ galleryIds: string[]; others: Readonly<Record<string, number>> }>>;
  /** Erases a user whose time has ended, before the sweep does. @returns false when nobody was erased */
  eraseEnded(gallery: GalleryRecord, userId: string): Promise<boolean>;
  /** Erases the people whose time has ended, as an erasure by their client does, and records it. @returns how many */
  eraseExpired(now?: Date): Promise<number>;
}

/** A face and the most similar of the person's pictures before. */
export interface ComparedFace {
  /** 0…1 */
  readonly similarity: number;
  /** Of a verification in the gallery, four decimals. */
  readonly threshold: number;
  /** Undefined: the name stays, or is that of the call. */
  readonly formerName: string | undefined;
}

/** What a face must satisfy before it is written. */
export interface Admission {
  /**
   * The checks that need no picture. Of a user whose time has ended nothing is left afterwards.
   * @param terms consent and retention of the call
   * @param compares who is enrolled, and not suspended, is no refusal yet: the call refuses after the picture
   * @returns also who is enrolled already
   * @throws Refusal `galleryNotFound` | `denied` (other model pack, n_face used up) | `userExists` (also: the user has
   *   the maximum number of faces) | `userSuspended` | `consentMissing`
   */
  admit(
    caller: Caller,
    user: Pick<UserRequest, 'facegalleryId' | 'userId'>,
    ifExists: IfExists,
    terms: TermsUpdate,
    compares?: boolean,
  ): Promise<{ gallery: GalleryRecord; former: FaceRecord | null }>;
  /**
   * Compares a face with the pictures that it is added to, or is to replace if it is the same person. Each of several
   * pictures has to be like one of those: the mean of two people is like both.
   * @param forced a face below the threshold is appended, too
   * @param place what the answer shows of the picture
   * @throws Refusal `notRecognized` where it is not appended; else `userExists`, which says whether it is the same person
   */
  requireSame(
    gallery: GalleryRecord,
    face: Pick<EnrolledFace, 'ifExists' | 'userName' | 'faces'>,
    person: Person,
    forced: boolean,
    place: object,
  ): ComparedFace;
  /**
   * Searches the whole gallery for each picture, so the threshold is that of identification.
   * @param field where the pictures come from, for the refusal
   * @param place what the answer shows of the picture
   * @throws Refusal `userExists`, naming the other user of the gallery whom the face looks like
   */
  requireUnique(
    caller: Caller,
    gallery: GalleryRecord,
    face: Pick<EnrolledFace, 'userId' | 'faces'>,
    field: string,
    place?: object,
  ): Promise<void>;
}

/** A liveness token that was read, and not spent yet. */
export interface ReadLivenessToken {
  /** The frame that its session keeps. @throws Refusal `denied` when none is kept, or the token is spent */
  frame(): Promise<Uint8Array>;
  /**
   * Spends the token and compares its face with the templates of a call. Each of several has to match: the mean of two
   * people would match both.
   * @param field name of their pictures
   * @throws Refusal `livenessNotProven` when the token is spent or its face does not match
   */
  spend(templates: readonly Float32Array[], field: string): Promise<void>;
}

/** Reads and spends liveness tokens. */
export interface LivenessProof {
  /**
   * Checks a liveness token before the picture is analysed.
   * @param gallery may require a token
   * @returns undefined without a token
   * @throws Refusal `livenessNotProven`
   */
  read(
    caller: Caller,
    token: string | undefined,
    gallery?: GalleryRecord,
  ): Promise<ReadLivenessToken | undefined>;
}

/**
 * Ids of the pictures of galleries. Faces that were written without ids, by other calls or before this program had any,
 * get theirs when the pictures of the gallery are read: only what was written since the last time is read again.
 */
export interface PictureIds {
  find(gallery: GalleryRecord, pictureId: string): Promise<PictureRecord | null>;
  of(gallery: GalleryRecord, userId: string): Promise<string[]>;
  count(gallery: GalleryRecord, userId?: string): Promise<number>;
  page(
    gallery: GalleryRecord,
    page: { readonly userId?: string | undefined; readonly offset: number; readonly limit: number },
  ): Promise<PictureRecord[]>;
}

/** A face that was enrolled. */
export interface Enrolment {
  readonly face: Face;
  /** Faces in the picture. */
  readonly found: number;
  /** How similar it is to the pictures before, where it was appended to some, or replaced those of the same person. */
  readonly compared: ComparedFace | undefined;
  /** The person had the picture already, and was not given it a second time. */
  readonly known: boolean;
  /** Pictures of several that were not enrolled. */
  readonly leftOut: readonly LeftOut[];
}

/** A card whose least similarity may depend on the service's own. */
export type CardRequest = Omit<RequestOf<'enrolFaceKtp'>, 'minimumSimilarity'> & {
  readonly minimumSimilarity?: number | ((own: number) => number) | undefined;
};

/** A person who was enrolled with an identity card. */
export interface CardEnrolment {
  /** Of holder and card, 0…1. */
  readonly similarity: number;
  /** The least similarity without that of the call. */
  readonly own: number;
  /** The holder wears a mask. */
  readonly masker: boolean;
}

/** Enrols users of a gallery: with a picture, or with one and an identity card. */
export interface EnrolmentService {
  /** @throws Refusal as `Admission`, `FaceWriter.writeFace`, of the picture and of the liveness token */
  enrol(caller: Caller, request: RequestOf<'enrolFace'>): Promise<Enrolment>;
  /** Enrols a user whose face matches the face on an identity card (KTP), which `image` or `ktp_image` shows. */
  enrolWithCard(caller: Caller, request: CardRequest): Promise<CardEnrolment>;
}

/** Terms of a person, and when the person is erased. */
export type KnownTerms = PersonTerms & { readonly expiry: Date | null };

/** A user of a list, with terms where they are asked for. */
export type ListedFace = FaceRecord & {
  readonly hasCrop: boolean;
  readonly terms: KnownTerms | undefined;
};

/** What is stored of one user. */
export interface DescribedFace {
  readonly face: FaceRecord;
  readonly hasCrop: boolean;
  readonly terms: KnownTerms;
  /** Number of pictures. */
  readonly pictures: number;
}

/** Lists, describes, renames and removes the users of a gallery. */
export interface FaceService {
  /** All, a page, or those whose user_id or user_name contains a text. @throws Refusal `galleryNotFound` | `malformed` */
  list(caller: Caller, request: RequestOf<'listFaces'>): Promise<NamedListing<ListedFace>>;
  /** @throws Refusal `galleryNotFound` | `userNotFound` */
  describe(caller: Caller, request: UserRequest): Promise<DescribedFace>;
  /** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (other model pack) | `busy` */
  rename(caller: Caller, request: RequestOf<'updateFace'>): Promise<void>;
  /** @returns null: no audit record could be written @throws Refusal `galleryNotFound` | `userNotFound` */
  remove(caller: Caller, request: UserRequest): Promise<Receipt | null>;
}

/** The pictures that people are enrolled with: their crops, where they are kept. */
export interface FacePictures {
  /**
   * A face crop of a user, a JPEG: of a picture, or the newest.
   * @throws Refusal `galleryNotFound` | `userNotFound`, also without the picture | `denied` when none is kept
   */
  crop(caller: Caller, request: RequestOf<'getFaceCrop'>): Promise<Uint8Array>;
  /** The newest face of each user, small; null: none is kept, or nobody is enrolled. @throws Refusal `galleryNotFound` | `busy` */
  thumbnails(
    caller: Caller,
    request: RequestOf<'getFaceThumbnails'>,
  ): Promise<{ userId: string; jpeg: Uint8Array | null }[]>;
  /** The pictures of a user, the oldest first; null: no crop of it is known. @throws Refusal as `crop` | `busy` */
  pictures(caller: Caller, request: UserRequest): Promise<{ pictureId: string; jpeg: Uint8Array | null }[]>;
  /** @throws Refusal `galleryNotFound` | `userNotFound`, also without the picture | `denied` (its last one, other model pack) | `busy` */
  removePicture(caller: Caller, request: RequestOf<'deleteFacePicture'>): Promise<void>;
  /**
   * Joins another user with one: all pictures are of that one then.
   * @returns whether there was another, and the pictures
   * @throws Refusal `malformed` | `galleryNotFound` | `userNotFound` | `userExists` (too many pictures) |
   *   `userSuspended` | `denied` (other model pack) | `busy`
   */
  merge(caller: Caller, request: RequestOf<'mergeFaces'>): Promise<{ merged: boolean; pictures: number }>;
}
