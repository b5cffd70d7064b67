import { statuses } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import type { RequestTrace, Tracer } from '../../../services/call-trace.ts';
import { endpointOf } from '../request-state.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: the server makes no traces. */
    trace: RequestTrace | null;
  }
}

/** One span a request, with one for each stage of the analysis of its pictures. */
export const traces = plugin(
  async (app: FastifyInstance, { tracer }: { readonly tracer: Tracer | null }) => {
    app.decorateRequest('trace', null);
    if (!tracer) return;
    app.addHook('onRequest', (request, reply, done) => {
      request.trace = tracer.begin(request.method, request.headers, done);
      reply.raw.once('close', () => {
        const { status } = statuses[request.refusal ?? 'success'];
        const http = reply.raw.headersSent ? reply.statusCode : null;
        const route = endpointOf(request)?.path ?? null;
        request.trace?.end({ route, trxId: request.trxId, status, http });
      });
    });
  },
  { name: 'traces', dependencies: ['request-state'] },
);
