/** Formats of pictures that are read. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif';

/** What the engine computes of a face on request. */
export type Attribute =
  | 'embedding'
  | 'quickEmbedding'
  | 'pose'
  | 'eyes'
  | 'gaze'
  | 'mouth'
  | 'mask'
  | 'spoof'
  | 'quality'
  | 'unclear'
  | 'mesh'
  | 'shape'
  | 'settledShape'
  | 'skin'
  | 'crop';

/** How thoroughly a picture is searched for faces. */
export type Search = 'fast' | 'thorough' | 'card' | 'closer';

/** A request to `Engine.analyze`. */
export interface AnalyzeRequest {
  /** Attributes to compute for each returned face. */
  readonly attributes: readonly Attribute[];
  /** Largest number of faces to return, the most prominent first; 1 or more. */
  readonly maxFaces: number;
  /** Limit of the quality rule `size`, pixels. Default 100. */
  readonly minFaceSize?: number;
  /**
   * `fast` searches the whole picture, and tiles only without a result; `thorough` always searches tiles too (groups),
   * and the most detailed parts when exactly one face is found; `card` searches the whole picture and the most detailed
   * parts, for the face on a card that somebody holds up; `closer` three times as many parts.
   */
  readonly search: Search;
  /**
   * The faces are known to wear neither a mask nor dark glasses: `eyes` and `mouth` are told as they are seen, without the
   * embedder. Default false.
   */
  readonly uncovered?: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: its promise rejects with an `EngineError` `aborted`. */
  readonly signal?: AbortSignal;
  /** When the call ends, milliseconds since the epoch. By default the engine's own deadline counts. */
  readonly deadline?: number;
}

/** A rectangle in pixels of the upright full-size picture (EXIF applied), origin top left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point in pixels of the upright full-size picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Head angles in degrees, from the person's point of view: yaw > 0 turns left, pitch > 0 looks up, roll > 0 tilts towards
 * the left shoulder.
 */
export interface Pose {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

/** A state and the probability (0.5…1) of that state. */
export interface StateEstimate<State extends string> {
  readonly state: State;
  readonly score: number;
}

/** State of an eye; `covered`: both are, by glasses that nobody sees through. */
type EyeState = 'open' | 'closed' | 'covered';

/** States of the eyes; `left` is the person's own left eye. */
export interface Eyes {
  readonly left: StateEstimate<EyeState>;
  readonly right: StateEstimate<EyeState>;
}

/** Score of one network of presentation attack detection (PAD, ISO/IEC 30107-3). */
export interface PadNetworkScore {
  /** `near` looks at the face and its surroundings, `close` at the face. */
  readonly name: 'near' | 'close';
  /** Probability of a presentation attack, 0…1, at even prior odds; 0.5 is uninformative. */
  readonly score: number;
}

/** Judgement of a presentation. */
export interface SpoofEstimate {
  /** Probability of a presentation attack, 0…1, at even prior odds; 0.5 without networks. */
  readonly score: number;
  /** What the score is computed from; empty where no PAD networks are installed. */
  readonly networks: readonly PadNetworkScore[];
  /** Why the score says little; empty where the capture is clear. */
  readonly unclear: readonly UnclearReason[];
}

/** Why the spoof score says little about a capture; `tight`: too little around the face. */
export type UnclearReason = 'dark' | 'small' | 'tight' | 'blurred' | 'noisy';

/** A quality measure and its limit, both in `unit`. */
export interface QualityRule {
  readonly name:
    | 'size'
    | 'sharpness'
    | 'brightness'
    | 'contrast'
    | 'pose'
    | 'cropped'
    | 'eyes'
    | 'proportions'
    | 'blurred'
    | 'dark';
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly passed: boolean;
  /** One sentence with the fault and its remedy; empty when passed. */
  readonly reason: string;
}

/** A face with its surroundings, cut out of a picture. */
export interface FaceCrop {
  /** At most 512 pixels wide and high. */
  readonly jpeg: Uint8Array;
  /** Box of the face, pixels of the JPEG. */
  readonly box: Box;
}

/** Patches of a face's skin rectified to a frontal view, for `stillnessOf`. */
export interface SkinPatches {
  /** Brightness, 0…255: patch after patch, each row-major, 22 pixels across and down. */
  readonly luma: Uint8Array;
  /** For each patch, square pixels of the picture per pixel of the patch: small where it is seen at a slant. */
  readonly areas: Float32Array;
}

/** A face found in a picture, with the requested attributes. */
export interface Face {
  /**
   * Upright box around brows, temples and jaw (brow to chin, without forehead and ears), pixels of the upright
   * picture; reaches beyond its edges when the face does.
   */
  readonly box: Box;
  /** Detector score, 0…1. */
  readonly score: number;
  /** Mesh score, 0…1: low for patterns that resemble a face. */
  readonly meshScore: number;
  /** Centre of the person's right eye, left eye, nose tip, right and left mouth corner; pixels of the upright picture. */
  readonly landmarks: readonly [Point, Point, Point, Point, Point];
  /** Unit-length template of `embeddingSpec.dimensions` values. */
  readonly embedding?: Float32Array;
  /** The same of one crop, without its mirror image, in half of the time: to compare frames of one session, not for galleries. */
  readonly quickEmbedding?: Float32Array;
  readonly pose?: Pose;
  readonly eyes?: Eyes;
  /**
   * Place of the irises between the corners of the eyes, 0 (left in the picture) to 1; the mean of both eyes. Says
   * nothing of closed eyes.
   */
  readonly gaze?: number;
  readonly mouth?: StateEstimate<'open' | 'closed' | 'masked'>;
  readonly mask?: { readonly worn: boolean /** Probability of a mask, 0…1. */; readonly score: number };
  readonly spoof?: SpoofEstimate;
  readonly quality?: readonly QualityRule[];
  /**
   * The rules that the face fails because it says too little to tell people apart, so that two such faces of different
   * people may match; empty where it is clear.
   */
  readonly unclear?: readonly QualityRule[];
  /** x, y, z of 468 points (numbering of MediaPipe's canonical face), pixels of the upright picture. */
  readonly mesh?: Float32Array;
  /** Places of points of the face, to find a frame again by `nearestShape`: see `shapeOf`. */
  readonly shape?: Int16Array;
  /** As `shape`, of a mesh that varies less when the picture is changed. */
  readonly settledShape?: Int16Array;
  readonly skin?: SkinPatches;
  /** Input for templates of another pack. */
  readonly crop?: FaceCrop;
}

/** Parts of an analysis: decoding, the runs of each network (`pad`: PAD networks), and everything else. */
export type Stage = 'decode' | 'detector' | 'mesh' | 'iris' | 'embedder' | 'features' | 'pad' | 'rest';

/** Why a worker has ended. */
export interface WorkerEnd {
  /** `sigkill`: by the kernel for want of memory, or by an operator; `signal`: by a crash; `networks`: another one opens others. */
  readonly cause: 'sigkill' | 'signal' | 'timeout' | 'memory' | 'start' | 'networks' | 'other';
  readonly reason: string;
}

/** Milliseconds of each stage that ran. */
export type StageTimes = Readonly<Partial<Record<Stage, number>>>;

/** Result of `Engine.analyze`. */
export interface Analysis {
  /** Upright size in pixels (EXIF applied) and format. */
  readonly image: { readonly width: number; readonly height: number; readonly format: ImageFormat };
  /** Faces, the most prominent first (area weighted by closeness to the centre), at most `maxFaces`. */
  readonly faces: readonly Face[];
  /** Boxes of the faces found, the most prominent first; of a crowd the first 16, or `maxFaces`. */
  readonly boxes: readonly Box[];
  /**
   * Number of faces found, including those beyond `maxFaces`. In a crowd, beyond the first 16 or `maxFaces`, the number of
   * detections that were not confirmed.
   */
  readonly found: number;
  readonly stages: StageTimes;
}

/** What a template is pinned to: templates are comparable only when every field is equal. */
export interface EmbeddingSpec {
  readonly pack: string;
  readonly version: string;
  readonly embedder: string;
  readonly alignment: string;
  readonly dimensions: number;
  readonly normalisation: string;
}

/** Limits on pictures. */
export interface ImageLimits {
  /** Encoded bytes. */
  readonly maxBytes: number;
  /** Width × height according to the header. */
  readonly maxPixels: number;
  /** Longer side according to the header, pixels. Default 16,384. */
  readonly maxSide?: number;
  /** Scans of a JPEG. Default 100. */
  readonly maxScans?: number;
  /** Work of decoding: samples of all scans of a JPEG, weighted bytes of all rows of a PNG, weighted pixels of others. Default 10⁹. */
  readonly maxWork?: number;
  /** Bytes of ICC profile, EXIF and comments of a JPEG, of the ancillary chunks of a PNG; the like of others. Default 2 MiB. */
  readonly maxMetadata?: number;
  /** Milliseconds of work on one picture. Default: no limit but the deadline of the call. */
  readonly maxMs?: number;
}

/** Memory of a worker process. */
export interface WorkerMemory {
  /** Place in the pool, from 1 to the number of workers; a replacement has the place of its predecessor. */
  readonly worker: number;
  /** Resident memory after the last task, bytes; an unused worker gets one every ten seconds. */
  readonly residentBytes: number;
  /** Bytes, where a page that n processes share counts 1/n; null where the system does not tell it. */
  readonly proportionalBytes: number | null;
}

/** The impostor statistics of a pack and its FMR by normalised score. */
export interface CohortCurve {
  /** Mean product of two people's templates and its deviation, in a mixed crowd. */
  readonly mean: number;
  readonly deviation: number;
  /** Normalised score, in deviations, and log10 of the false match rate there, in galleries of a mixed crowd. */
  readonly knots: readonly (readonly [number, number])[];
  /** The same in galleries of similar people, whose templates have this mean product. */
  readonly similar?:
    | { readonly mean: number; readonly knots: readonly (readonly [number, number])[] }
    | undefined;
}

/** Faces that are more alike than those of everybody, told by their templates. */
export interface FaceKind {
  readonly of: string;
  /** Logistic regression: log odds (natural logarithm) = bias + weights · template. */
  readonly bias: number;
  readonly weights: readonly number[];
  /** By how much the products of two people of the kind are higher. */
  readonly shift: number;
  /** By how much those of one of the kind and one of no kind are lower. */
  readonly apart: number;
}

/** Calibration of comparisons of two pictures of unknown people, see the note in `similarity.ts`. */
export interface ComparisonCurve {
  /** Score (product less the shifts of the kinds) and log10 of the false match rate there. */
  readonly knots: readonly (readonly [number, number])[];
  readonly kinds: readonly FaceKind[];
}

/** Load and health of an engine. */
export interface EngineLoad {
  /** Configured workers. */
  readonly workers: number;
  /** Workers that have opened their models and work on no call past its deadline; the others are being replaced. */
  readonly alive: number;
  /** Workers that were replaced since the start. */
  readonly restarts: number;
  /** Calls in a worker. */
  readonly running: number;
  /** Calls that wait for a worker. */
  readonly queued: number;
}

/** The face engine, in the calling thread or over worker processes. */
export interface Engine {
  /** Specification that templates of this engine are pinned to. */
  readonly embeddingSpec: EmbeddingSpec;
  /** Templates of other packs that are converted, see `upgradeFrom`: their specification, and the leading values that are kept. */
  readonly upgrades: readonly { readonly from: EmbeddingSpec; readonly keep: number }[];
  /** Operating point of the pack: least similarity of a match, 0…1. */
  readonly threshold: number;
  /** Installed pack whose networks judge presentations; null: none is installed, and nothing is known of them. */
  readonly padPack: string | null;
  /**
   * Detects and measures faces. A picture without a face gives an empty list, not an error.
   * @throws EngineError `imageType` | `imageBroken` | `busy` | `deadline` | `aborted` | `closed` | `killed` | `crashed`
   */
  analyze(image: Uint8Array, request: AnalyzeRequest, options?: CallOptions): Promise<Analysis>;
  /** The face of a stored crop as a small JPEG, for lists of people. @throws EngineError as `analyze` */
  thumbnail(crop: FaceCrop, options?: CallOptions): Promise<Uint8Array>;
  /** Calibrated similarity, 0…1, of two templates of this engine: its FMR is that of random people. */
  similarity(a: Float32Array, b: Float32Array): number;
  /** The same for pictures of unknown people, without a gallery: its FMR is that of strangers who are alike. */
  comparisonSimilarity(a: Float32Array, b: Float32Array): number;
  /** Calibrated similarity, 0…1, of an inner product, −1…1, by the FMR of strangers who are alike. Monotone. */
  similarityOf(innerProduct: number): number;
  /** Calibration of scores that are normalised by the people of a gallery; null: the calibration has none. */
  readonly cohortCurve: CohortCurve | null;
  /** The calibration comes from published operating points of the pack and was not measured. */
  readonly provisional: boolean;
  /** Current load, for health checks and metrics. */
  load(): EngineLoad;
  /** Memory of the worker processes that run; none in the calling thread. */
  memory(): Promise<readonly WorkerMemory[]>;
  /** Rejects new calls, completes running ones and frees the models. */
  close(): Promise<void>;
}
