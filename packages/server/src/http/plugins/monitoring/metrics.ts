import { statuses } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { Config } from '../../../config/config.ts';
import type { StatusService } from '../../../services/activity/status.ts';
import type { RequireToken } from '../auth.ts';
import { callerOf, endpointOf } from '../request-state.ts';

/** Upper bounds of the latency histogram, seconds: the analysis of a picture takes 0.05 to 1. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface MetricsOptions {
  readonly who: Exclude<Config['metrics'], 'off'>;
  readonly registry: Registry;
  readonly requireToken: RequireToken;
  readonly status: Pick<StatusService, 'requireOperator'>;
}

/** `/metrics` in the format of Prometheus. Labels come from fixed sets: no client, no user, no gallery. */
export const metrics = plugin(
  async (app: FastifyInstance, { who, registry, requireToken, status }: MetricsOptions) => {
    measureCalls(app, registry);
    collectDefaultMetrics({ register: registry });
    app.route({
      method: 'GET',
      url: '/metrics',
      onRequest: who === 'operator' ? [requireToken] : [],
      handler: async (request, reply) => {
        if (who === 'operator') await status.requireOperator(callerOf(request, reply));
        return reply.header('content-type', registry.contentType).send(await registry.metrics());
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
    const { status } = statuses[request.refusal ?? 'success'];
    seconds.observe({ route, status }, reply.elapsedTime / 1000);
    done();
  });
}
