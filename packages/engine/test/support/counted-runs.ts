import type { Model, Models } from '../../src/runtime/model.ts';

/** Models that tell of each run of the detector, and whether it was that for few pixels. */
export function withRuns(models: Models, onRun: (few: boolean) => void): Models {
  const told = (model: Model, few: boolean): Model => ({
    ...model,
    network: {
      ...model.network,
      run(feeds) {
        onRun(few);
        return model.network.run(feeds);
      },
    },
  });
  const { detector } = models;
  const { smaller } = detector;
  return { ...models, detector: { ...told(detector, false), smaller: smaller && told(smaller, true) } };
}
