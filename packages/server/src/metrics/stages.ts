import type { Stage } from '@wajah/engine';
import { Histogram, type Registry } from 'prom-client';

/** Upper bounds, seconds: a run of a network takes 0.003 to 0.1. */
const buckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Receives the times of the stages of an analysis, milliseconds. */
export type ObserveStages = (stages: Readonly<Partial<Record<Stage, number>>>) => void;

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
