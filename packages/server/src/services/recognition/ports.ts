import type {
  CompareRequest,
  DetectRequest,
  FaceOutcome,
  FindDuplicatesRequest,
  IdentifyRequest,
  MarkDifferentRequest,
  VerifyRequest,
} from '@wajah/contract';
import type { Analysis, Face } from '@wajah/engine';
import type { Actor } from '../../events/ports.ts';
import type { GalleryRecord, StoredFace } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { Limited } from '../galleries/ports.ts';

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
    request: Limited<VerifyRequest>,
  ): Promise<Comparison & { readonly userName: string }>;
  /**
   * @throws Refusal `faceNotDetected`; `faceTooSmall` when every face is; `notRecognized` when nobody reaches the threshold,
   *   with status_description, an empty list and the faces; `galleryNotFound` | `denied` | `busy`
   */
  identify(caller: Caller, request: Limited<IdentifyRequest>): Promise<Identification>;
  /** @throws Refusal of the pictures and of the liveness token; `busy` */
  compare(caller: Caller, request: Limited<CompareRequest>): Promise<Comparison>;
}

/** The faces of a picture, without a gallery. */
export interface Detection {
  /** Size of the picture, pixels. */
  readonly image: Analysis['image'];
  /** The largest first. */
  readonly faces: readonly (Face & { readonly isSpoof?: boolean })[];
  /** Faces in the picture, also those beyond max_faces. */
  readonly found: number;
  readonly landmarks: NonNullable<DetectRequest['landmarks']>;
  /** Score, 0…1, at or above which a face is a spoof; where spoof scores are asked for. */
  readonly spoofThreshold?: number;
}

/** Detects and analyses the faces of a picture. */
export interface DetectionService {
  /** @throws Refusal of the picture, `faceNotDetected`, or `denied` for a named attribute that the token may not see */
  detect(caller: Caller, request: DetectRequest): Promise<Detection>;
}

/** Two users of a gallery who may be the same person. */
export interface DuplicatePair {
  readonly users: readonly Pick<StoredFace, 'userId' | 'userName' | 'createdAt' | 'suspendedAt'>[];
  /** 0…1 */
  readonly similarity: number;
  /** That the similarity claims, 0…1. */
  readonly falseMatchRate: number;
  /** That the similarity is calibrated from, without its upper limit. */
  readonly score: number;
}

/** Pairs of users of a gallery that may be the same person, best first. */
export interface DuplicatePage {
  readonly pairs: readonly DuplicatePair[];
  /** Of the next page. */
  readonly cursor: string;
  /** Every pair of the gallery was compared. */
  readonly complete: boolean;
  /** People of the gallery, and those who were compared with all before them. */
  readonly people: number;
  readonly compared: number;
  /** Share of the pairs that were compared, 0…1. */
  readonly progress: number;
  /** 0…1 */
  readonly threshold: number;
  /** Of one comparison at the threshold, 0…1. */
  readonly falseMatchRate: number;
  /** False pairs expected at the threshold among all pairs of the gallery. */
  readonly expectedFalsePairs: number;
  /** Version of the statistics that the scores are normalised by, and the people measured; 0 and 0: not normalised. */
  readonly facts: { readonly cohort_version: number; readonly cohort_people: number };
}

export interface DuplicateQuery {
  /** Of the previous page; undefined: from the first pair on. */
  readonly cursor?: string | undefined;
  readonly expectedFalsePairs?: number | undefined;
}

/**
 * Searches a page of the pairs of a gallery, one page at a time.
 * @throws Refusal `malformed` (cursor) | `denied` (other model pack, no memory) | `busy`; the reason of the signal
 */
export type DuplicateSearch = (
  actor: Actor,
  gallery: GalleryRecord,
  query: DuplicateQuery,
  signal: AbortSignal,
) => Promise<DuplicatePage>;

/** The duplicates of a client's galleries. */
export interface DuplicateService {
  /** @throws Refusal `galleryNotFound` | `malformed` (cursor) | `denied` (other model pack, no memory) | `busy` */
  find(caller: Caller, request: FindDuplicatesRequest): Promise<DuplicatePage>;
  /**
   * Marks two users as different people, or takes the mark back.
   * @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` when both are the same
   */
  mark(caller: Caller, request: MarkDifferentRequest): Promise<void>;
}
