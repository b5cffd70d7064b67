import { statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { endpointOf, isGone } from './request-state.ts';

/** One line for each request. Never its body, query string or token. */
export const requestLog = plugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', async (request, reply) => {
      // Of a caller that left before the answer Fastify says nothing more.
      reply.raw.once('close', () => {
        if (isGone(reply)) app.log.info({ ...factsOf(request, reply), gone: true }, 'request');
      });
    });
    app.addHook('onResponse', async (request, reply) => {
      const { refusal } = request;
      const { status } = statuses[refusal ?? 'success'];
      app.log.info({ ...factsOf(request, reply), status, http: reply.statusCode }, 'request');
    });
  },
  { name: 'request-log', dependencies: ['request-state'] },
);

function factsOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    trx_id: request.trxId,
    client_id: request.clientId,
    method: request.method,
    route: endpointOf(request)?.path ?? null,
    ms: Math.round(reply.elapsedTime),
  };
}
