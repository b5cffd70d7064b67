import type { Stage, StageTimes } from '../types.ts';

/** Measures the stages of one analysis. */
export interface Stopwatch {
  /** Does a stage's work; stages must not overlap. */
  timed<Result>(stage: Stage, work: () => Promise<Result>): Promise<Result>;
  /** Times since the start; `rest` is what was spent in none of the stages. */
  times(): StageTimes;
}

export function startStopwatch(): Stopwatch {
  const startedAt = performance.now();
  const times: Partial<Record<Stage, number>> = {};
  let inStages = 0;
  return {
    async timed(stage, work) {
      const from = performance.now();
      try {
        return await work();
      } finally {
        const spent = performance.now() - from;
        times[stage] = (times[stage] ?? 0) + spent;
        inStages += spent;
      }
    },
    times: () => ({ ...times, rest: performance.now() - startedAt - inStages }),
  };
}
