import { statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import type { Refusal } from '../../errors.ts';
import type { RecordedCall } from '../../events/ports.ts';
import type { Events } from '../../events/table.ts';
import { onceIn } from '../../lib/periodic.ts';
import type { RequireOperator } from '../../services/accounts/ports.ts';
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

interface CallEventsOptions {
  readonly events: Events;
  /** Calls of the operator are none of a client's, and no network's: they are neither counted nor measured. */
  readonly byOperator?: boolean;
}

/** Every request is an event, when it is answered or its client has left. */
export const callEvents = plugin(
  async (app: FastifyInstance, { events, byOperator = false }: CallEventsOptions) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Fastify calls no later hook when the client disconnects before the answer.
      reply.raw.once('close', () => {
        if (isDisconnected(reply))
          events.observe('request', request, { ...factsOf(request, reply), gone: true });
      });
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      const { status } = statuses[request.refusal?.status ?? 'success'];
      const facts = { ...factsOf(request, reply), status, http: reply.statusCode, ...reasonOf(request) };
      const answered = { status, ms: reply.elapsedTime, call: recordedCall(request, status) };
      events.observe('request', request, facts, byOperator ? undefined : answered);
      done();
    });
  },
  { name: 'call-events', dependencies: ['request-state'] },
);

function factsOf(request: FastifyRequest, reply: FastifyReply) {
  const route = endpointOf(request)?.path ?? null;
  return { method: request.method, route, ms: Math.round(reply.elapsedTime) };
}

/** Programs of the public cloud get no sentence: the line says which field is wrong, and never its value. */
function reasonOf({ refusal }: FastifyRequest) {
  if (refusal === null) return {};
  const { problems } = refusal.params;
  const [first] = Array.isArray(problems) ? problems : [];
  const field: unknown = first?.params?.field;
  return { error: refusal.code, ...(typeof field === 'string' && { field }) };
}

/** The call of a client, as statistics count it; null: it is none, or is not counted. */
function recordedCall(request: FastifyRequest, status: string): RecordedCall | null {
  const { clientId } = request;
  const endpoint = endpointOf(request);
  if (clientId === null || !endpoint || endpoint.hit === 'never') return null;
  return { at: new Date(), clientId, route: endpoint.path, status, refused: refusedCall(request) };
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
    userId: refusal !== null && mayBeOfAnother(refusal) ? null : subject.userId,
    similarity: observed.similarity,
    spoofScore: observed.spoofScore,
  };
}

/** A picture of somebody else is no call about the user whom it was compared with. */
const mayBeOfAnother = ({ code, fields }: Refusal): boolean =>
  code === 'appendedDiffers' || (code === 'userEnrolled' && 'similarity' in fields);

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

/** Adds the requests whose answer is not sent. */
function measureCalls(app: FastifyInstance, registry: Registry): void {
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
}
