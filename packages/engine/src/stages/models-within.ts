import type { WorkClock } from '../imaging/bounds/work-clock.ts';
import { roles } from '../packs/manifest.ts';
import type { Model, Models, Network } from '../runtime/model.ts';
import type { Stage } from '../types.ts';
import { type Stopwatch, startStopwatch } from './stopwatch.ts';

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
  const { padNetworks } = models;
  return {
    ...models,
    ...own,
    padNetworks: padNetworks && {
      near: within(padNetworks.near, 'pad'),
      wide: within(padNetworks.wide, 'pad'),
    },
  };
}
