import { statuses } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { endpointOf, isGone } from './request-state.ts';

/** One line for each request. Never its body, query string or token. */
export const requestLog = plugin(
  async (app: FastifyInstance) => {
    app.addHook('onResponse', async (request, reply) => {
      const fields = {
        trx_id: request.trxId,
        client_id: request.clientId,
        method: request.method,
        route: endpointOf(request)?.path ?? null,
        status: request.refusal === null ? statuses.success.status : statuses[request.refusal].status,
        http: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(isGone(reply) ? { gone: true } : {}),
      };
      request.log.info(fields, 'request');
    });
  },
  { name: 'request-log', dependencies: ['request-state'] },
);
