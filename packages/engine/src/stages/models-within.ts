import type { WorkClock } from '../imaging/bounds/work-clock.ts';
import type { Model, Models, Network } from './model.ts';

/** The models; each run of a network checks the clock first. */
export function modelsWithin(clock: WorkClock, { recipe, padNetworks, ...models }: Models): Models {
  return { ...allWithin(clock, models), recipe, padNetworks: padNetworks && allWithin(clock, padNetworks) };
}

function allWithin<Name extends string>(clock: WorkClock, models: Readonly<Record<Name, Model>>) {
  const limited = Object.entries<Model>(models).map(([name, { network, spec }]) => {
    const run: Network['run'] = async (feeds) => {
      clock.check();
      return network.run(feeds);
    };
    return [name, { spec, network: { ...network, run } }];
  });
  return Object.fromEntries(limited) as Record<Name, Model>;
}
