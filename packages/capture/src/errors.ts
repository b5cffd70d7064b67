import type { Step } from './transport/protocol.ts';

/** Why a session ended without a verdict. */
export type ErrorCode =
  /** The page is neither https nor localhost. */
  | 'insecure'
  /** The browser, or the view of an app, gives pages no camera. */
  | 'browser'
  /** The page that embeds this one, or a header of its server, withholds the camera. */
  | 'camera-withheld'
  | 'camera-denied'
  | 'camera-none'
  | 'camera-busy'
  /** The camera's track ended during the session. */
  | 'camera-lost'
  /** The page was hidden during the session. */
  | 'hidden'
  | 'network'
  /** The session expired. */
  | 'expired'
  /** A newer session of the same person has ended this one. */
  | 'ended'
  /** Too many calls or tries (status 429); `retryAfter` says when to try again. */
  | 'paused'
  /** The server refused a call; `status` and `message` are the server's. */
  | 'refused'
  /** The page set neither a transport nor its URLs. */
  | 'not-configured'
  /** By the person, or by `stop()`. */
  | 'cancelled';

/** What is known about the end of a session. */
export interface LivenessErrorDetails {
  /** Status of the refusal. */
  readonly status?: string | undefined;
  /** Seconds after which a try can succeed. */
  readonly retryAfter?: number | undefined;
  /** Those that may be free, after the one that is not. */
  readonly cameras?: readonly MediaDeviceInfo[];
  /** The step that was not detected in time, and its index from 0 on. */
  readonly missed?: { readonly step: Step; readonly index: number; readonly total: number } | undefined;
}

/** A session that ended without a verdict. */
export class LivenessError extends Error {
  readonly code: ErrorCode;
  readonly details: LivenessErrorDetails;

  constructor(code: ErrorCode, message: string = code, details: LivenessErrorDetails = {}) {
    super(message);
    this.name = 'LivenessError';
    this.code = code;
    this.details = details;
  }

  get status(): string | undefined {
    return this.details.status;
  }

  get retryAfter(): number | undefined {
    return this.details.retryAfter;
  }
}

/** A refused call. */
export class TransportError extends Error {
  /** `status` of the answer; without one the HTTP status. */
  readonly status: string;
  /** Seconds, from Retry-After. */
  readonly retryAfter: number | undefined;
  /** `error` of the answer. */
  readonly error: unknown;

  constructor(status: string, detail: string, retryAfter?: number, error?: unknown) {
    super(detail);
    this.name = 'TransportError';
    this.status = status;
    this.retryAfter = retryAfter;
    this.error = error;
  }
}

const codes: Readonly<Record<string, ErrorCode>> = { '420': 'expired', '429': 'paused' };

export function toLivenessError(thrown: unknown): LivenessError {
  if (thrown instanceof LivenessError) return thrown;
  if (thrown instanceof TransportError) {
    const code = thrown.error === 'sessionEnded' ? 'ended' : (codes[thrown.status] ?? 'refused');
    return new LivenessError(code, thrown.message, {
      status: thrown.status,
      retryAfter: thrown.retryAfter,
    });
  }
  return new LivenessError('network', thrown instanceof Error ? thrown.message : String(thrown));
}
