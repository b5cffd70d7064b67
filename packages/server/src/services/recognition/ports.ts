import type { FaceOutcome, RequestOf } from '@wajah/contract';
import type { Analysis, Attribute, Face } from '@wajah/engine';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Caller } from '../caller.ts';
import type { among } from '../faces/main-face.ts';
import type { LeftOut } from '../faces/ports.ts';
import type { Limited } from '../galleries/ports.ts';

/** Faces of a picture and the one that was taken. */
export type Among = ReturnType<typeof among>;

/** A decision on two faces. Similarities and thresholds are 0…1, thresholds of four decimals. */
export interface Comparison {
  readonly similarity: number;
  readonly verified: boolean;
  /** In force. */
  readonly threshold: number;
  /** The same without that of the call. */
  readonly own: number;
  /** A face of the call wears a mask. */
  readonly masker: boolean;
}

/** A user whose similarity with a face reaches the threshold. */
export interface Candidate {
  readonly userId: string;
  readonly userName: string;
  /** Similarity, 0…1. */
  readonly confidence: number;
  /** The face wears a mask. */
  readonly mask: boolean;
}

/** A face of the picture, with what became of it. */
export interface SearchedFace {
  readonly face: Face;
  readonly outcome: FaceOutcome;
  /** Best first; empty unless identified. */
  readonly candidates: readonly Candidate[];
  /** Best first: the most similar users that do not reach the threshold; with the candidates at most `top_k`. */
  readonly below: readonly Candidate[];
  /** What features say of it, in the names of the wire. */
  readonly fields?: object | undefined;
}

/** What a feature makes of faces that a gallery does not identify, inside their call. */
export interface Unidentified {
  /** Attributes that they are analysed with besides; those of `identify-face` are there. */
  attributes(gallery: GalleryRecord): readonly Attribute[];
  /** Never rejects. @returns fields of faces in the answer, in the names of the wire */
  fields(caller: Caller, gallery: GalleryRecord, faces: readonly Face[]): Promise<ReadonlyMap<Face, object>>;
}

/** The people of a picture. */
export interface Identification {
  /** The candidates of all faces, in the order of the faces. */
  readonly people: readonly Candidate[];
  /** The largest first. */
  readonly faces: readonly SearchedFace[];
  /** Faces in the picture. */
  readonly found: number;
  /** In force, in the end; 0…1. */
  readonly threshold: number;
  /** The same without that of the call. */
  readonly own: number;
  /** Pictures of `images` that were not used. */
  readonly leftOut: readonly LeftOut[];
  /** The call asks for several faces. */
  readonly several: boolean;
  /** The call asks for candidates below the threshold. */
  readonly withBelow: boolean;
}

/** Compares a picture with one enrolled user, with a whole gallery, or with another picture. */
export interface RecognitionService {
  /**
   * @throws Refusal of the picture and of the liveness token; `galleryNotFound` | `userNotFound` | `userSuspended` |
   *   `denied` (enrolled with another model pack) | `busy`
   */
  verify(
    caller: Caller,
    request: Limited<RequestOf<'verifyFace'>>,
  ): Promise<
    Comparison & Partial<NonNullable<Among>> & { readonly userName: string; readonly left_out?: LeftOut[] }
  >;
  /**
   * @throws Refusal `faceNotDetected`; `faceTooSmall` when every face is; `notRecognized` when nobody reaches the threshold,
   *   with status_description, an empty list and the faces; `galleryNotFound` | `denied` | `busy`
   * @returns nobody, if the picture has no face and the request allows that
   */
  identify(caller: Caller, request: Limited<RequestOf<'identifyFace'>>): Promise<Identification>;
  /** @throws Refusal of the pictures and of the liveness token; `busy` */
  compare(
    caller: Caller,
    request: Limited<RequestOf<'compareImages'>>,
  ): Promise<Comparison & { readonly source?: Among; readonly target?: Among }>;
  /**
   * Detects and analyses the faces of a picture.
   * @throws Refusal of the picture, `faceNotDetected`, or `denied` for a named attribute that the token may not see
   */
  detect(caller: Caller, request: RequestOf<'detectFaces'>): Promise<Detection>;
}

/** The faces of a picture, without a gallery. */
export interface Detection {
  /** Size of the picture, pixels. */
  readonly image: Analysis['image'];
  /** The largest first. */
  readonly faces: readonly (Face & { readonly isSpoof?: boolean })[];
  /** Faces in the picture, also those beyond max_faces. */
  readonly found: number;
  readonly landmarks: NonNullable<RequestOf<'detectFaces'>['landmarks']>;
  /** Score, 0…1, at or above which a face is a spoof; where spoof scores are asked for. */
  readonly spoofThreshold?: number;
}
