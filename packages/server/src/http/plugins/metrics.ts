import { statuses } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import type { StatusService } from '../../services/activity/status.ts';
import type { RequireToken } from './auth.ts';
import { callerOf, endpointOf } from './request-state.ts';

/** Upper bounds of the latency histogram, seconds: the analysis of a picture takes 0.05 to 1. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface MetricsOptions {
  readonly who: Exclude<Config['metrics'], 'off'>;
  readonly registry: Registry;
  readonly requireToken: RequireToken;
  readonly status: Pick<StatusService, 'requireOperator'>;
  /** Load of the engine and of the galleries in memory. */
  load(): Readonly<
    Record<'workers' | 'alive' | 'restarts' | 'running' | 'queued' | 'galleries' | 'galleryBytes', number>
  >;
}

/** `/metrics` in the format of Prometheus. Labels come from fixed sets: no client, no user, no gallery. */
export const metrics = plugin(
  async (app: FastifyInstance, { who, registry, requireToken, status, load }: MetricsOptions) => {
    measureCalls(app, registry);
    measureLoad(registry, load);
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
  app.addHook('onResponse', (request, reply, done) => {
    const route = endpointOf(request)?.path ?? 'other';
    const { status } = statuses[request.refusal ?? 'success'];
    seconds.observe({ route, status }, reply.elapsedTime / 1000);
    done();
  });
}

const gauges = {
  workers: ['wajah_engine_workers', 'Worker processes that analyse pictures'],
  alive: ['wajah_engine_workers_alive', 'Worker processes that have loaded their models'],
  running: ['wajah_engine_running', 'Pictures being analysed'],
  queued: ['wajah_engine_queued', 'Pictures waiting for a worker'],
  galleries: ['wajah_galleries_loaded', 'Galleries held in memory'],
  galleryBytes: ['wajah_galleries_bytes', 'Size of the galleries held in memory'],
} as const;

function measureLoad(registry: Registry, load: MetricsOptions['load']): void {
  collectDefaultMetrics({ register: registry });
  const restarts: Counter = new Counter({
    name: 'wajah_engine_worker_restarts_total',
    help: 'Worker processes that ended and were replaced',
    registers: [registry],
    collect() {
      restarts.reset();
      restarts.inc(load().restarts);
    },
  });
  for (const [key, [name, help]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      ...{ name, help },
      registers: [registry],
      collect: () => gauge.set(load()[key as keyof typeof gauges]),
    });
  }
}
