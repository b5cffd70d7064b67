import { activityBuckets, endpoints } from '@wajah/contract';
import type { AppServices } from '../../services/app-services.ts';
import { createdTokenView, listedTokenView } from '../views/account.ts';
import { activityView } from '../views/activity.ts';
import { statusView } from '../views/status.ts';
import type { Mount } from './mount.ts';

/** What a client sees and does of its own account, and the operator of the server. */
export function accountRoutes(
  mount: Mount,
  { tokens, activity, status }: Pick<AppServices, 'tokens' | 'activity' | 'status'>,
): void {
  mount(endpoints.createApiToken, async (caller, { name, scopes, expires_in_days: days }) =>
    createdTokenView(await tokens.create(caller, { name, scopes, days })),
  );

  mount(endpoints.listApiTokens, async (caller) => ({
    tokens: (await tokens.list(caller)).map(listedTokenView),
  }));

  mount(endpoints.revokeApiToken, async (caller, { token_id: id }) => {
    await tokens.revoke(caller, id);
    return {};
  });

  mount(endpoints.getActivity, async (caller, { from, to, buckets = activityBuckets.byDefault }) =>
    activityView(await activity.read(caller, { from: dateOf(from), to: dateOf(to), buckets })),
  );

  mount(endpoints.getStatus, async (caller) => statusView(await status.read(caller)));
}

function dateOf(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
