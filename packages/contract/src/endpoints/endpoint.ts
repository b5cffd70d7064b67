import { z } from 'zod';
import type { StatusName } from '../refusals/statuses.ts';
import type { Scope } from '../values.ts';
import type { Command } from './command.ts';

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
  /** The other service whose interface it is of: its answers have no envelope. */
  readonly profile?: string;
  readonly hit: 'before' | 'while left' | 'after' | 'never';
  /** Whether the page of a hosted session may make the call, about that session, with its secret in place of a token. */
  readonly hosted?: true;
  /** What a token must have; null: the call takes no token. */
  readonly scope: Scope | null;
  /** Whether it changes nothing, so that a client may send it again without knowing what became of it. */
  readonly repeatable: boolean;
  /**
   * Whether its success takes away what cannot be had back, such as data or tokens: pages ask before they send it. Of a row
   * by default that of the method DELETE.
   */
  readonly destroys?: boolean;
  /** Most pictures of a request. */
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

/** What the operator of the installation, who opens its socket, may send and is told besides. */
export interface OperatorPart<Sent extends z.ZodRawShape, Told extends z.ZodRawShape> {
  /** Whether the call may name no client. Those of the scope `operate` name none. */
  readonly client?: 'optional';
  readonly request?: Sent;
  readonly answer?: Told;
}

/** An endpoint of Wajah's own interface, with what becomes of its result. */
export interface OwnEndpoint<
  Request extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Sent extends z.ZodRawShape = z.ZodRawShape,
  Told extends z.ZodRawShape = z.ZodRawShape,
> extends Endpoint<Request, Answer> {
  /** The commands that call it; a text is their `usage`. */
  readonly command?: string | Command | readonly Command[];
  /** Absent: what a client with every scope may. */
  readonly operator?: OperatorPart<Sent, Told>;
  /** Event of the audit trail that its success is; null: it changes and shows nothing of a person. */
  readonly audits: string | null;
  /** Fields of the answer that only the scope `diagnostics` sees, by path, through lists: `results.spoof_score`. */
  readonly diagnostics?: readonly string[];
  /** Further ones where the face was not accepted. */
  readonly diagnosticsOfDenial?: readonly string[];
}

/** An endpoint without its id, which is its key in the table of endpoints. */
export type Definition<
  Request extends z.ZodObject,
  Answer extends z.ZodType,
  Sent extends z.ZodRawShape = z.ZodRawShape,
  Told extends z.ZodRawShape = z.ZodRawShape,
> = Omit<OwnEndpoint<Request, Answer, Sent, Told>, 'id'>;

/**
 * A row of the table: every column is stated that another value could open. `access` is the scope that its token needs, or
 * how it does without one. By default it takes no pictures, and has no rows of refusals of its own.
 */
type Row<
  Request extends z.ZodObject,
  Answer extends z.ZodType,
  Sent extends z.ZodRawShape,
  Told extends z.ZodRawShape,
> = Omit<Definition<Request, Answer, Sent, Told>, 'auth' | 'scope' | 'pictures' | 'refusals'> &
  Partial<Pick<Endpoint, 'pictures' | 'refusals'>> & {
    readonly access: Scope | Exclude<Endpoint['auth'], 'token'>;
  };

/** No further fields. */
export type None = Record<never, never>;

/** The definition of a row. */
export function endpoint<
  Request extends z.ZodObject,
  Answer extends z.ZodType,
  Sent extends z.ZodRawShape = None,
  Told extends z.ZodRawShape = None,
>(row: Row<Request, Answer, Sent, Told>): Definition<Request, Answer, Sent, Told> {
  const destroys = row.methods[0] === 'DELETE';
  const { access, ...columns } = { pictures: 0, refusals: [], destroys, ...row };
  if (access === 'credentials' || access === 'none') return { ...columns, auth: access, scope: null };
  return { ...columns, auth: 'token', scope: access };
}

/** The endpoint as the operator's socket has it. */
export function operatorEndpoint<One extends OwnEndpoint>(endpoint: One): One {
  const { request, answer, operator = {} } = endpoint;
  return {
    ...endpoint,
    request: operator.request ? request.safeExtend(operator.request) : request,
    answer: operator.answer && answer instanceof z.ZodObject ? answer.safeExtend(operator.answer) : answer,
  };
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
