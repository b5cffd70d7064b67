import type { Attributes, RequestOf, SessionRequest, Step } from '@wajah/contract';
import type { Analysis } from '@wajah/engine';
import type { Caller } from '../caller.ts';
import type { PictureError } from '../faces/ports.ts';
import type { SpoofVerdict } from '../galleries/ports.ts';

/** Name of a check that fails a session, for programs. */
export type ReasonName =
  | 'order'
  | 'time'
  | 'step'
  | 'repeat'
  | 'replay'
  | 'person'
  | 'flat'
  | 'spoof'
  | 'networks'
  | 'quality'
  | 'room'
  | 'user';

/** What was found and measured, for records of calls and for tokens with the scope `diagnostics`. */
export interface Diagnostic {
  readonly name: ReasonName;
  readonly detail: string;
}

/** Whether pictures show a bona fide presentation with the requested head pose, eyes and mouth. */
export interface LivenessService {
  /** @throws Refusal of the picture, `galleryNotFound` | `userNotFound` | `denied` | `busy` */
  single(caller: Caller, request: RequestOf<'verifyLiveness'>): Promise<JudgedPicture>;
  /** A refused picture fails alone. @throws Refusal `galleryNotFound` | `userNotFound` | `denied` | `busy` */
  batch(caller: Caller, request: RequestOf<'verifyLivenessBatch'>): Promise<JudgedBatch>;
}

export type LivenessOutcome = 'passed' | 'failed';

/** The attributes of a face as answers show them, with the judgement on spoof. */
export interface JudgedAttributes extends Omit<Attributes, 'is_spoof' | 'spoof_score' | 'spoof_verdict'> {
  readonly isSpoof?: boolean;
  /** 0…1 */
  readonly spoofScore?: number;
  readonly spoofVerdict?: SpoofVerdict;
}

export interface JudgedPicture {
  readonly liveness: LivenessOutcome;
  /** 0…1, without the similarity. */
  readonly confidence: number;
  /** Whether it shows the user; undefined where the request names none. */
  readonly verified: boolean | undefined;
  /** Of that verification, 0…1. */
  readonly threshold: number | undefined;
  /** Whether each requirement holds. */
  readonly matchStatus: { readonly [Name in 'verified' | 'is_real' | 'angle' | 'eyes' | 'mouth']?: boolean };
  readonly results: JudgedAttributes;
  /** Present where no PAD network judged it. */
  readonly detail?: string;
}

export interface BatchEntry extends JudgedAttributes {
  match: boolean;
  verified?: boolean;
  error?: PictureError;
}

export interface JudgedBatch {
  readonly liveness: LivenessOutcome;
  /** Why the batch as a whole failed; empty when only single pictures did. */
  readonly reasons: readonly string[];
  /** Of the verification, 0…1; undefined where the request names no user. */
  readonly threshold: number | undefined;
  /** In the order of the request. */
  readonly results: readonly BatchEntry[];
  /** Present where no PAD network judged a picture. */
  readonly detail?: string;
}

/** What a picture shows for hints to the person. */
export interface Hint extends Pick<Analysis, 'image' | 'faces'> {
  /** Seconds after which the next hint is given. */
  readonly nextIn: number;
}

/** A session that is asked for, also by this server. */
export interface OpeningRequest extends RequestOf<'createLivenessSession'> {
  readonly subjectName?: readonly string[] | undefined;
}

/** Who is enrolled in which gallery when a session passes; null: nobody. */
export type EnrolmentOf = (
  sessionId: string,
) => Promise<{ readonly clientId: string; readonly galleryId: string; readonly userName: string } | null>;

/** Liveness sessions: the server draws the steps of a challenge, and judges the submitted frames once. */
export interface LivenessSessionService {
  /** Whose session a secret is of, in place of a token. @returns undefined for texts that are no secrets */
  authenticate(token: string): Promise<SessionCaller | undefined>;
  /**
   * Opens a session, or answers the open one of the same subject.
   * @param request its `subjectName` is in place of the subject of a program
   * @throws Refusal `galleryNotFound` | `userNotFound` | `denied` | `tooManyRequests` | `malformed`
   */
  open(caller: Caller, request: OpeningRequest): Promise<CreatedSession>;
  /**
   * Begins a session that waits, or the next try of a link; of what has begun, answers the same.
   * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired` | `tooManyRequests`
   */
  begin(caller: Caller, request: SessionRequest): Promise<OpenedSession>;
  /** The state of a session, and its liveness token unless its page asks. @throws Refusal `sessionNotFound` */
  get(caller: Caller, request: SessionRequest): Promise<SessionState>;
  /**
   * Measures a picture for hints to the person.
   * @returns at most two faces, the largest first
   * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired` | `tooManyRequests` | `busy`, of the picture
   */
  hint(caller: Caller, request: RequestOf<'hintLivenessFrame'>): Promise<Hint>;
  /**
   * Analyses a frame of an open session before its submission.
   * @returns SHA-256 of the picture, hexadecimal; nothing about what it shows
   * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired` | `malformed` | `busy`, of the picture
   */
  sendFrame(caller: Caller, request: RequestOf<'sendLivenessFrame'>): Promise<string>;
  /**
   * Judges a session, once.
   * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired` | `malformed`
   */
  submit(caller: Caller, request: RequestOf<'submitLivenessSession'>): Promise<JudgedSession>;
}

/** The caller that the secret of a hosted session stands for. */
export interface SessionCaller {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly binding: null;
  readonly sessionId: string;
}

export interface OpenedSession {
  readonly sessionId: string;
  readonly steps: Step[];
  readonly expiresAt: Date;
  /** Seconds. */
  readonly expiresIn: number;
  /** Yaw and pitch below which a head pose is frontal, degrees. */
  readonly frontAngle: number;
  /** Whether the most frontal picture is kept for an enrolment. */
  readonly keepFrame: boolean;
}

export interface CreatedSession extends OpenedSession {
  readonly nonce: string;
  /** Address and QR code (SVG) of the page of a hosted session; empty for others. */
  readonly page: { readonly url?: string; readonly qr?: string };
}

/** Proof for one later call about the face of a passed session. */
export interface IssuedLivenessToken {
  readonly text: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface SessionState {
  readonly sessionId: string;
  readonly state: LivenessOutcome | 'waiting' | 'open' | 'expired' | 'ended';
  readonly expiresAt: Date;
  /** Tries of a hosted session that may still begin. */
  readonly triesLeft?: number;
  /** Why it is not passed, or its latest try; empty until it is judged. */
  readonly reasons: readonly string[];
  /** Absent in answers to its page. */
  readonly nonce?: string;
  readonly token: IssuedLivenessToken | undefined;
  /** Where its page leads the person once it is judged. */
  readonly redirectUrl: string | undefined;
  /** Only in answers to the page of an enrolment link that can still pass: who is enrolled, where, and what is kept. */
  readonly enrols?: {
    readonly userName: string;
    readonly facegalleryId: string;
    readonly keepsCrop: boolean;
  };
}

/** The result of a step, in the names of the wire. */
export interface StepResult extends JudgedAttributes {
  step: Step;
  match: boolean;
  /** Index of the frame that shows the step best. */
  frame?: number;
  error?: PictureError;
}

export interface JudgedSession {
  readonly liveness: LivenessOutcome;
  /** Undefined where the session is of no user, or no frame has a template. */
  readonly verified:
    | { readonly holds: boolean; readonly similarity: number; readonly threshold: number }
    | undefined;
  /** Why it is not passed, as every caller may read it. */
  readonly reasons: readonly string[];
  /** Present where no PAD network judged it. */
  readonly detail?: string;
  /** What was found and measured, for each reason. */
  readonly diagnostics: Diagnostic[];
  /** Names of the checks that gave reasons, as in the table of `checks.ts`. */
  readonly failed: readonly string[];
  /** One entry for each step, in order. */
  readonly results: readonly StepResult[];
  readonly token: IssuedLivenessToken | undefined;
  /** Only in answers to the page of a hosted session: where it leads the person; undefined: nowhere. */
  readonly redirectUrl?: string | undefined;
  /** Tries of a hosted session that may still begin. */
  readonly triesLeft?: number;
}
