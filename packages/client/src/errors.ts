import type { Miss } from './wire/calls.ts';
import { refusals } from './wire/statuses.ts';

/** The statuses that are not of the server, and their names. */
const own = {
  /** No connection, or it was cut. The call may have been executed. */
  network: 'unreachable',
  /** The call took longer than `timeoutMs`. It may have been executed. */
  timeout: 'timedOut',
  /** An answer that is not of Wajah: a proxy's, most likely. */
  unexpected: 'notWajah',
} as const;

const names = { ...refusals, ...own };

type Names = typeof names;

/** A status of the table that refuses, or `network`, `timeout`, `unexpected`. */
export type Status = keyof Names;

/** What a refusal carries. */
export interface Refusal {
  readonly status: string;
  readonly status_message: string;
  readonly detail: string;
  readonly trx_id: string;
  readonly [field: string]: unknown;
}

type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** Each member, with the others' fields as undefined, so that they can be asked for. */
type Any<Union, All extends PropertyKey = KeyOf<Union>> = Union extends unknown
  ? Union & { readonly [Name in Exclude<All, keyof Union>]?: never }
  : never;

type AnswerOf<S extends Status> = S extends '411'
  ? Any<Miss>
  : S extends keyof typeof own
    ? undefined
    : Refusal;

interface Told<S extends Status> {
  readonly detail: string;
  readonly http?: number | undefined;
  readonly answer?: AnswerOf<S> | undefined;
  readonly trxId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Whatever goes wrong with a call, except that its caller gave it up. */
export class WajahError<S extends Status = Status> extends Error {
  override readonly name = 'WajahError';
  /** What tells the errors apart. */
  readonly status: S;
  /** The same in a word: `faceTooSmall`. */
  readonly code: Names[S];
  /** The server's sentence: the field, what was found, what is allowed. For people; it may change. */
  readonly detail: string;
  /** The transaction, as in the log of the server. */
  readonly trxId: string | undefined;
  /** The HTTP status; undefined when there was no answer. */
  readonly http: number | undefined;
  /** The whole answer; of a 411 with its similarity. */
  readonly answer: AnswerOf<S>;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(status: S, { detail, http, answer, trxId, retryAfterMs, cause }: Told<S>) {
    super(`${status} ${names[status]}: ${detail}`, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = names[status];
    this.detail = detail;
    this.trxId = trxId;
    this.http = http;
    this.answer = answer as AnswerOf<S>;
    const passing = status === 'unexpected' && http !== undefined && [429, 502, 503, 504].includes(http);
    this.retryable = passing || ['429', '503', 'network', 'timeout'].includes(status);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The errors as a union: `status` or `code` says which one it is. */
export type AnyWajahError = { [S in Status]: WajahError<S> }[Status];

/**
 * Whether something that was caught is an error of a call; then `status` tells them apart.
 *
 * @example
 * if (isWajahError(error) && error.status === '413') console.log(error.detail);
 */
export function isWajahError(error: unknown): error is AnyWajahError {
  return error instanceof WajahError;
}

/** Whether the server knows this status as a refusal. */
export function isRefusal(status: unknown): status is keyof typeof refusals {
  return typeof status === 'string' && Object.hasOwn(refusals, status);
}
