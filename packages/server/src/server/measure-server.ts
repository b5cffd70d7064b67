import type { StageTimes } from '@wajah/engine';
import type { Registry } from 'prom-client';
import { inTime } from '../lib/deadline.ts';
import { buildInfo, type ServerState, serverGauges } from '../metrics/gauges.ts';
import { eventLoopMetrics, memoryMetrics } from '../metrics/process.ts';
import { waitingMetrics } from '../metrics/queue.ts';
import { stageHistogram } from '../metrics/stages.ts';
import { workerFaults } from '../metrics/workers.ts';
import type { ServiceDependencies } from '../services/dependencies.ts';
import { embeddingSpecText, upgradeOf } from '../services/galleries/embedding-spec.ts';
import { version } from '../version.ts';

/** Time that a reading of `/metrics` waits for the store, milliseconds. */
const storeTimeoutMs = 2000;

/** Adds the metrics of the engine's workers. */
export function engineMetrics(registry: Registry) {
  const analyzed: (stages: StageTimes) => void = stageHistogram(registry);
  return { analyzed, workerEnded: workerFaults(registry) };
}

type Dependencies = Pick<ServiceDependencies, 'store' | 'engine' | 'scheduler' | 'matcher' | 'config'>;

/** Adds what is measured when `/metrics` is read. */
export function measureServer(services: Dependencies, registry: Registry): void {
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

async function storedState({ store, engine }: Dependencies): Promise<ServerState['store']> {
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
