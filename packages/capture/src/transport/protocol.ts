/** A step of the challenge. Left and right are the person's. */
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

/** The answer of `create-session`. */
export interface Session {
  readonly session_id: string;
  /** Empty: the session waits for `beginSession`, which answers them. */
  readonly steps: readonly Step[];
  /** Seconds until the session expires. */
  readonly expires_in?: number;
  /** Degrees below which the server takes a head as frontal. */
  readonly front_angle?: number;
  /** Whether frontal frames are submitted as pictures, because the best is kept. */
  readonly keep_frame?: boolean;
}

/** A frame of a step. */
export interface Frame {
  readonly step: Step;
  /** Base64 of a JPEG, not mirrored. */
  readonly image: string;
  /** ISO 8601; absent: before the session began. */
  readonly captured_at?: string | undefined;
}

/** A frame that the server has analysed before the submission: its digest in place of its picture. */
export type SentFrame = Omit<Frame, 'image'> & { readonly digest: string };

/** The result of one step. */
export interface StepResult {
  readonly step: Step;
  readonly match: boolean;
  readonly [attribute: string]: unknown;
}

/** The answer of `submit-session`. */
export interface Verdict {
  readonly liveness: 'passed' | 'failed';
  readonly reasons?: readonly string[];
  /** Only for tokens with the scope `diagnostics`: what was measured, for each reason. */
  readonly diagnostics?: readonly { readonly name: string; readonly detail: string }[];
  readonly results: readonly StepResult[];
  readonly liveness_token?: string;
  /** Seconds until the liveness_token expires. */
  readonly expires_in?: number;
  readonly verified?: boolean;
  readonly similarity?: number;
  /** Of a hosted session: where the person is led. */
  readonly redirect_url?: string;
  /** Tries that may still begin; 0: no other one is offered. Absent: not known. */
  readonly tries_left?: number;
}

/** The attributes of `hint-frame` that decide steps. */
export type DetectAttribute = 'pose' | 'eyes' | 'mouth';

/** A face of `hint-frame`: the box in pixels of the picture, angles in degrees, scores 0 to 1. */
export interface DetectedFace {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly yaw?: number;
  readonly pitch?: number;
  readonly roll?: number;
  readonly left_eye?: 'open' | 'closed' | 'covered';
  readonly right_eye?: 'open' | 'closed' | 'covered';
  readonly left_eye_score?: number;
  readonly right_eye_score?: number;
  readonly mouth?: 'open' | 'closed' | 'masked';
  readonly mouth_score?: number;
}

/** The answer of `hint-frame`; the largest face is first. */
export interface Detection {
  readonly faces: readonly DetectedFace[];
  readonly image: { readonly width: number; readonly height: number };
  /** Seconds after which the next hint is given; undefined: half a second after the last one was asked for. */
  readonly next_in?: number;
}

/** What `submit-session` takes. */
export interface Submission {
  readonly session_id: string;
  readonly frames: readonly (Frame | SentFrame)[];
}

/**
 * Sends the calls of a session, through the page's backend where visitors must not hold an access token. Each call
 * returns the server's answer; a refusal may be returned too, or thrown as `TransportError`. Nothing is waited for after
 * an abort, also when a transport ignores the signal.
 */
export interface LivenessTransport {
  createSession(options?: { readonly signal?: AbortSignal }): Promise<Session>;
  /** Begins a session that waits, when a face is in place. @returns the answer of `begin-session` */
  beginSession?(
    session: { readonly session_id: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<Session>;
  /**
   * Sends a frame as soon as it is taken, so that the judgement takes less time. Without it all frames are sent by
   * `submitSession`.
   * @param frame its step may be left out: the server then analyses it for any
   * @returns the answer of `send-frame`
   */
  sendFrame?(
    frame: { readonly session_id: string; readonly image: string; readonly step: Step },
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly digest: string }>;
  submitSession(submission: Submission, options?: { readonly signal?: AbortSignal }): Promise<Verdict>;
  /**
   * Without it, frames are captured by a countdown.
   * @param image base64 of a JPEG of at most 640 pixels
   */
  detect?(
    image: string,
    options?: {
      readonly session_id: string;
      readonly attributes: readonly DetectAttribute[];
      readonly signal?: AbortSignal;
    },
  ): Promise<Detection>;
}

/** Frames of a submission at most. */
export const maxFrames = 20;
