import { type Endpoint, nameProblem, normaliseName } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { uuidv7 } from 'uuidv7';
import type { Refusal } from '../../errors.ts';
import type { Hit } from '../../services/accounts/ports.ts';
import type { Caller } from '../../services/caller.ts';
import { nothingObserved, type Observed } from '../observed.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** The client's transaction identifier, or a generated one. */
    trxId: string;
    /** Set by authentication. */
    clientId: string | null;
    /** Whether the operator of the installation made the call, on the socket; `clientId` is whom it is made for. */
    isOperator: boolean;
    /** The session whose page made the call with its secret; null: a token was sent. */
    sessionId: string | null;
    /** The gallery that the token is bound to; null: to none. */
    boundGallery: string | null;
    /** What was taken from the client's quota. */
    hit: Hit | null;
    /** Null: it is not refused. */
    refusal: Refusal | null;
    /** Scopes of the token; null: the ordinary ones. */
    scopes: readonly string[] | null;
    /** User and gallery of the request, once its fields are read. */
    subject: { readonly userId: string | null; readonly galleryId: string | null };
    /** The scores of the answer or refusal. */
    observed: Observed;
    /** Served as the public cloud serves its programs; absent without that profile. */
    readonly asCloud?: boolean;
  }
}

const noSubject = { userId: null, galleryId: null };

/** Declares the state of a request that plugins share. */
export const requestState = plugin(
  async (app: FastifyInstance) => {
    app.decorateRequest('trxId', '');
    app.decorateRequest('clientId', null);
    app.decorateRequest('isOperator', false);
    app.decorateRequest('sessionId', null);
    app.decorateRequest('boundGallery', null);
    app.decorateRequest('hit', null);
    app.decorateRequest('refusal', null);
    app.decorateRequest('scopes', null);
    app.decorateRequest('subject');
    app.decorateRequest('observed');
    app.addHook('onRequest', (request, _reply, done) => {
      request.trxId = uuidv7();
      request.subject = noSubject;
      request.observed = nothingObserved;
      useTrxId(request, { trx_id: request.headers['x-trx-id'] });
      useTrxId(request, request.query);
      done();
    });
  },
  { name: 'request-state' },
);

/** Adopts the trx_id of a query or body when it is valid. */
export function useTrxId(request: FastifyRequest, fields: unknown): void {
  const trxId = (fields as { trx_id?: unknown } | null)?.trx_id;
  if (typeof trxId !== 'string' && !Number.isSafeInteger(trxId)) return;
  const name = normaliseName(String(trxId));
  if (name !== '' && nameProblem(name) === null) request.trxId = name;
}

/** The endpoint of a request; undefined for unknown paths. */
export function endpointOf(request: FastifyRequest): Endpoint | undefined {
  return request.routeOptions.config.endpoint;
}

/** Whether the request's body may be large. */
export function mayCarryPictures(request: FastifyRequest): boolean {
  return (endpointOf(request)?.pictures ?? 0) > 0;
}

/** Whether the client has disconnected before the answer began. */
export function isDisconnected(reply: FastifyReply): boolean {
  return reply.raw.destroyed && !reply.raw.headersSent;
}

/** The caller for services; its signal aborts when the client disconnects before the answer begins. */
export function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  const { trxId, scopes, isOperator } = request;
  const operation = endpointOf(request)?.id;
  let signal: AbortSignal | undefined;
  return {
    clientId: request.clientId ?? '',
    trxId,
    operation,
    scopes,
    isOperator,
    asCloud: request.asCloud,
    origin: `${request.protocol}://${request.host}`,
    ...(request.sessionId !== null && { sessionId: request.sessionId }),
    ...(request.trace && { trace: request.trace }),
    // Most calls without pictures need none.
    get signal() {
      signal ??= disconnection(reply);
      return signal;
    },
  };
}

function disconnection(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abortIfDisconnected = () => {
    if (isDisconnected(reply)) disconnected.abort();
  };
  abortIfDisconnected();
  reply.raw.once('close', abortIfDisconnected);
  return disconnected.signal;
}
