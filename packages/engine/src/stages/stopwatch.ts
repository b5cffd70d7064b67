import type { WorkClock } from '../imaging/work-clock.ts';
import { roles } from '../packs/manifest.ts';
import type { Model, Models, Network } from '../runtime/model.ts';
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

/** The models; each run of a network checks the clock first, and is a stage of the stopwatch. */
export function modelsWithin(clock: WorkClock, models: Models, watch: Stopwatch = startStopwatch()): Models {
  const within = ({ network, spec, smaller }: Model, stage: Stage): Model => {
    const run: Network['run'] = (feeds) =>
      watch.timed(stage, async () => {
        clock.check();
        return network.run(feeds);
      });
    return { spec, network: { ...network, run }, smaller: smaller && within(smaller, stage) };
  };
  const own = Object.fromEntries(roles.map((role) => [role, within(models[role], role)]));
  const { padNetworks, secondEmbedder } = models;
  return {
    ...models,
    ...own,
    secondEmbedder: secondEmbedder && within(secondEmbedder, 'embedder'),
    padNetworks: padNetworks && {
      near: within(padNetworks.near, 'pad'),
      close: within(padNetworks.close, 'pad'),
    },
  };
}
