import type { z } from 'zod';
import type { StatusName } from '../errors.ts';
import type { Scope } from '../values.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One endpoint: the routes, the OpenAPI document and the tests are derived from it.
 *
 * `auth` — `token`: the access token is checked first · `credentials`: the client's password, in the body or HTTP
 * Basic · `none`.
 * `hit` — when the call is counted: `before` the body is read · `while left`: then too, but the call is answered also
 * when the quota is used up, so that a client can always erase its data · `after` the service, answered in any case: the
 * client has no counters before · `never`.
 */
export interface Endpoint<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** camelCase, unique; the operationId of the OpenAPI document. */
  readonly id: string;
  readonly tag: 'client' | 'facegallery' | 'face' | 'person' | 'compare' | 'liveness' | 'oauth' | 'system';
  /** The first is the one of the specification. */
  readonly methods: readonly [Method, ...Method[]];
  readonly path: string;
  readonly summary: string;
  readonly auth: 'token' | 'credentials' | 'none';
  /** Of another service's interface, whose answers have no envelope. */
  readonly profile?: 'compreface';
  readonly hit: 'before' | 'while left' | 'after' | 'never';
  /** What a token must have; null: the call takes no token. */
  readonly scope: Scope | null;
  /** Whether it changes nothing, so that a client may send it again without knowing what became of it. */
  readonly repeatable: boolean;
  /** Most pictures of a request; infinite for a list of them. */
  readonly pictures: number;
  readonly request: Request;
  readonly answer: Answer;
  /** `status_message` of a success where it is not the common one. */
  readonly message?: string;
  /** Rows of the status table that it answers besides those shared by all endpoints. */
  readonly refusals: readonly StatusName[];
  /** The body of a 411, where it carries more than the envelope. */
  readonly miss?: z.ZodType;
  readonly example: { readonly request: Readonly<Record<string, unknown>>; readonly answer: unknown };
}

const defaults = { methods: ['POST'], auth: 'token', hit: 'before', refusals: [] } as const;

/** An endpoint without its id, which is its key in the table of endpoints. */
export type Definition<Request extends z.ZodObject, Answer extends z.ZodType> = Omit<
  Endpoint<Request, Answer>,
  'id'
>;

/** Completes a definition with `POST`, the token, a hit before the body, and no refusals of its own. */
export function endpoint<Request extends z.ZodObject, Answer extends z.ZodType>(
  definition: Omit<Definition<Request, Answer>, keyof typeof defaults> &
    Partial<Pick<Endpoint, keyof typeof defaults>>,
): Definition<Request, Answer> {
  return { ...defaults, ...definition };
}

/** Rows of refusals shared by all endpoints behind a token. */
const tokenRefusals: readonly StatusName[] = [
  'malformed',
  'unauthorized',
  'denied',
  'tooManyRequests',
  'serverError',
  'busy',
];

/** All rows of refusals that an endpoint can answer. */
export function refusalsOf({ auth, refusals }: Endpoint): readonly StatusName[] {
  return auth === 'token' ? [...new Set([...tokenRefusals, ...refusals])] : refusals;
}
