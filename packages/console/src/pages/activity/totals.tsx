import type { Activity } from '../../api/types.ts';
import { formatMilliseconds, formatNumber, formatPercent } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';

/** Totals of the time range. */
export function Totals({ activity: report, calls }: { activity: Activity; calls: number }) {
  const { activity } = messages.value;
  const errors = report.series.errors.reduce((sum, count) => sum + count, 0);
  return (
    <dl class="totals">
      <Total name={activity.calls} value={formatNumber(calls)} />
      <Total name={activity.errors} value={formatNumber(errors)} />
      <Total name={activity.errorShare} value={calls === 0 ? '–' : formatPercent(errors / calls, 1)} />
      <Total name={activity.median} value={formatMilliseconds(medianLatency(report))} />
    </dl>
  );
}

function Total({ name, value }: { name: string; value: string }) {
  return (
    <div class="card">
      <dt class="muted small">{name}</dt>
      <dd class="numbers">{value}</dd>
    </div>
  );
}

/** Weighted median of the endpoints' medians, milliseconds. */
function medianLatency({ routes }: Activity): number | null {
  const known = routes.filter(({ latency_p50 }) => latency_p50 !== null);
  const sorted = [...known].sort((a, b) => a.latency_p50! - b.latency_p50!);
  const half = known.reduce((sum, { calls }) => sum + calls, 0) / 2;
  let cumulated = 0;
  for (const { calls, latency_p50 } of sorted) {
    cumulated += calls;
    if (cumulated >= half) return latency_p50;
  }
  return null;
}
