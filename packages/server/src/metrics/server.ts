import { performance } from 'node:perf_hooks';
import { type Engine, proportionalBytes, WORKER_MEMORY } from '@wajah/engine';
import { Counter, Gauge, type Registry } from 'prom-client';
import { inTime } from '../lib/deadline.ts';
import { onceIn } from '../lib/periodic.ts';
import { embeddingSpecText } from '../services/galleries/embedding-spec.ts';
import type { ServiceParts } from '../services/parts.ts';
import { quotaMarks } from '../store/client-store.ts';
import type { PoolUse } from '../store/database/session.ts';
import { version } from '../version.ts';
import { waitingMetrics } from './queue.ts';

type Measured = ServiceParts<'store' | 'engine' | 'scheduler' | 'matcher' | 'config'>;

type ServerState = Awaited<ReturnType<typeof stateOf>>;
type Value = (state: ServerState) => number | null | undefined;

const pool =
  (name: keyof PoolUse): Value =>
  ({ store }) =>
    store?.connections?.[name];

const gauges: readonly [name: string, help: string, value: Value][] = [
  ['engine_workers', 'Worker processes that analyse pictures', ({ load }) => load.workers],
  ['engine_workers_alive', 'Worker processes that have loaded their models', ({ load }) => load.alive],
  ['engine_running', 'Pictures being analysed', ({ load }) => load.running],
  ['engine_queued', 'Pictures waiting for a worker', ({ load }) => load.queued],
  ['engine_queue_limit', 'Pictures that may wait (WAJAH_ENGINE_QUEUE)', ({ config }) => config.engine.queue],
  ['galleries_loaded', 'Galleries held in memory', ({ memory }) => memory.galleries],
  ['galleries_bytes', 'Size of the galleries held in memory', ({ memory }) => memory.bytes],
  [
    'galleries_bytes_limit',
    'Size that galleries in memory may have',
    ({ config }) => config.matching.memoryBytes,
  ],
  ['galleries', 'Galleries of the store with templates', ({ store }) => store?.galleries],
  [
    'galleries_incomparable',
    'Galleries whose templates are of another model pack and cannot be compared',
    ({ store }) => store?.incomparable,
  ],
  ['people', 'People enrolled in all galleries of the store', ({ store }) => store?.people],
  [
    'calibration_provisional',
    '1 while similarities are of a provisional calibration',
    ({ provisional }) => Number(provisional),
  ],
  ['store_up', '1 while the store answers', ({ store }) => Number(store !== null)],
  ['store_bytes', 'Size of the store on disk', ({ store }) => store?.bytes],
  ['store_connections_limit', 'Connections that the pool of the store may open', pool('most')],
  ['store_connections', 'Connections of the pool of the store', pool('open')],
  ['store_connections_idle', 'Connections of the pool of the store that are not in use', pool('idle')],
  ['store_connections_waiting', 'Callers that wait for a connection to the store', pool('waiting')],
];

/** Adds what is measured when `/metrics` is read. Gauges of which nothing is known are NaN. */
export function measureServer(measured: Measured, registry: Registry): void {
  const { engine, scheduler } = measured;
  const state = onceIn(() => stateOf(measured));
  for (const [name, help, value] of gauges) {
    const gauge: Gauge = new Gauge({
      name: `wajah_${name}`,
      help,
      registers: [registry],
      collect: async () => gauge.set(value(await state()) ?? Number.NaN),
    });
  }
  total(
    registry,
    'wajah_engine_worker_restarts_total',
    'Worker processes that ended and were replaced',
    async () => {
      return (await state()).load.restarts;
    },
  );
  // Its rate is the part of one core that the event loop uses.
  const activeHelp = 'Time that the event loop of the server was not idle';
  const active = () => performance.eventLoopUtilization().active / 1000;
  total(registry, 'wajah_event_loop_active_seconds_total', activeHelp, active);
  buildInfo(registry, engine);
  quotaMetric(registry, state);
  memoryMetrics(registry, engine);
  waitingMetrics(registry, () => scheduler.load().queues);
}

/** Adds a counter that is read elsewhere. */
function total(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read();
      counter.reset();
      counter.inc(value);
    },
  });
}

/** Adds a gauge of clients that have used much of a quota: the names of clients are no labels. */
function quotaMetric(registry: Registry, state: () => Promise<ServerState>): void {
  const gauge: Gauge = new Gauge({
    name: 'wajah_clients_near_quota',
    help: 'Clients that have used so many percent of a quota, or more',
    labelNames: ['quota', 'percent'],
    registers: [registry],
    async collect() {
      const { store } = await state();
      for (const quota of ['hits', 'faces', 'galleries'] as const) {
        for (const percent of quotaMarks) {
          const reached = store?.nearQuota.filter(
            (it) => it.quota === quota && 100 * it.used >= percent * it.limit,
          );
          gauge.set({ quota, percent: String(percent) }, reached?.length ?? Number.NaN);
        }
      }
    },
  });
}

/** Adds a gauge that is always 1, whose labels name what runs. */
function buildInfo(registry: Registry, engine: Engine): void {
  const pack = `${engine.embeddingSpec.pack} ${engine.embeddingSpec.version}`;
  new Gauge({
    name: 'wajah_build_info',
    help: '1; the labels name the versions of server and Node, the model pack and the PAD pack',
    labelNames: ['version', 'node', 'pack', 'pad_pack'],
    registers: [registry],
    // A PAD pack may arrive while the server runs.
    collect() {
      this.reset();
      this.set({ version, node: process.versions.node, pack, pad_pack: engine.padPack ?? 'none' }, 1);
    },
  });
}

/** Time that a reading waits for the store, milliseconds. */
export const storeTimeoutMs = 2000;

/** `store` is null when the store fails or does not answer in time. */
async function stateOf(measured: Measured) {
  const { engine, scheduler, matcher, config } = measured;
  const store = storedState(measured).catch(() => null);
  return {
    load: { ...engine.load(), ...scheduler.load() },
    memory: matcher.memoryUse(),
    config,
    provisional: engine.provisional,
    store: await inTime(store, storeTimeoutMs, () => null),
  };
}

/** Galleries are those with templates, and the incomparable among them those whose templates cannot be compared. */
async function storedState({ store, engine }: Measured) {
  const [{ bytes, connections }, specs, nearQuota] = await Promise.all([
    store.info(),
    store.galleries.embeddingSpecs(),
    store.clients.nearQuota(),
  ]);
  const own = embeddingSpecText(engine.embeddingSpec);
  const others = specs.filter(
    ({ embeddingSpec, formerSpec }) => embeddingSpec !== own || formerSpec !== null,
  );
  const sum = (of: typeof specs, key: 'galleries' | 'faces') => of.reduce((all, it) => all + it[key], 0);
  const counts = { galleries: sum(specs, 'galleries'), people: sum(specs, 'faces') };
  return { bytes, connections, nearQuota, ...counts, incomparable: sum(others, 'galleries') };
}

const memoryKinds = {
  resident: 'Resident memory of a process; libraries that processes share count in each',
  proportional: 'Proportional memory of a process (PSS); what n processes share counts 1/n in each',
} as const;

/** Adds the memory of the server and of its workers. */
function memoryMetrics(registry: Registry, engine: Pick<Engine, 'memory'>): void {
  const measure = onceIn(() => memoryOf(engine));
  for (const kind of ['resident', 'proportional'] as const) {
    const gauge: Gauge = new Gauge({
      name: `wajah_${kind}_memory_bytes`,
      help: memoryKinds[kind],
      labelNames: ['process'],
      registers: [registry],
      async collect() {
        const processes = await measure();
        // A worker that has ended has none.
        gauge.reset();
        for (const it of processes) gauge.set({ process: it.process }, it[kind]);
      },
    });
  }
  new Gauge({
    name: 'wajah_engine_worker_memory_limit_bytes',
    help: 'Memory that a worker process may allocate',
    registers: [registry],
  }).set(WORKER_MEMORY);
}

/** Memory of each process, bytes; NaN: the system does not tell it. */
async function memoryOf(engine: Pick<Engine, 'memory'>) {
  const [own, workers] = await Promise.all([proportionalBytes(), engine.memory()]);
  return [
    { process: 'server', resident: process.memoryUsage.rss(), proportional: own ?? Number.NaN },
    ...workers.map(({ worker, residentBytes, proportionalBytes: part }) => ({
      process: `worker ${worker}`,
      resident: residentBytes,
      proportional: part ?? Number.NaN,
    })),
  ];
}
