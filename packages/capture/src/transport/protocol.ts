/** What a session may ask for. Left and right are the person's own. */
export type Step =
  | 'face front'
  | 'face left'
  | 'face right'
  | 'face up'
  | 'face down'
  | 'eyes open'
  | 'eyes closed'
  | 'mouth open'
  | 'mouth closed';

/** A session as `create-session` answers it. */
export interface Session {
  readonly session_id: string;
  readonly steps: readonly Step[];
  /** Seconds from the answer on. */
  readonly expires_in?: number;
  /** Degrees below which the server takes a head as facing the front. */
  readonly front_angle?: number;
}

/** A picture taken for a step. */
export interface Frame {
  readonly step: Step;
  /** Base64 of a JPEG, not mirrored. */
  readonly image: string;
  /** ISO 8601. */
  readonly captured_at: string;
}

/** Result of one step, as `submit-session` answers it. */
export interface StepResult {
  readonly step: Step;
  readonly match: boolean;
  readonly [attribute: string]: unknown;
}

/** What `submit-session` answers. */
export interface Verdict {
  readonly liveness: 'passed' | 'failed';
  readonly reasons?: readonly string[];
  readonly results: readonly StepResult[];
  readonly liveness_token?: string;
  /** Seconds that the liveness_token lives. */
  readonly expires_in?: number;
  readonly verified?: boolean;
  readonly similarity?: number;
}

/** The attributes of `detect-faces` that tell whether a step is seen. */
export type DetectAttribute = 'pose' | 'eyes' | 'mouth';

/** A face of `detect-faces`; angles in degrees, the box in pixels of the picture. */
export interface DetectedFace {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly yaw?: number;
  readonly pitch?: number;
  readonly roll?: number;
  readonly left_eye?: 'open' | 'closed';
  readonly right_eye?: 'open' | 'closed';
  readonly left_eye_score?: number;
  readonly right_eye_score?: number;
  readonly mouth?: 'open' | 'closed' | 'masked';
  readonly mouth_score?: number;
}

/** What `detect-faces` answers; the largest face is first. */
export interface Detection {
  readonly faces: readonly DetectedFace[];
  readonly image: { readonly width: number; readonly height: number };
}

/**
 * The way to the server. A page of other people's goes through its own backend, so that no access token is in it.
 * Each call answers what the server answered; a refusal may be thrown (`TransportError`) or answered as it came, in
 * the envelope.
 */
export interface LivenessTransport {
  createSession(options?: { readonly signal?: AbortSignal }): Promise<Session>;
  submitSession(
    submission: { readonly session_id: string; readonly frames: readonly Frame[] },
    options?: { readonly signal?: AbortSignal },
  ): Promise<Verdict>;
  /**
   * Without it, frames are taken by a count-down.
   * @param image base64 of a JPEG of at most 640 pixels
   */
  detect?(
    image: string,
    options?: { readonly attributes: readonly DetectAttribute[]; readonly signal?: AbortSignal },
  ): Promise<Detection>;
}

/** Most frames in the submission of a session. */
export const maxFrames = 20;
