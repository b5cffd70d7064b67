import { performance } from 'node:perf_hooks';
import { type Engine, proportionalBytes } from '@wajah/engine';
import { Counter, Gauge, type Registry } from 'prom-client';
import { onceIn } from '../lib/periodic.ts';

/** Memory of a process, bytes; NaN: the system does not tell it. */
interface Memory {
  readonly process: string;
  readonly resident: number;
  readonly proportional: number;
}

const kinds = {
  resident: 'Resident memory of a process; libraries that processes share count in each',
  proportional: 'Proportional memory of a process (PSS); what n processes share counts 1/n in each',
} as const;

/** Adds the memory of the server and of its workers. @param most bytes that a worker may allocate */
export function memoryMetrics(registry: Registry, engine: Pick<Engine, 'memory'>, most: number): void {
  const measure = onceIn(() => memoryOf(engine));
  for (const kind of ['resident', 'proportional'] as const) {
    const gauge: Gauge = new Gauge({
      name: `wajah_${kind}_memory_bytes`,
      help: kinds[kind],
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
    help: 'Memory that a worker process may allocate (WAJAH_ENGINE_MEMORY_MB)',
    registers: [registry],
  }).set(most);
}

async function memoryOf(engine: Pick<Engine, 'memory'>): Promise<Memory[]> {
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

/** Adds the time that the event loop of the server was not idle: its rate is the part of one core that it uses. */
export function eventLoopMetrics(registry: Registry): void {
  const active: Counter = new Counter({
    name: 'wajah_event_loop_active_seconds_total',
    help: 'Time that the event loop of the server was not idle',
    registers: [registry],
    collect() {
      active.reset();
      active.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}
