import type { openActivity } from '../../src/features/activity/open.ts';
import { createActivityStore } from '../../src/features/activity/store.ts';
import type { Context } from '../../src/server/context.ts';
import type { Store } from '../../src/store/ports/store.ts';

export const activityStore = (store: Store) => store.part('activity', createActivityStore);

/** Resolves when the calls of a server so far are recorded. */
export async function callsRecorded({ features }: Pick<Context, 'features'>): Promise<void> {
  const found = features.find((feature) => 'recorder' in feature) as unknown;
  await (found as ReturnType<typeof openActivity>).recorder.settled();
}
