import { performance } from 'node:perf_hooks';
import { type Engine, proportionalBytes, type Stage, type StageTimes } from '@wajah/engine';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
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

/** Upper bounds, seconds: a run of a network takes 0.003 to 0.1. */
const buckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Receives the times of the stages of an analysis, milliseconds. */
type ObserveStages = (stages: Readonly<Partial<Record<Stage, number>>>) => void;

/** Adds the histogram of the stages of an analysis, the same that `npm run bench engine` measures. */
export function stageHistogram(registry: Registry): ObserveStages {
  const seconds = new Histogram({
    name: 'wajah_engine_stage_duration_seconds',
    help: 'Time of a stage of the analysis of one picture',
    labelNames: ['stage'],
    buckets,
    registers: [registry],
  });
  return (stages) => {
    for (const [stage, milliseconds] of Object.entries(stages))
      seconds.observe({ stage }, milliseconds / 1000);
  };
}

/** What a reason of a worker's end contains, and the cause that it is counted as; the first that fits counts. */
const causes: readonly [RegExp, string][] = [
  [/SIGKILL/, 'sigkill'],
  [/SIG[A-Z]+/, 'signal'],
  [/no answer/, 'timeout'],
  [/too much memory/, 'memory'],
  [/start/, 'start'],
];

/** Adds the ends of worker processes. @returns counts one, by the engine's reason */
function workerFaults(registry: Registry): (reason: string) => void {
  const faults = new Counter({
    name: 'wajah_engine_worker_faults_total',
    help: 'Worker processes that ended, by cause: sigkill (short memory), signal (a crash), timeout, memory, start, other',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of [...causes.map(([, name]) => name), 'other']) faults.inc({ cause }, 0);
  return (reason) => faults.inc({ cause: causes.find(([form]) => form.test(reason))?.[1] ?? 'other' });
}

/** Adds the metrics of the engine's workers. */
export function engineMetrics(registry: Registry) {
  const analyzed: (stages: StageTimes) => void = stageHistogram(registry);
  return { analyzed, workerEnded: workerFaults(registry) };
}
