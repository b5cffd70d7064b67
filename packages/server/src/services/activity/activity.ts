import { type StatusName, scoreBins, statuses } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { ActivityMeasure, BucketCount, RefusedCall, SeriesRange } from '../../store/activity-store.ts';
import type { Quota } from '../../store/store.ts';
import { registeredClient, remaining } from '../accounts/clients.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Caller } from '../services.ts';
import { steps } from './activity-recorder.ts';
import { latencyBins } from './latency-bins.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long counts by the minute are kept; by the hour, as long as the setting says. */
export const minutesKeptMs = 2 * dayMs;
/** Refused calls in an answer. */
const shownRefusals = 50;

/** Calls counted together. */
export interface CallCount {
  calls: number;
  errors: number;
  /** Calls by how long they took: see `latencyBin`. */
  readonly latency: number[];
}

/** Scores of faces, counted by equal parts of 0…1. */
export interface ScoreCount {
  readonly route: string;
  readonly accepted: boolean;
  readonly bins: number[];
}

export interface Activity {
  readonly range: SeriesRange;
  readonly to: Date;
  /** By bucket. */
  readonly series: readonly CallCount[];
  readonly routes: ReadonlyMap<string, CallCount>;
  /** Calls by status. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly scores: Readonly<Record<Exclude<ActivityMeasure, 'calls'>, readonly ScoreCount[]>>;
  /** Newest first. */
  readonly refusals: readonly RefusedCall[];
  /** Unlimited is 2147483647. */
  readonly left: Quota;
  readonly limits: Quota;
}

/** What a client called. */
export interface ActivityService {
  /**
   * @param input.from inclusive; default: a day before `to` @param input.to default: now
   * @throws Refusal `malformed` for a time that does not go forward
   */
  read(
    caller: Caller,
    input: { from: Date | undefined; to: Date | undefined; buckets: number },
  ): Promise<Activity>;
}

export function createActivityService({ store }: Pick<ServiceDependencies, 'store'>): ActivityService {
  return {
    async read(caller, { from, to = new Date(), buckets }) {
      const { clientId } = caller;
      const { quota, used } = await registeredClient(store, caller);
      const range = rangeOf(from ?? dayBefore(to), to, buckets);
      const sums = noSums(range.buckets);
      for await (const counts of store.activity.series(clientId, range)) addTo(sums, counts);
      return {
        range,
        to,
        ...sums,
        refusals: await store.activity.refusedCalls(clientId, shownRefusals),
        left: {
          hits: remaining(quota.hits, used.hits),
          faces: remaining(quota.faces, used.faces),
          galleries: remaining(quota.galleries, used.galleries),
        },
        limits: {
          hits: remaining(quota.hits, 0),
          faces: remaining(quota.faces, 0),
          galleries: remaining(quota.galleries, 0),
        },
      };
    },
  };
}

/** A day that ends with the step that `to` is in, so that its buckets are round. */
function dayBefore(to: Date): Date {
  const step = steps.minute * 1000;
  return new Date(Math.ceil(to.getTime() / step) * step - dayMs);
}

/** Buckets of whole steps, as many as asked for or fewer; the first begins with the step that `from` is in. */
export function rangeOf(from: Date, to: Date, buckets: number): SeriesRange {
  if (from >= to) {
    throw new Refusal(
      'malformed',
      `from: ${from.toISOString()} is not before ${to.toISOString()}, which is \`to\``,
    );
  }
  const recent = from.getTime() >= Date.now() - minutesKeptMs + steps.hour * 1000;
  const seconds = recent ? steps.minute : steps.hour;
  const step = seconds * 1000;
  const first = Math.floor(from.getTime() / step) * step;
  const width = Math.max(1, Math.ceil((to.getTime() - first) / buckets / step)) * step;
  return { seconds, from: first, bucketMs: width, buckets: Math.ceil((to.getTime() - first) / width) };
}

const httpOf: ReadonlyMap<string, number> = new Map(
  (Object.keys(statuses) as StatusName[]).map((name) => [statuses[name].status, statuses[name].http]),
);

function noSums(buckets: number) {
  return {
    series: Array.from({ length: buckets }, noCalls),
    routes: new Map<string, CallCount>(),
    statuses: new Map<string, number>(),
    scores: { similarity: [] as ScoreCount[], spoof: [] as ScoreCount[] },
  };
}

function addTo(
  { series, routes, statuses: byStatus, scores }: ReturnType<typeof noSums>,
  counts: readonly BucketCount[],
): void {
  for (const { bucket, route, measure, outcome, bin, count } of counts) {
    if (measure !== 'calls') {
      const { bins } = scoresOf(scores[measure], route, outcome === 'yes');
      bins[bin] = (bins[bin] ?? 0) + count;
      continue;
    }
    const ofRoute = routes.get(route) ?? noCalls();
    routes.set(route, ofRoute);
    for (const sum of [series[bucket], ofRoute]) if (sum) addCalls(sum, outcome, bin, count);
    byStatus.set(outcome, (byStatus.get(outcome) ?? 0) + count);
  }
}

function noCalls(): CallCount {
  return { calls: 0, errors: 0, latency: Array.from({ length: latencyBins }, () => 0) };
}

function addCalls(sum: CallCount, status: string, bin: number, count: number): void {
  sum.calls += count;
  if ((httpOf.get(status) ?? 0) >= 400) sum.errors += count;
  sum.latency[bin] = (sum.latency[bin] ?? 0) + count;
}

function scoresOf(scores: ScoreCount[], route: string, accepted: boolean): ScoreCount {
  const known = scores.find((one) => one.route === route && one.accepted === accepted);
  if (known) return known;
  const made = { route, accepted, bins: Array.from({ length: scoreBins }, () => 0) };
  scores.push(made);
  return made;
}
