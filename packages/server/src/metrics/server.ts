import type { Engine } from '@wajah/engine';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { inTime } from '../lib/deadline.ts';
import { onceIn } from '../lib/periodic.ts';
import type { Matcher } from '../matching/matcher.ts';
import { embeddingSpecText, upgradeOf } from '../services/galleries/embedding-spec.ts';
import type { Scheduler } from '../services/scheduling/scheduler.ts';
import type { PoolUse } from '../store/database/session.ts';
import type { Store, StoreInfo } from '../store/store.ts';
import type { OutboxUse } from '../store/webhook-store.ts';
import { version } from '../version.ts';
import { eventLoopMetrics, memoryMetrics } from './engine.ts';
import { waitingMetrics } from './queue.ts';

/** What is measured when `/metrics` is read. */
interface ServerState {
  readonly load: Readonly<
    Record<'workers' | 'alive' | 'restarts' | 'running' | 'queued' | 'galleries' | 'galleryBytes', number>
  >;
  /** Pieces of work that may wait. */
  readonly queueLimit: number;
  /** Bytes that the galleries in memory may take. */
  readonly memoryLimit: number;
  readonly provisional: boolean;
  /** Null when the store does not answer in time. */
  readonly store: StoredState | null;
}

interface StoredState extends Pick<StoreInfo, 'bytes' | 'connections'> {
  /** Galleries with templates, their people, and the galleries among them whose templates cannot be compared. */
  readonly galleries: number;
  readonly people: number;
  readonly incomparable: number;
  readonly webhooks: OutboxUse;
}

type Pick1 = (state: ServerState) => number | null | undefined;

const pool =
  (name: keyof PoolUse): Pick1 =>
  ({ store }) =>
    store?.connections?.[name];

const gauges: readonly [name: string, help: string, value: Pick1][] = [
  ['engine_workers', 'Worker processes that analyse pictures', ({ load }) => load.workers],
  ['engine_workers_alive', 'Worker processes that have loaded their models', ({ load }) => load.alive],
  ['engine_running', 'Pictures being analysed', ({ load }) => load.running],
  ['engine_queued', 'Pictures waiting for a worker', ({ load }) => load.queued],
  ['engine_queue_limit', 'Pictures that may wait (WAJAH_ENGINE_QUEUE)', (state) => state.queueLimit],
  ['galleries_loaded', 'Galleries held in memory', ({ load }) => load.galleries],
  ['galleries_bytes', 'Size of the galleries held in memory', ({ load }) => load.galleryBytes],
  ['galleries_bytes_limit', 'Size that galleries in memory may have', (state) => state.memoryLimit],
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
  ['webhook_pending', 'Webhook events that wait to be delivered', ({ store }) => store?.webhooks.pending],
  ['webhook_dead', 'Webhook events that were given up and are kept', ({ store }) => store?.webhooks.dead],
  [
    'webhook_dropped',
    'Webhook events that were not kept because the outbox was full',
    ({ store }) => store?.webhooks.dropped,
  ],
  [
    'webhook_oldest_seconds',
    'Age of the oldest webhook event that waits; 0: none waits',
    ({ store }) => store && ageOf(store.webhooks.oldest),
  ],
  ['store_connections_limit', 'Connections that the pool of the store may open', pool('most')],
  ['store_connections', 'Connections of the pool of the store', pool('open')],
  ['store_connections_idle', 'Connections of the pool of the store that are not in use', pool('idle')],
  ['store_connections_waiting', 'Callers that wait for a connection to the store', pool('waiting')],
];

const ageOf = (since: Date | null) => (since === null ? 0 : (Date.now() - since.getTime()) / 1000);

/** Adds the gauges of the server. Those of which nothing is known are NaN. */
function serverGauges(registry: Registry, measure: () => Promise<ServerState>): void {
  const state = onceIn(measure);
  for (const [name, help, value] of gauges) {
    const gauge: Gauge = new Gauge({
      name: `wajah_${name}`,
      help,
      registers: [registry],
      collect: async () => gauge.set(value(await state()) ?? Number.NaN),
    });
  }
  const restarts: Counter = new Counter({
    name: 'wajah_engine_worker_restarts_total',
    help: 'Worker processes that ended and were replaced',
    registers: [registry],
    async collect() {
      const { load } = await state();
      restarts.reset();
      restarts.inc(load.restarts);
    },
  });
}

/** Adds a gauge that is always 1, whose labels name what runs. */
function buildInfo(registry: Registry, labels: Readonly<Record<string, string>>): void {
  new Gauge({
    name: 'wajah_build_info',
    help: '1; the labels name the versions of server and Node, the model pack and the PAD pack',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
}

/** Time that a reading of `/metrics` waits for the store, milliseconds. */
const storeTimeoutMs = 2000;

interface Measured {
  readonly store: Pick<Store, 'info' | 'galleries' | 'webhooks'>;
  readonly engine: Engine;
  readonly scheduler: Pick<Scheduler, 'load'>;
  readonly matcher: Pick<Matcher, 'memoryUse'>;
  readonly config: Config;
}

/** Adds what is measured when `/metrics` is read. */
export function measureServer(services: Measured, registry: Registry): void {
  const { engine, scheduler, matcher, config } = services;
  const { pack, version: packVersion } = engine.embeddingSpec;
  const padPack = engine.padPack ?? 'none';
  const node = process.versions.node;
  buildInfo(registry, { version, node, pack: `${pack} ${packVersion}`, pad_pack: padPack });
  memoryMetrics(registry, engine, config.engine.workerMemoryBytes);
  eventLoopMetrics(registry);
  waitingMetrics(registry, () => scheduler.load().queues);
  serverGauges(registry, async () => {
    const { galleries, bytes: galleryBytes } = matcher.memoryUse();
    return {
      load: { ...engine.load(), ...scheduler.load(), galleries, galleryBytes },
      queueLimit: config.engine.queue,
      memoryLimit: config.matching.memoryBytes,
      provisional: engine.provisional,
      store: await inTime(
        storedState(services).catch(() => null),
        storeTimeoutMs,
        () => null,
      ),
    };
  });
}

async function storedState({ store, engine }: Measured): Promise<ServerState['store']> {
  const [{ bytes, connections }, specs, webhooks] = await Promise.all([
    store.info(),
    store.galleries.embeddingSpecs(),
    store.webhooks.use(),
  ]);
  const own = embeddingSpecText(engine.embeddingSpec);
  const others = specs.filter(({ embeddingSpec: stored }) => stored !== own && !upgradeOf(engine, stored));
  const sum = (of: typeof specs, key: 'galleries' | 'faces') => of.reduce((total, it) => total + it[key], 0);
  const counts = { galleries: sum(specs, 'galleries'), people: sum(specs, 'faces') };
  return { bytes, connections, webhooks, ...counts, incomparable: sum(others, 'galleries') };
}
