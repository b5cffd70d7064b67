import type { FeatureParts, OpenFeature } from '../../feature.ts';
import { periodically } from '../../lib/periodic.ts';
import { minuteMs } from '../../lib/time.ts';
import { createUnknownKeeping } from './keeping.ts';
import { unknownRoutes } from './routes.ts';
import { createUnknownStore } from './store.ts';
import { createUnknownService } from './unknown.ts';

/** Keeps faces that are not identified, in galleries that say so. */
export function openUnknown({ config, store: stores, logger: log }: FeatureParts): OpenFeature {
  const store = stores.part('unknown', createUnknownStore);
  const prune = () => store.prune(new Date(), config.keepFaceCrops);
  const pruning = periodically(prune, minuteMs, log, 'unknown people were not erased');
  return {
    // Who sets keep_unknown_hours to null, and to a number again, finds nobody from before.
    subscriber: {
      count({ name }) {
        if (name === 'gallery_changed') pruning.run();
      },
    },
    unidentified: (core) => createUnknownKeeping({ ...core, unknown: store, log }),
    category: (galleries) => ({
      data: 'templates of faces that were not identified (specific personal data: biometric), sealed; face crops where they are kept',
      of: 'people before a camera',
      kept: galleries.some(({ keepUnknownHours }) => keepUnknownHours !== null),
      erased: 'after keep_unknown_hours of the gallery, at most 720 hours after the first sight',
    }),
    mount: (mount, core) => unknownRoutes(mount, createUnknownService({ ...core, unknown: store })),
    close: () => pruning.stop(),
  };
}
