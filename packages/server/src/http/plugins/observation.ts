import { statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { onceIn } from '../../lib/periodic.ts';
import type { RequireOperator } from '../../services/accounts/clients.ts';
import type { ActivityRecorder, RecordedCall } from '../../services/activity/activity-recorder.ts';
import type { RequestTrace, Tracer } from '../../services/caller.ts';
import type { RequireToken } from './auth.ts';
import { callerOf, endpointOf, isDisconnected } from './request-state.ts';

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
        const { status } = statuses[request.refusal?.status ?? 'success'];
        const http = reply.raw.headersSent ? reply.statusCode : null;
        const route = endpointOf(request)?.path ?? null;
        request.trace?.end({ route, trxId: request.trxId, status, http });
      });
    });
  },
  { name: 'traces', dependencies: ['request-state'] },
);

/** Characters of a refusal's detail that are recorded, and of its parameters as JSON. */
const maxText = 1000;

export interface CallRecordsOptions {
  readonly recorder: Pick<ActivityRecorder, 'record'>;
}

/** Logs one line for each request, never its body, query string or token; records the calls of clients. */
export const callRecords = plugin(
  async (app: FastifyInstance, { recorder }: CallRecordsOptions) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Fastify calls no later hook when the client disconnects before the answer.
      reply.raw.once('close', () => {
        if (isDisconnected(reply)) app.log.info({ ...factsOf(request, reply), gone: true }, 'request');
      });
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      const { status } = statuses[request.refusal?.status ?? 'success'];
      app.log.info({ ...factsOf(request, reply), status, http: reply.statusCode }, 'request');
      const { clientId } = request;
      const endpoint = endpointOf(request);
      if (clientId !== null && endpoint && endpoint.hit !== 'never') {
        recorder.record({
          at: new Date(),
          clientId,
          route: endpoint.path,
          status,
          ms: Math.round(reply.elapsedTime),
          refused: refusedCall(request),
        });
      }
      done();
    });
  },
  { name: 'call-records', dependencies: ['request-state'] },
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

/** Rate-limited calls are left out: they would displace the refusals before them. */
function refusedCall({ refusal, observed, trxId, subject }: FastifyRequest): RecordedCall['refused'] {
  if (refusal?.status === 'tooManyRequests' || (refusal === null && observed.denial === null)) return null;
  // A refusal that names another user is recorded without its sentence: the record would outlive that user's deletion.
  const namesAnother = refusal !== null && 'duplicate_user_id' in refusal.fields;
  const sentence = refusal === null ? observed.denial : refusal.detail;
  const fits = refusal !== null && JSON.stringify(refusal.params).length <= maxText;
  return {
    error: refusal?.code ?? null,
    params: fits && !namesAnother ? refusal.params : null,
    detail: namesAnother ? null : (sentence?.slice(0, maxText) ?? null),
    trxId,
    galleryId: subject.galleryId,
    // A picture of somebody else is no call about this user.
    userId: refusal?.code === 'appendedDiffers' ? null : subject.userId,
    similarity: observed.similarity,
    spoofScore: observed.spoofScore,
  };
}

/** Upper bounds of the latency histogram, seconds: the analysis of a picture takes 0.05 to 1. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface MetricsOptions {
  readonly who: Exclude<Config['metrics'], 'off'>;
  readonly registry: Registry;
  readonly requireToken: RequireToken;
  readonly requireOperator: RequireOperator;
}

/** `/metrics` in the format of Prometheus. Labels come from fixed sets: no client, no user, no gallery. */
export const metrics = plugin(
  async (app: FastifyInstance, { who, registry, requireToken, requireOperator }: MetricsOptions) => {
    measureCalls(app, registry);
    collectDefaultMetrics({ register: registry });
    // To write them takes milliseconds, and callers may be unknown.
    const text = onceIn(() => registry.metrics());
    app.route({
      method: 'GET',
      url: '/metrics',
      onRequest: who === 'operator' ? [requireToken] : [],
      handler: async (request, reply) => {
        if (who === 'operator') await requireOperator(callerOf(request, reply));
        return reply.header('content-type', registry.contentType).send(await text());
      },
    });
  },
  { name: 'metrics', dependencies: ['envelope', 'rate-limit'] },
);

function measureCalls(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'wajah_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['route', 'status'],
    buckets,
    registers: [registry],
  });
  let inFlight = 0;
  const running: Gauge = new Gauge({
    name: 'wajah_http_requests_in_flight',
    help: 'Requests whose answer is not sent',
    registers: [registry],
    collect: () => running.set(inFlight),
  });
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = endpointOf(request)?.path ?? 'other';
    const { status } = statuses[request.refusal?.status ?? 'success'];
    seconds.observe({ route, status }, reply.elapsedTime / 1000);
    done();
  });
}
