import { type Miss, refusals } from './wire.ts';

/** Statuses of the client itself. */
const clientStatuses = {
  /** No connection, or a lost one. The call may have been executed. */
  network: 'unreachable',
  /** The call took longer than `timeoutMs`. It may have been executed. */
  timeout: 'timedOut',
  /** The answer is not Wajah's; probably a proxy's. */
  unexpected: 'notWajah',
} as const;

const names = { ...refusals, ...clientStatuses };

type Names = typeof names;

/** A refusal of the status table, or `network`, `timeout`, `unexpected`. */
export type Status = keyof Names;

/** The answer of a refused call. */
export interface Refusal {
  readonly status: string;
  readonly status_message: string;
  readonly detail: string;
  readonly trx_id: string;
  /** The code of the refusal; of a login, it is that of RFC 6749, and `error_code` has the code. */
  readonly error: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** Each member of a union with the other members' fields as undefined, so that each field can be read. */
type Merged<Union, All extends PropertyKey = KeyOf<Union>> = Union extends unknown
  ? Union & { readonly [Name in Exclude<All, keyof Union>]?: never }
  : never;

type AnswerOf<S extends Status> = S extends '411'
  ? Merged<Miss>
  : S extends keyof typeof clientStatuses
    ? undefined
    : Refusal;

interface ErrorFields<S extends Status> {
  readonly detail: string;
  readonly error?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly http?: number | undefined;
  readonly answer?: AnswerOf<S> | undefined;
  readonly trxId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call but an abort by its caller. */
export class WajahError<S extends Status = Status> extends Error {
  override readonly name = 'WajahError';
  /** The status of the table, or the client's own. */
  readonly status: S;
  /** The name of the status: `faceTooSmall`. */
  readonly code: Names[S];
  /** The field, the value found and what is allowed. For people; the wording may change. */
  readonly detail: string;
  /** The code of the refusal: a status may have several. `clientNotRegistered` is one of 403; undefined without an answer. */
  readonly error: string | undefined;
  /** The values in `detail`, by name; empty without an answer. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The transaction identifier, as in the server's log. */
  readonly trxId: string | undefined;
  /** The HTTP status; undefined without an answer. */
  readonly http: number | undefined;
  /** The whole answer; that of a 411 has the similarity. */
  readonly answer: AnswerOf<S>;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Milliseconds, from Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(status: S, fields: ErrorFields<S>) {
    const { detail, error, params = {}, http, answer, trxId, retryAfterMs, cause } = fields;
    super(`${status} ${names[status]}: ${detail}`, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = names[status];
    this.detail = detail;
    this.error = error;
    this.params = params;
    this.trxId = trxId;
    this.http = http;
    this.answer = answer as AnswerOf<S>;
    const isTransient = status === 'unexpected' && http !== undefined && [429, 502, 503, 504].includes(http);
    this.retryable = isTransient || ['429', '503', 'network', 'timeout'].includes(status);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The errors as a union, discriminated by `status` or `code`. */
export type AnyWajahError = { [S in Status]: WajahError<S> }[Status];

/**
 * Whether a caught value is the error of a call.
 *
 * @example
 * if (isWajahError(error) && error.status === '413') console.log(error.detail);
 */
export function isWajahError(error: unknown): error is AnyWajahError {
  return error instanceof WajahError;
}

/** Whether a status is a refusal of the status table. */
export function isRefusal(status: unknown): status is keyof typeof refusals {
  return typeof status === 'string' && Object.hasOwn(refusals, status);
}
