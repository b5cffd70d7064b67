import type { RequestOf, UserRequest } from '@wajah/contract';
import type { Comparer, Engine, Face } from '@wajah/engine';
import type { Receipt } from '../../events/ports.ts';
import type { NamedListing } from '../../lib/pages.ts';
import type { Match } from '../../matching/ports.ts';
import type {
  CohortMode,
  FeatureGallerySettings,
  GalleryRecord,
  SealedCohort,
} from '../../store/ports/galleries.ts';
import type { SealedPlace } from '../../store/ports/sealed.ts';
import type { Caller } from '../caller.ts';

/** A threshold that a call names: a similarity, or what it is beside the service's own threshold of that decision. */
export type Limit = number | ((own: number) => number);

/** The operating point that a call requests: a similarity, or a false match rate of one comparison, not both. */
export interface OperatingPoint {
  readonly threshold?: Limit | undefined;
  readonly far?: number | undefined;
}

/** A request whose threshold may depend on the service's own. */
export type Limited<Request extends { threshold?: number | undefined }> = Omit<Request, 'threshold'> &
  Pick<OperatingPoint, 'threshold'>;

/** Verdict on a face: the spoof score of an unclear capture says little, and without PAD networks nothing. */
export type SpoofVerdict = 'bona_fide' | 'attack' | 'unclear';

/** What the PAD networks say of a face. */
export type SpoofEstimate = NonNullable<Face['spoof']>;

/**
 * Thresholds in force: the call's own, else the gallery's, else the server's setting, else the pack's. They are raised
 * to four decimals, so that a printed similarity and threshold never contradict the decision.
 */
export interface Thresholds {
  /** An unclear capture is an attack from a second, stricter threshold on; below it there is no verdict. */
  spoofVerdict(estimate: SpoofEstimate): SpoofVerdict;
  /** Whether a face fails because no network judged it: the operator has to accept such faces by hand. */
  isUnjudged(estimate: SpoofEstimate): boolean;
  /** Score at or above which a face is a spoof. */
  readonly spoof: number;
  /** Mean score at or above which so many frames of a person are a spoof: a mean varies less than a single score. */
  spoofOfMean(frames: number): number;
  /** Whether a face counts as a spoof; of one without a verdict the operator decides. */
  countsAsSpoof(estimate: SpoofEstimate): boolean;
  /**
   * Similarity at or above which two faces match.
   * @throws Refusal `malformed` when the call names both a threshold and a rate
   */
  verification(gallery?: Pick<GalleryRecord, 'threshold'>, point?: OperatingPoint): number;
  /**
   * Similarity at or above which a face found in a gallery matches: the call's own; else the larger of
   * verification's and what the size of the gallery needs.
   * @param searched faces of one picture that the threshold is for
   * @throws Refusal as `verification`
   */
  identification(
    gallery: Pick<GalleryRecord, 'threshold' | 'faces'>,
    point?: OperatingPoint,
    searched?: number,
  ): number;
}

/** What the templates of an engine are, and which earlier ones are converted to them. */
export type EngineTemplates = Pick<Engine, 'embeddingSpec' | 'upgrades'>;

/** Converts the comparison of two templates to a similarity score, 0…1. */
export type SimilarityCalibration = Pick<Engine, 'similarity' | 'similarityOf' | 'cohortCurve'>;

/** The part of an engine whose calibration a gallery may replace. */
export type CalibratedEngine = SimilarityCalibration & Pick<Engine, 'embeddingSpec'>;

/**
 * Names a provisional calibration in answers, of the client and gallery of a call. A gallery with a curve of its own has
 * none. Null: it names none, or the gallery does not exist.
 */
export type CalibrationNote = (
  clientId: string | null,
  galleryId: string | null,
) => Promise<'provisional' | null>;

/** A probe that is compared with references of a gallery. */
export interface GalleryProbe {
  /** The vector to search the gallery with, and to multiply references with. */
  readonly query: Float32Array;
  /** Similarity, 0…1, of a product of `query` with a reference. Monotone below 1. */
  similarityOf(product: number): number;
  /** The score that the similarity is calibrated from, without its upper limit; comparable between probes. */
  scoreOf(product: number): number;
}

/** How two people of a gallery are compared: score = a · b − weight × (a + b) · mean. */
export interface PairScores {
  readonly mean: Float32Array | null;
  readonly weight: number;
  /** Similarity, 0…0.9999, of a score. Monotone. */
  similarityOf(score: number): number;
}

/** What the similarities of a gallery are normalised by. */
export interface CohortFacts {
  /** Version of the statistics; 0: not normalised. */
  readonly cohort_version: number;
  /** People measured; 0: not normalised. */
  readonly cohort_people: number;
}

/** How the similarities of a gallery come about. */
export interface GalleryScores {
  readonly facts: CohortFacts;
  /** @param template of this server's pack */
  probe(template: Float32Array): GalleryProbe;
  pairs(): PairScores;
}

/** An enrolled user, as the reference of comparisons. */
export interface EnrolledPerson {
  readonly userName: string;
  readonly gallery: GalleryRecord;
  readonly facts: CohortFacts;
  /** 0…1, of a probe's template. */
  similarity(template: Float32Array): number;
}

/** The opened face of a person who is suspended. */
export interface SuspendedFace extends Pick<Match, 'userId' | 'userName' | 'seq'> {
  readonly template: Float32Array;
}

/** Comparisons with the templates of galleries, until the deadline of a call. */
export interface Comparisons {
  readonly engine: Comparer;
  readonly thresholds: Thresholds;
  /** A gallery of the caller. @throws Refusal `galleryNotFound` */
  gallery(caller: Caller, facegalleryId: string): Promise<GalleryRecord>;
  /** See `galleryScores`. */
  scores(gallery: GalleryRecord): GalleryScores;
  /** See `requireComparable`. */
  require(gallery: GalleryRecord): void;
  /**
   * Searches a gallery with a template of this server's pack, until the deadline of the call.
   * @throws Refusal `busy` | `denied` when the gallery was migrated to another pack during the search, or does not fit
   *   into the memory for galleries; `busy` at the deadline; the reason of the caller's signal
   */
  search(caller: Caller, gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]>;
  /** See `suspendedFaces`. */
  suspended(gallery: GalleryRecord): Promise<SuspendedFace[]>;
  /** The templates of a user, one for each picture. @throws Refusal as `person` */
  templates(gallery: GalleryRecord, userId: string): Promise<Float32Array[]>;
  /**
   * An enrolled user, as the reference of comparisons.
   * @throws Refusal `galleryNotFound` | `userNotFound` | `userSuspended` | `denied` (enrolled with another model pack)
   */
  person(caller: Caller, user: Pick<UserRequest, 'facegalleryId' | 'userId'>): Promise<EnrolledPerson>;
}

/** A gallery, by its internal number and its names. */
export type GalleryName = Pick<GalleryRecord, 'id' | 'clientId' | 'galleryId'>;

/** Keeps the statistics of galleries up to date, in the background, one gallery at a time. */
export interface Cohorts {
  /** Renews the statistics if they are out of date. Does not wait, and does not throw. */
  renewIfStale(gallery: GalleryRecord): void;
  /** Renews statistics that do not open: of another pack, or of a key that was replaced. */
  renew(gallery: GalleryName): void;
  /** As `renewIfStale`, after a face was removed or replaced: at once if the person was measured. */
  faceErased(gallery: GalleryRecord, userId: string): void;
  /** Resolves when nothing is being renewed. */
  settled(): Promise<void>;
  /** Renewals that wait are dropped. */
  close(): Promise<void>;
}

/** A gallery, and the thresholds in force. */
export interface DescribedGallery extends FeatureGallerySettings {
  readonly galleryId: string;
  readonly faces: number;
  readonly threshold: number | null;
  readonly createdAt: Date;
  readonly requireLiveness: boolean;
  readonly requireConsent: boolean;
  readonly retentionDays: number | null;
  readonly keepCrops: boolean;
  readonly verifyThreshold: number;
  readonly identifyThreshold: number;
  /** Model pack and version of its faces; null while it has none. */
  readonly pack: string | null;
  /** Embedder of that pack. */
  readonly embedder: string | null;
  readonly cohort: SealedCohort | null;
  readonly cohortMode: CohortMode;
  readonly calibratedBy: 'gallery' | 'server';
  /** Pairs that its own curve was fitted to; null: it has none, or they are not known. */
  readonly calibrationPairs: number | null;
  readonly provisional: boolean;
  /** Pixels, see `faceSize`. */
  readonly minimumFace: number;
  /** Whether this server can compare its faces. */
  readonly comparable: boolean;
}

/** The galleries of a client. */
export interface GalleryService {
  /** Their names. */
  list(caller: Caller): Promise<string[]>;
  /** Whether galleries keep crops, as the operator has it. */
  cropPolicy(): Promise<'kept' | 'optional' | 'forbidden'>;
  /** @throws Refusal `listCursor` */
  describe(caller: Caller, request: RequestOf<'describeGalleries'>): Promise<NamedListing<DescribedGallery>>;
  /** Probes by their best similarity: counts of equal bins of 0…1. @throws Refusal `galleryNotFound` */
  scores(
    caller: Caller,
    request: RequestOf<'getGalleryScores'>,
  ): Promise<{ from: Date; verify: number[]; identify: number[] }>;
  /** @throws Refusal `denied` when the client has no gallery left, or the operator forbids crops | `galleryExists` */
  create(caller: Caller, request: RequestOf<'createGallery'>): Promise<void>;
  /**
   * Changes the given settings. A gallery that is to keep no crops loses those that it has.
   * @throws Refusal `galleryNotFound` | `malformed` when people would be erased unasked | `denied` when the operator
   *   forbids crops
   */
  update(caller: Caller, request: RequestOf<'updateGallery'>): Promise<DescribedGallery>;
  /** @returns null: no audit record could be written @throws Refusal `galleryNotFound` */
  remove(caller: Caller, request: RequestOf<'deleteGallery'>): Promise<Receipt | null>;
}

/** What does not open in a gallery. */
export interface GalleryDamage {
  /** Its wrapped key: nothing in the gallery opens. */
  readonly key: boolean;
  /** user_ids whose templates do not open, in order. */
  readonly templates: readonly string[];
  /** Face crops that do not open. */
  readonly crops: readonly SealedPlace[];
}

/** Inner products of pairs of different users within galleries. */
export interface ImpostorProducts {
  readonly galleries: number;
  /** Galleries of other packs, and those whose templates do not open. */
  readonly otherGalleries: number;
  /** Users whose templates were compared, at most 512 of a gallery. */
  readonly people: number;
  /** Ascending: lower bound of a product, and the number of pairs from there to the next 0.0002. */
  readonly bins: readonly (readonly [product: number, pairs: number])[];
}
