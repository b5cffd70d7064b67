import type { Activity } from '../../api/types.ts';
import { formatMilliseconds, formatNumber, formatPercent } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import type { Report } from './use-activity.ts';

/** Totals of the time range, beside those of the one before. */
export function Totals({ report, route }: { report: Report; route: string }) {
  const { activity } = messages.value;
  const now = totalsOf(report.now, route);
  const earlier = totalsOf(report.before, route);
  const known = earlier.calls > 0;
  const past = (text: string) => (known ? `${activity[`before_${report.range}`]}: ${text}` : undefined);
  const change = known && earlier.calls > 0 ? ` (${changeText(now.calls, earlier.calls)})` : '';
  const share = ({ calls, errors }: Sums) => (calls === 0 ? '–' : formatPercent(errors / calls, 1));
  return (
    <dl class="totals">
      <Total
        name={activity.calls}
        value={formatNumber(now.calls)}
        past={past(`${formatNumber(earlier.calls)}${change}`)}
      />
      <Total
        name={activity.errors}
        value={formatNumber(now.errors)}
        past={past(formatNumber(earlier.errors))}
      />
      <Total name={activity.errorShare} value={share(now)} past={past(share(earlier))} />
      <Total
        name={activity.median}
        value={formatMilliseconds(now.median)}
        past={past(formatMilliseconds(earlier.median))}
      />
    </dl>
  );
}

function Total({ name, value, past }: { name: string; value: string; past: string | undefined }) {
  return (
    <div class="card">
      <dt class="muted small">{name}</dt>
      <dd class="numbers">{value}</dd>
      {past !== undefined && <dd class="past muted numbers">{past}</dd>}
    </div>
  );
}

/** @example changeText(110, 100); // '+10 %' */
function changeText(now: number, before: number): string {
  const percent = Math.round((100 * (now - before)) / before);
  return `${percent > 0 ? '+' : ''}${formatNumber(percent)} %`;
}

interface Sums {
  readonly calls: number;
  readonly errors: number;
  readonly median: number | null;
}

function totalsOf({ series, routes }: Activity, route: string): Sums {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const shown = routes.filter((one) => route === '' || one.route === route);
  return { calls: sum(series.calls), errors: sum(series.errors), median: medianLatency(shown) };
}

/** Weighted median of the endpoints' medians, milliseconds. */
function medianLatency(routes: Activity['routes']): number | null {
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
