/** Why a session came to no verdict. */
export type ErrorCode =
  /** The page is neither https nor localhost, or the browser has no camera support. */
  | 'insecure'
  | 'camera-denied'
  | 'camera-none'
  | 'camera-busy'
  /** The camera's track ended in the middle. */
  | 'camera-lost'
  /** The page was hidden in the middle. */
  | 'hidden'
  | 'network'
  /** The time of the session was over. */
  | 'expired'
  /** The server refused; `status` and `detail` say why. */
  | 'refused'
  /** Neither a transport nor the addresses for one. */
  | 'not-configured'
  /** The person, or the page by `stop()`, ended it. */
  | 'cancelled';

/** A session that came to no verdict. */
export class LivenessError extends Error {
  readonly code: ErrorCode;
  /** Status of the envelope, when the server refused. */
  readonly status: string | undefined;

  constructor(code: ErrorCode, message: string = code, status?: string) {
    super(message);
    this.name = 'LivenessError';
    this.code = code;
    this.status = status;
  }
}

/** A call that the server refused. */
export class TransportError extends Error {
  /** Status of the envelope; the HTTP status where there is none. */
  readonly status: string;
  /** Seconds to wait before the next call, from Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(status: string, detail: string, retryAfter?: number) {
    super(detail);
    this.name = 'TransportError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Whatever was thrown on the way to a verdict, as an error with a code. */
export function toLivenessError(thrown: unknown): LivenessError {
  if (thrown instanceof LivenessError) return thrown;
  if (thrown instanceof TransportError) {
    const code = thrown.status === '420' ? 'expired' : 'refused';
    return new LivenessError(code, thrown.message, thrown.status);
  }
  return new LivenessError('network', thrown instanceof Error ? thrown.message : String(thrown));
}
