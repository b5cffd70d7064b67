import {
  type ActivityRequest,
  activityBuckets,
  refusalPage,
  type StatusName,
  statuses,
} from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { dayMs } from '../../lib/time.ts';
import type { BucketCount, SeriesRange } from '../../store/ports.ts';
import { registeredClient, remainingOf } from '../accounts/clients.ts';
import type { ServiceParts } from '../parts.ts';
import { steps } from './activity-recorder.ts';
import { latencyBins } from './latency-bins.ts';
import type { ActivityService, CallCount } from './ports.ts';

/** Retention of counts by the minute; that of counts by the hour is a setting. */
export const minutesKeptMs = 2 * dayMs;
/** Refused calls in an answer. */
const maxRefusals = 50;

/** The calls of a client: how many, with which outcome and how long they took. */
export function createActivityService({ store }: ServiceParts<'store'>): ActivityService {
  return {
    async read(caller, request) {
      const { clientId } = caller;
      const { quota, used } = await registeredClient(store, caller);
      const to = request.to === undefined ? new Date() : new Date(request.to);
      const from = request.from === undefined ? dayBefore(to) : new Date(request.from);
      const range = rangeOf(from, to, request.buckets ?? activityBuckets.byDefault);
      const sums = emptySums(range.buckets);
      for await (const counts of store.activity.series(clientId, range)) addTo(sums, counts, request);
      return {
        range,
        to,
        ...sums,
        /** Newest first. */
        refusals: (await store.activity.refusedCalls(clientId, { limit: maxRefusals })).map(
          ({ call }) => call,
        ),
        left: remainingOf({ quota, used }),
        limits: remainingOf({ quota, used: { hits: 0, faces: 0, galleries: 0 } }),
      };
    },

    async refusals(caller, { kind, from, to, forStatus, limit, ...filter }) {
      await registeredClient(store, caller);
      const most = limit ?? refusalPage.byDefault;
      const found = await store.activity.refusedCalls(caller.clientId, {
        before: filter.before,
        route: filter.route,
        userId: filter.userId,
        galleryId: filter.facegalleryId,
        status: forStatus,
        limit: most,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        among: kind && { statuses: answered, isOne: kind === 'rejected' },
      });
      const last = found.length === most ? found.at(-1) : undefined;
      return { refusals: found.map(({ call }) => call), nextBefore: last?.id ?? null };
    },
  };
}

/** The start of the day that ends with the step containing `to`, so that buckets start at round times. */
function dayBefore(to: Date): Date {
  const step = steps.minute * 1000;
  return new Date(Math.ceil(to.getTime() / step) * step - dayMs);
}

/** At most `buckets` buckets of whole steps; the first starts with the step containing `from`. */
function rangeOf(from: Date, to: Date, buckets: number): SeriesRange {
  if (from >= to) {
    throw new Refusal('activityRange', { from: from.toISOString(), to: to.toISOString() });
  }
  const recent = from.getTime() >= Date.now() - minutesKeptMs + steps.hour * 1000;
  const seconds = recent ? steps.minute : steps.hour;
  const step = seconds * 1000;
  const first = Math.floor(from.getTime() / step) * step;
  const width = Math.max(1, Math.ceil((to.getTime() - first) / buckets / step)) * step;
  return { seconds, from: first, bucketMs: width, buckets: Math.ceil((to.getTime() - first) / width) };
}

const httpByStatus: ReadonlyMap<string, number> = new Map(
  (Object.keys(statuses) as StatusName[]).map((name) => [statuses[name].status, statuses[name].http]),
);

/** Statuses of calls that were answered, whatever was decided about the face. */
const answered = [...httpByStatus].filter(([, http]) => http < 400).map(([status]) => status);

function emptySums(buckets: number) {
  return {
    series: Array.from({ length: buckets }, emptyCount),
    routes: new Map<string, CallCount>(),
    statuses: new Map<string, number>(),
  };
}

function addTo(
  { series, routes, statuses: byStatus }: ReturnType<typeof emptySums>,
  counts: readonly BucketCount[],
  wanted: Pick<ActivityRequest, 'route' | 'forStatus'>,
): void {
  for (const counted of counts) {
    const { bucket, route, status, count } = counted;
    const ofRouteWanted = wanted.route === undefined || wanted.route === route;
    // Each list is under the other's condition only, so that it says what else there is to choose.
    if (ofRouteWanted) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
    if (wanted.forStatus !== undefined && wanted.forStatus !== status) continue;
    const ofRoute = routes.get(route) ?? emptyCount();
    routes.set(route, ofRoute);
    addCalls(ofRoute, counted);
    const inBucket = series[bucket];
    if (inBucket && ofRouteWanted) addCalls(inBucket, counted);
  }
}

function emptyCount(): CallCount {
  return { calls: 0, errors: 0, latency: Array.from({ length: latencyBins }, () => 0) };
}

function addCalls(sum: CallCount, { status, latency, count }: BucketCount): void {
  sum.calls += count;
  if ((httpByStatus.get(status) ?? 0) >= 400) sum.errors += count;
  sum.latency[latency] = (sum.latency[latency] ?? 0) + count;
}
