import type { z } from 'zod';
import type { StatusName } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/**
 * One endpoint: routes, the OpenAPI document and the tests are made from it.
 *
 * `auth` — `token`: the access token is checked first · `credentials`: the client's password, in the body or HTTP
 * Basic · `none`.
 * `hit` — when the call is counted: `before` the body is read · `while left`: then, too, but it is answered also when no
 * call is left, for nobody is kept from erasing · `after` the service (the client has no counters before), answered in
 * any case · never.
 */
export interface Endpoint<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** camelCase, unique; the operationId of the OpenAPI document. */
  readonly id: string;
  readonly tag: 'client' | 'facegallery' | 'face' | 'compare' | 'liveness' | 'oauth' | 'system';
  /** The first is the one of the specification. */
  readonly methods: readonly [Method, ...Method[]];
  readonly path: string;
  readonly summary: string;
  readonly auth: 'token' | 'credentials' | 'none';
  readonly hit: 'before' | 'while left' | 'after' | 'never';
  readonly request: Request;
  readonly answer: Answer;
  /** `status_message` of success where it is not the common one. */
  readonly message?: string;
  /** Rows of the status table it can answer besides those that all endpoints share. */
  readonly refusals: readonly StatusName[];
  /** The body of a 411, where it carries more than the envelope. */
  readonly miss?: z.ZodType;
  readonly example: { readonly request: Readonly<Record<string, unknown>>; readonly answer: unknown };
}

/** Keeps the exact types of the schemas. */
export function endpoint<Request extends z.ZodObject, Answer extends z.ZodType>(
  definition: Endpoint<Request, Answer>,
): Endpoint<Request, Answer> {
  return definition;
}

/** Rows that any endpoint behind a token can answer. */
export const tokenRefusals: readonly StatusName[] = [
  'malformed',
  'unauthorized',
  'denied',
  'tooManyRequests',
  'serverError',
  'busy',
];

/** All rows an endpoint can answer besides success. */
export function refusalsOf({ auth, refusals }: Endpoint): readonly StatusName[] {
  return auth === 'token' ? [...new Set([...tokenRefusals, ...refusals])] : refusals;
}

/** Whether a request carries pictures, and so may be large. */
export function carriesPictures({ request }: Endpoint): boolean {
  return Object.keys(request.shape).some(
    (field) => field === 'batch' || field === 'frames' || field.endsWith('image'),
  );
}
