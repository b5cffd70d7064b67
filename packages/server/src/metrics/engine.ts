import type { StageTimes, WorkerEnd } from '@wajah/engine';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Upper bounds, seconds: a run of a network takes 0.003 to 0.1. */
const buckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const causes = ['sigkill', 'signal', 'timeout', 'memory', 'start', 'other'] as const;

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
  for (const cause of causes) faults.inc({ cause }, 0);
  return {
    /** Receives the times of the stages of an analysis, milliseconds. */
    analyzed(stages: Partial<StageTimes>): void {
      for (const [stage, ms] of Object.entries(stages)) seconds.observe({ stage }, ms / 1000);
    },
    workerEnded: ({ cause }: Pick<WorkerEnd, 'cause'>): void => faults.inc({ cause }),
  };
}
