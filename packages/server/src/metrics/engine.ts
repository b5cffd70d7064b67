import type { StageTimes } from '@wajah/engine';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Upper bounds, seconds: a run of a network takes 0.003 to 0.1. */
const buckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What a reason of a worker's end contains, and the cause that it is counted as; the first that fits counts. */
const causes: readonly [RegExp, string][] = [
  [/SIGKILL/, 'sigkill'],
  [/SIG[A-Z]+/, 'signal'],
  [/no answer/, 'timeout'],
  [/too much memory/, 'memory'],
  [/start/, 'start'],
];

/** Adds the metrics of the engine's workers: the stages are those that `npm run bench engine` measures. */
export function engineMetrics(registry: Registry) {
  const seconds = new Histogram({
    name: 'wajah_engine_stage_duration_seconds',
    help: 'Time of a stage of the analysis of one picture',
    labelNames: ['stage'],
    buckets,
    registers: [registry],
  });
  const faults = new Counter({
    name: 'wajah_engine_worker_faults_total',
    help: 'Worker processes that ended, by cause: sigkill (short memory), signal (a crash), timeout, memory, start, other',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of [...causes.map(([, name]) => name), 'other']) faults.inc({ cause }, 0);
  return {
    /** Receives the times of the stages of an analysis, milliseconds. */
    analyzed(stages: Partial<StageTimes>): void {
      for (const [stage, ms] of Object.entries(stages)) seconds.observe({ stage }, ms / 1000);
    },
    /** Counts the end of a worker, by the engine's reason. */
    workerEnded: (reason: string): void =>
      faults.inc({ cause: causes.find(([form]) => form.test(reason))?.[1] ?? 'other' }),
  };
}
