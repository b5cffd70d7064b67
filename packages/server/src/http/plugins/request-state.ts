import { carriesPictures, type Endpoint, nameProblem, normaliseName, type StatusName } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { uuidv7 } from 'uuidv7';
import type { Caller } from '../../services/services.ts';
import { nothingObserved, type Observed } from '../views/observed.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** The caller's transaction identifier, or one made here. */
    trxId: string;
    /** Set by authentication. */
    clientId: string | null;
    /** A hit was taken from the client's quota. */
    hitTaken: boolean;
    /** The row of the status table that was answered instead of success. */
    refusal: StatusName | null;
    /** The sentence of the refusal; null also where it names somebody else. */
    refusalDetail: string | null;
    /** What the token may do; null: everything. */
    scopes: readonly string[] | null;
    /** Whom the call was about, once its fields are read. */
    subject: { readonly userId: string | null; readonly galleryId: string | null };
    /** What the answer, or the refusal, tells of the faces that were seen. */
    observed: Observed;
  }
}

const noSubject = { userId: null, galleryId: null };

/** What the plugins know of a request while it runs. */
export const requestState = plugin(
  async (app: FastifyInstance) => {
    app.decorateRequest('trxId', '');
    app.decorateRequest('clientId', null);
    app.decorateRequest('hitTaken', false);
    app.decorateRequest('refusal', null);
    app.decorateRequest('refusalDetail', null);
    app.decorateRequest('scopes', null);
    app.decorateRequest('subject');
    app.decorateRequest('observed');
    app.addHook('onRequest', async (request) => {
      request.trxId = uuidv7();
      request.subject = noSubject;
      request.observed = nothingObserved;
      useTrxId(request, request.query);
    });
  },
  { name: 'request-state' },
);

/** Takes over the trx_id of a query or body, when it is a usable one. */
export function useTrxId(request: FastifyRequest, given: unknown): void {
  const trxId = (given as { trx_id?: unknown } | null)?.trx_id;
  if (typeof trxId !== 'string') return;
  const name = normaliseName(trxId);
  if (name !== '' && nameProblem(name) === null) request.trxId = name;
}

/** The endpoint behind a request; undefined for unknown paths. */
export function endpointOf(request: FastifyRequest): Endpoint | undefined {
  return request.routeOptions.config.endpoint;
}

/** Whether the request's body may be large. */
export function mayCarryPictures(request: FastifyRequest): boolean {
  const endpoint = endpointOf(request);
  return endpoint !== undefined && carriesPictures(endpoint);
}

/** Whether the other side has gone before it got its answer. */
export function isGone(reply: FastifyReply): boolean {
  return reply.raw.destroyed && !reply.raw.headersSent;
}

/** Who calls. The signal aborts when the connection closes before the answer begins. */
export function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  const gone = new AbortController();
  if (isGone(reply)) gone.abort();
  reply.raw.once('close', () => {
    if (isGone(reply)) gone.abort();
  });
  const { trxId, scopes } = request;
  return { clientId: request.clientId ?? '', trxId, scopes, signal: gone.signal };
}
