import { cutFraction, endpoints, statuses } from '@wajah/contract';
import type { Mount } from '../../http/routes/ports.ts';
import { amountsView } from '../../http/views/records.ts';
import type { Activity, ActivityService, RefusedCall } from './ports.ts';

/** The calls of the client. */
export function activityRoutes(mount: Mount, activity: ActivityService): void {
  mount(endpoints.getActivity, async (caller, request) => activityView(await activity.read(caller, request)));

  mount(endpoints.listRefusals, async (caller, request) => {
    const { refusals, nextBefore } = await activity.refusals(caller, request);
    return { refusals: refusals.map(refusalView), next_before: nextBefore };
  });
}

const messages: ReadonlyMap<string, string> = new Map(
  Object.values(statuses).map(({ status, message }) => [status, message]),
);

function activityView({ from, to, days, routes, ...activity }: Activity) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    days: [...days].map(([day, sum]) => ({ day, ...sum })),
    statuses: [...activity.statuses]
      .map(([status, count]) => ({ status, status_message: messageOf(status), count }))
      .sort((a, b) => b.count - a.count),
    routes: [...routes].map(([route, sum]) => ({ route, ...sum })).sort((a, b) => b.calls - a.calls),
    counters: amountsView(activity.left),
    limits: amountsView(activity.limits),
  };
}

export function refusalView(call: RefusedCall) {
  const { at, route, status, error, params, detail, trxId, userId, galleryId, similarity, spoofScore } = call;
  return {
    time: at.toISOString(),
    route,
    status,
    status_message: messageOf(status),
    ...(error !== null && { error }),
    ...(params !== null && { params }),
    ...(detail !== null && { detail }),
    trx_id: trxId,
    ...(userId !== null && { user_id: userId }),
    ...(galleryId !== null && { facegallery_id: galleryId }),
    ...(similarity !== null && { similarity: cutFraction(similarity) }),
    ...(spoofScore !== null && { spoof_score: cutFraction(spoofScore) }),
  };
}

/** Empty for a status of another version. */
function messageOf(status: string): string {
  return messages.get(status) ?? '';
}
