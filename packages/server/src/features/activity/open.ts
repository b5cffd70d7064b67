import type { FeatureParts, OpenFeature } from '../../feature.ts';
import { periodically } from '../../lib/periodic.ts';
import { hourMs, keptSince } from '../../lib/time.ts';
import { createActivityService } from './activity.ts';
import type { ActivityRecorder } from './ports.ts';
import { createActivityRecorder } from './recorder.ts';
import { activityRoutes, refusalView } from './routes.ts';
import { createActivityStore, maxRefusedCalls } from './store.ts';

/** The calls of clients: counts by day, and the latest refused ones. */
export function openActivity({
  config,
  store: stores,
  logger: log,
}: FeatureParts): OpenFeature & { readonly recorder: ActivityRecorder } {
  const { eventDays } = config;
  const store = stores.part('activity', createActivityStore);
  const recorder = createActivityRecorder({ store, log, on: eventDays > 0 });
  const prune = () => store.prune(keptSince(eventDays));
  const pruning = periodically(prune, hourMs, log, 'old records of calls were not removed');
  return {
    recorder,
    subscriber: recorder,
    traces: {
      category: {
        data: 'refused calls with user_id',
        of: 'people whom a call names',
        kept: eventDays > 0,
        erased: `after ${eventDays} days`,
      },
      field: 'refusals',
      async list({ clientId, userId }) {
        await recorder.settled();
        const found = await store.refusedCalls(clientId, { userId, limit: maxRefusedCalls });
        return found.map(({ call }) => refusalView(call));
      },
      erase: ({ clientId, userId }) => store.eraseRefusedOf(clientId, userId),
    },
    mount: (mount) => activityRoutes(mount, createActivityService({ clients: stores, store, recorder })),
    async close() {
      await pruning.stop();
      await recorder.settled();
    },
  };
}
