import type { AlignedFaceImage } from './series/frame-view.ts';

/** What the engine can work out about a face. It computes only what it is asked for. */
export type Attribute =
  | 'embedding'
  | 'pose'
  | 'eyes'
  | 'mouth'
  | 'mask'
  | 'spoof'
  | 'quality'
  | 'mesh'
  | 'perceptualHash'
  | 'skin'
  | 'crop';

/** How closely a picture is searched for faces. */
export type Search = 'fast' | 'thorough' | 'finest';

/** What to look for in a picture. */
export interface AnalyzeRequest {
  /** Attributes to compute for each returned face. */
  readonly attributes: readonly Attribute[];
  /** At most this many faces are worked out, the most prominent first (1 or more). */
  readonly maxFaces: number;
  /**
   * `fast` looks at the whole picture and goes over tiles only when it found nobody; `thorough` always looks
   * at tiles too (groups, a card in a hand), at finer ones when that shows somebody alone; `finest` always does.
   */
  readonly search: Search;
}

/** Limits of one call. */
export interface CallOptions {
  /** Aborts the call when the client goes away; the promise rejects with an `EngineError` `aborted`. */
  readonly signal?: AbortSignal;
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
 * Head angles in degrees, as seen from the person: yaw > 0 turns to the own left, pitch > 0 looks up,
 * roll > 0 tilts towards the own left shoulder.
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

/** Eyes of the person: `left` is the person's own left eye. */
export interface Eyes {
  readonly left: StateEstimate<'open' | 'closed'>;
  readonly right: StateEstimate<'open' | 'closed'>;
}

/** One thing that tells a spoof from a face; names may change with the weights. */
export interface PadSignalScore {
  readonly name: string;
  /** Probability of a spoof by this cue alone, 0…1; 0.5 says nothing. */
  readonly score: number;
}

/** One quality measure with its limit. `value` and `limit` share the unit that `unit` names. */
export interface QualityRule {
  readonly name: 'size' | 'sharpness' | 'brightness' | 'contrast' | 'pose' | 'cropped';
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly passed: boolean;
  /** One sentence that says what is wrong and what to do; empty when passed. */
  readonly reason: string;
}

/** A face and what is around it, as a picture of its own. */
export interface FaceCrop {
  /** At most 512 pixels wide and high. */
  readonly jpeg: Uint8Array;
  /** Where the face is in it, pixels. */
  readonly box: Box;
}

/** What a frame looks like: to be found again by `probeOf`. */
export interface PerceptualHash {
  /** What is remembered of it, 128 bytes. */
  readonly bits: Uint8Array;
  readonly image: AlignedFaceImage;
}

/** Patches of a face's skin as they would look from the front, for `stillnessOf`. */
export interface SkinPatches {
  /** Brightness, 0…255: patch after patch, each row-major, 22 pixels across and down. */
  readonly luma: Uint8Array;
  /** Square pixels of the picture under a pixel of each patch: how squarely it is seen. */
  readonly areas: Float32Array;
}

/** A face found in a picture. Attributes are there when they were asked for. */
export interface Face {
  /**
   * Upright box around brows, temples and jaw (brow to chin, without forehead and ears), pixels of the upright
   * picture; reaches beyond its edges when the face does.
   */
  readonly box: Box;
  /** Detector score, 0…1. */
  readonly score: number;
  /** Mesh score, 0…1: the gate against things that only look like a face. */
  readonly meshScore: number;
  /** Centre of the person's right eye, left eye, nose tip, right and left mouth corner; pixels of the upright picture. */
  readonly landmarks: readonly [Point, Point, Point, Point, Point];
  /** Unit-length template of `contract.dimensions` values. */
  readonly embedding?: Float32Array;
  readonly pose?: Pose;
  readonly eyes?: Eyes;
  readonly mouth?: StateEstimate<'open' | 'closed' | 'masked'>;
  readonly mask?: { readonly worn: boolean /** Probability of a mask, 0…1. */; readonly score: number };
  readonly spoof?: {
    /** Probability that it is a spoof, 0…1. */
    readonly score: number;
    /** What the score was put together from, each as if it were the only one. */
    readonly signals?: readonly PadSignalScore[];
  };
  readonly quality?: readonly QualityRule[];
  /** x, y, z of 468 points (numbering of MediaPipe's canonical face), pixels of the upright picture. */
  readonly mesh?: Float32Array;
  readonly perceptualHash?: PerceptualHash;
  readonly skin?: SkinPatches;
  /** What another pack could make a template of. */
  readonly crop?: FaceCrop;
}

/** What was found in a picture. */
export interface Analysis {
  /** Upright size (EXIF applied) and what the bytes were. */
  readonly image: { readonly width: number; readonly height: number; readonly format: 'jpeg' | 'png' };
  /** Faces, the most prominent first (area weighted by closeness to the centre), at most `maxFaces`. */
  readonly faces: readonly Face[];
  /** How many faces were found in all, those beyond `maxFaces` included. */
  readonly found: number;
}

/** What a stored template is pinned to: templates are comparable only when all of it is equal. */
export interface EmbeddingSpec {
  readonly pack: string;
  readonly version: string;
  readonly embedder: string;
  readonly alignment: string;
  readonly dimensions: number;
  readonly normalisation: string;
}

/** Limits on what the engine decodes. */
export interface ImageLimits {
  /** Encoded bytes. */
  readonly maxBytes: number;
  /** Width × height as the header says. */
  readonly maxPixels: number;
}

/** The face engine: the same interface in-thread and over worker threads. */
export interface Engine {
  /** What templates of this engine are pinned to. */
  readonly embeddingSpec: EmbeddingSpec;
  /** Operating point of the pack: similarity at or above which two faces count as one person. */
  readonly threshold: number;
  /** Operating point of the spoof score: at or above it a face counts as a spoof. */
  readonly spoofThreshold: number;
  /**
   * Finds and measures faces. No face is an empty list, not an error.
   * @throws EngineError `imageType` | `imageBroken` | `busy` | `deadline` | `aborted` | `closed`
   */
  analyze(image: Uint8Array, request: AnalyzeRequest, options?: CallOptions): Promise<Analysis>;
  /** Calibrated similarity (0…1) of two templates of this contract, from the pack's curve. */
  similarity(a: Float32Array, b: Float32Array): number;
  /** The same from an inner product already computed (−1…1). Monotone. */
  similarityOf(innerProduct: number): number;
  /** Load of the engine, for health and metrics. */
  load(): { readonly workers: number; readonly running: number; readonly queued: number };
  /** Finishes running calls, refuses new ones, frees the models. */
  close(): Promise<void>;
}
