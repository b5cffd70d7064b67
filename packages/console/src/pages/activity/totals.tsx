import type { Activity } from '../../api/types.ts';
import { showNumber, showPercent, words } from '../../i18n/words.ts';

/** The time range in four numbers. */
export function Totals({ activity: told, calls }: { activity: Activity; calls: number }) {
  const { activity } = words.value;
  const errors = told.series.errors.reduce((sum, count) => sum + count, 0);
  const milliseconds = (value: number | null) =>
    value === null ? '–' : activity.milliseconds(showNumber(value));
  return (
    <dl class="totals">
      <Total name={activity.calls} value={showNumber(calls)} />
      <Total name={activity.errors} value={showNumber(errors)} />
      <Total name={activity.errorShare} value={calls === 0 ? '–' : showPercent(errors / calls, 1)} />
      <Total name={activity.median} value={milliseconds(middle(told))} />
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

/** Median of the whole time: that of the endpoints, weighted by their calls. */
function middle({ routes }: Activity): number | null {
  const known = routes.filter(({ latency_p50 }) => latency_p50 !== null);
  const sorted = [...known].sort((a, b) => a.latency_p50! - b.latency_p50!);
  const half = known.reduce((sum, { calls }) => sum + calls, 0) / 2;
  let passed = 0;
  for (const { calls, latency_p50 } of sorted) {
    passed += calls;
    if (passed >= half) return latency_p50;
  }
  return null;
}
