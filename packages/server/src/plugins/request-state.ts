import { carriesPictures, type Endpoint, nameProblem, normaliseName, type StatusName } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { uuidv7 } from 'uuidv7';
import type { Caller } from '../services/services.ts';

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
  }
}

/** What the plugins know of a request while it runs. */
export const requestState = plugin(
  async (app: FastifyInstance) => {
    app.decorateRequest('trxId', '');
    app.decorateRequest('clientId', null);
    app.decorateRequest('hitTaken', false);
    app.decorateRequest('refusal', null);
    app.addHook('onRequest', async (request) => {
      request.trxId = uuidv7();
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
  return { clientId: request.clientId ?? '', trxId: request.trxId, signal: gone.signal };
}
