import { cutFraction, statuses } from '@wajah/contract';
import { percentiles } from '../../services/activity/latency-bins.ts';
import type { Activity, AuditService, CallCount } from '../../services/activity/ports.ts';
import type { AuditTrailPart } from '../../services/administration/ports.ts';
import type { AuditRecord, Quota, RefusedCall, SealedLink } from '../../store/ports.ts';

const messages: ReadonlyMap<string, string> = new Map(
  Object.values(statuses).map(({ status, message }) => [status, message]),
);

export function activityView(activity: Activity) {
  const { range, to, series } = activity;
  const latencies = series.map(({ latency }) => percentiles(latency, [0.5, 0.95, 0.99]));
  return {
    from: new Date(range.from).toISOString(),
    to: to.toISOString(),
    bucket_seconds: range.bucketMs / 1000,
    series: {
      time: series.map((_, bucket) => new Date(range.from + bucket * range.bucketMs).toISOString()),
      calls: series.map(({ calls }) => calls),
      errors: series.map(({ errors }) => errors),
      latency_p50: latencies.map(([p50]) => p50 ?? null),
      latency_p95: latencies.map(([, p95]) => p95 ?? null),
      latency_p99: latencies.map(([, , p99]) => p99 ?? null),
    },
    statuses: [...activity.statuses]
      .map(([status, count]) => ({ status, status_message: messageOf(status), count }))
      .sort((a, b) => b.count - a.count),
    routes: [...activity.routes].map(routeView).sort((a, b) => b.calls - a.calls),
    refusals: activity.refusals.map(refusalView),
    counters: amountsView(activity.left),
    limits: amountsView(activity.limits),
  };
}

function routeView([route, { calls, errors, latency }]: [string, CallCount]) {
  const [p50 = null, p95 = null] = percentiles(latency, [0.5, 0.95]);
  return { route, calls, errors, latency_p50: p50, latency_p95: p95 };
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

/** Amounts of a quota, in the names of the wire. */
export function amountsView({ hits, faces, galleries }: Quota) {
  return { n_api_hits: hits, n_face: faces, n_facegallery: galleries };
}

/** Empty for a status of another version. */
function messageOf(status: string): string {
  return messages.get(status) ?? '';
}

export function auditView({ records, nextBefore }: Awaited<ReturnType<AuditService['read']>>) {
  return {
    records: records.map(recordView),
    next_before: nextBefore,
  };
}

/** The ends of the chain of audit records, and a part of it. Bytes are hexadecimal. */
export function trailView({ head, anchor, records, ...ends }: AuditTrailPart) {
  return { ...ends, head: linkView(head), anchor: linkView(anchor), records: records.map(recordView) };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const linkView = ({ number, hash, seal }: SealedLink) => ({ number, hash: hex(hash), seal: hex(seal) });

/** An answer for clients that are operators has neither salt, digest nor seal: its schema leaves them out. */
function recordView({ at, event, clientId, trxId, facts, link }: AuditRecord) {
  return {
    number: link?.number ?? null,
    time: at.toISOString(),
    event,
    client_id: clientId,
    trx_id: trxId,
    facts,
    salt: link?.salt ? hex(link.salt) : null,
    digest: link && hex(link.digest),
    hash: link && hex(link.hash),
    seal: link && hex(link.seal),
  };
}
