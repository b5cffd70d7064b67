/** Who calls, on behalf of which request. Services know no HTTP. */
export interface Caller {
  readonly clientId: string;
  readonly trxId: string;
  /** What its token may do; null or absent: everything. */
  readonly scopes?: readonly string[] | null;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Clients as they see themselves (`/face-api/client/*`). */
export interface ClientService {
  /** Makes the record and the first gallery `<client_id>@trial`; idempotent. */
  register(caller: Caller): Promise<{ galleryId: string }>;
  /** Erases all the client owns. @returns the galleries remaining: none */
  erase(caller: Caller): Promise<{ galleryIds: string[] }>;
  /** What is left; unlimited is 2147483647. */
  counters(caller: Caller): Promise<{ hits: number; faces: number; galleries: number }>;
}

export interface GalleryService {
  list(caller: Caller): Promise<string[]>;
  /** @param requireLiveness faces get in, and are verified, only with a liveness token */
  create(caller: Caller, galleryId: string, requireLiveness?: boolean): Promise<void>;
  remove(caller: Caller, galleryId: string): Promise<void>;
}

/**
 * What a passed liveness session gave. It is spent by the call, whatever that then answers.
 * @throws Refusal `livenessNotProven`
 */
export interface LivenessGiven {
  readonly livenessToken?: string | undefined;
}

/** Pictures are the base64 text of the request: the service decodes them and names the field in a refusal. */
export interface EnrolmentService {
  enrol(
    caller: Caller,
    input: {
      galleryId: string;
      userId: string;
      userName: string;
      image: string;
      forceRegister: boolean;
      replace: boolean;
      /** Keeps the faces that the user has and adds this one. */
      append?: boolean;
      checkQuality: boolean;
      checkDuplicate: boolean;
    } & LivenessGiven,
  ): Promise<void>;
  /** Against an identity card: in `cardImage`, or the second face of `image`. */
  enrolWithCard(
    caller: Caller,
    input: {
      galleryId: string;
      userId: string;
      userName: string;
      image: string;
      cardImage: string | undefined;
      minimumSimilarity: number | undefined;
    } & LivenessGiven,
  ): Promise<{ similarity: number; masker: boolean }>;
  list(
    caller: Caller,
    input: {
      galleryId: string;
      limit: number | undefined;
      cursor: string | undefined;
      /** Only whose user_id or name holds this, whatever the case of its letters. */
      search?: string | undefined;
    },
  ): Promise<{ faces: { userId: string; userName: string }[]; nextCursor: string | undefined }>;
  remove(caller: Caller, input: { galleryId: string; userId: string }): Promise<void>;
}

/** How alike is alike enough for one call; with neither, the gallery's or the server's threshold. */
export interface OperatingPoint {
  /** Similarity, 0…1. */
  readonly threshold?: number | undefined;
  /** The same as the false accept rate of one comparison, 1e-6…1. */
  readonly far?: number | undefined;
}

export interface RecognitionService {
  verify(
    caller: Caller,
    input: { galleryId: string; userId: string; image: string } & OperatingPoint & LivenessGiven,
  ): Promise<{
    userName: string;
    similarity: number;
    verified: boolean;
    /** What the similarity was held against. */
    threshold: number;
    masker: boolean;
  }>;
  /** @throws Refusal `notRecognized` (with status_description and an empty list) when nobody is near enough */
  identify(
    caller: Caller,
    input: { galleryId: string; image: string; topK: number } & OperatingPoint,
  ): Promise<{ userId: string; userName: string; confidence: number; mask: boolean }[]>;
  compare(
    caller: Caller,
    input: { sourceImage: string; targetImage: string } & OperatingPoint & LivenessGiven,
  ): Promise<{ similarity: number; verified: boolean; threshold: number; masker: boolean }>;
}

export type AngleName = 'face left' | 'face right' | 'face up' | 'face down' | 'face front';
export type EyesName = 'eyes open' | 'eyes closed';
export type MouthName = 'mouth open' | 'mouth closed';
/** What one picture is asked to show. */
export type Parameter = AngleName | EyesName | MouthName;

/** What one picture showed, in the wire's names; a field is there only when it was evaluated. */
export interface LivenessAttributes {
  similarity?: number;
  masker?: boolean;
  is_spoof?: boolean;
  spoof_score?: number;
  roll?: number;
  pitch?: number;
  yaw?: number;
  left_eye?: 'open' | 'closed';
  right_eye?: 'open' | 'closed';
  left_eye_score?: number;
  right_eye_score?: number;
  mouth?: 'open' | 'closed' | 'masked';
  mouth_score?: number;
}

export interface SingleLiveness {
  readonly liveness: 'passed' | 'failed';
  readonly confidence: number;
  readonly verified: boolean | undefined;
  readonly matchStatus: {
    verified?: boolean;
    is_real?: boolean;
    angle?: boolean;
    eyes?: boolean;
    mouth?: boolean;
  };
  readonly results: LivenessAttributes;
}

export interface BatchLiveness {
  readonly liveness: 'passed' | 'failed';
  /** Why the batch as a whole failed although its images may not have; empty otherwise. */
  readonly reasons: string[];
  /** In the order of the request. */
  readonly results: (LivenessAttributes & {
    match: boolean;
    verified?: boolean;
    error?: { status: string; status_message: string; detail: string };
  })[];
}

export interface LivenessService {
  single(
    caller: Caller,
    input: {
      user: { galleryId: string; userId: string } | undefined;
      image: string;
      angle: AngleName | undefined;
      eyes: 'open' | 'closed' | undefined;
      mouth: 'open' | 'closed' | undefined;
      spoofDetection: boolean;
    },
  ): Promise<SingleLiveness>;
  batch(
    caller: Caller,
    input: {
      user: { galleryId: string; userId: string } | undefined;
      successThreshold: number | undefined;
      items: {
        image: string | null;
        parameter: Parameter;
        spoofDetection: boolean;
        faceVerification: boolean;
      }[];
    },
  ): Promise<BatchLiveness>;
}

/** A session as its client learns of it. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly steps: readonly Parameter[];
  readonly nonce: string;
  readonly expiresAt: Date;
  /** Seconds that it lives. */
  readonly expiresIn: number;
  /** Degrees of yaw and pitch below which a head faces the front. */
  readonly frontAngle: number;
}

export interface SessionVerdict {
  readonly liveness: 'passed' | 'failed';
  /** Whether the frames show the user that the session was opened for; undefined when it was for none. */
  readonly verified: { readonly holds: boolean; readonly similarity: number } | undefined;
  /** Why it was not passed: a name, a colon and a sentence each. */
  readonly reasons: string[];
  /** In the order of the steps. */
  readonly results: (LivenessAttributes & {
    step: Parameter;
    match: boolean;
    frame?: number;
    error?: { status: string; status_message: string; detail: string };
  })[];
  readonly token: { readonly text: string; readonly expiresIn: number } | undefined;
}

export interface LivenessSessionService {
  open(
    caller: Caller,
    input: { user: { galleryId: string; userId: string } | undefined; steps: number },
  ): Promise<OpenedSession>;
  /**
   * Judges a session, once.
   * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired`
   */
  submit(
    caller: Caller,
    input: {
      sessionId: string;
      nonce: string | undefined;
      frames: { step: Parameter; image: string | null; capturedAt: Date | undefined }[];
    },
  ): Promise<SessionVerdict>;
}

/** One hit per authenticated call. */
export interface QuotaService {
  /** @throws Refusal `denied` when the client is not registered or has no hits left */
  take(clientId: string): Promise<void>;
  /** @returns false when there is none left @throws Refusal `denied` when the client is not registered */
  takeIfLeft(clientId: string): Promise<boolean>;
  /** Gives the hit back (the call was refused as busy). */
  giveBack(clientId: string): Promise<void>;
}

/** Accounts, as the operator and the token endpoints see them. */
export interface AccountService {
  /** Creates and registers a client (first gallery included). @throws Error when it exists */
  create(input: {
    clientId: string;
    password?: string;
    quota?: { hits?: number; faces?: number; galleries?: number };
    /** May see how the server is. */
    operator?: boolean;
  }): Promise<{ clientId: string; password: string; accessToken: string; expiresIn: number }>;
  /** @throws Refusal `unauthorized` | `tooManyRequests`; the same answer for an unknown client and a wrong password */
  login(input: {
    clientId: string;
    password: string;
    address: string;
  }): Promise<{ accessToken: string; expiresIn: number }>;
  /** Client and scopes behind a token. @throws Refusal `unauthorized` */
  authenticate(token: string): Promise<{ clientId: string; scopes: readonly string[] | null }>;
  /** Stops a token at once; it must belong to the client whose credentials are given. */
  revoke(input: { token: string; clientId: string; password: string; address: string }): Promise<void>;
}
