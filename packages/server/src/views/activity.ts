import { cutFraction, scoreBins, statuses } from '@wajah/contract';
import type { Activity, CallCount, ScoreCount } from '../services/activity.ts';
import { percentile } from '../services/latency-bins.ts';

const messages: ReadonlyMap<string, string> = new Map(
  Object.values(statuses).map(({ status, message }) => [status, message]),
);

export function activityView(activity: Activity) {
  const { range, to, series, scores } = activity;
  return {
    from: new Date(range.from).toISOString(),
    to: to.toISOString(),
    bucket_seconds: range.width / 1000,
    series: {
      time: series.map((_, bucket) => new Date(range.from + bucket * range.width).toISOString()),
      calls: series.map(({ calls }) => calls),
      errors: series.map(({ errors }) => errors),
      latency_p50: series.map(({ latency }) => percentile(latency, 0.5)),
      latency_p95: series.map(({ latency }) => percentile(latency, 0.95)),
      latency_p99: series.map(({ latency }) => percentile(latency, 0.99)),
    },
    statuses: [...activity.statuses]
      .map(([status, count]) => ({ status, status_message: messageOf(status), count }))
      .sort((a, b) => b.count - a.count),
    routes: [...activity.routes].map(routeView).sort((a, b) => b.calls - a.calls),
    similarity: histogramView(scores.similarity),
    spoof: histogramView(scores.spoof),
    refusals: activity.refusals.map(refusalView),
    counters: amountsView(activity.left),
    limits: amountsView(activity.limits),
  };
}

function routeView([route, { calls, errors, latency }]: [string, CallCount]) {
  return {
    route,
    calls,
    errors,
    latency_p50: percentile(latency, 0.5),
    latency_p95: percentile(latency, 0.95),
  };
}

function histogramView(groups: readonly ScoreCount[]) {
  const bins = Array.from({ length: scoreBins }, (_, bin) =>
    groups.reduce((sum, group) => sum + (group.bins[bin] ?? 0), 0),
  );
  return { bins, groups: [...groups] };
}

function refusalView(call: Activity['refusals'][number]) {
  const { at, route, status, detail, trxId, userId, galleryId, similarity, spoofScore } = call;
  return {
    time: at.toISOString(),
    route,
    status,
    status_message: messageOf(status),
    ...(detail !== null && { detail }),
    trx_id: trxId,
    ...(userId !== null && { user_id: userId }),
    ...(galleryId !== null && { facegallery_id: galleryId }),
    ...(similarity !== null && { similarity: cutFraction(similarity) }),
    ...(spoofScore !== null && { spoof_score: cutFraction(spoofScore) }),
  };
}

function amountsView({ hits, faces, galleries }: Activity['left']) {
  return { n_api_hits: hits, n_face: faces, n_facegallery: galleries };
}

/** A status of another version has no message here. */
function messageOf(status: string): string {
  return messages.get(status) ?? '';
}
