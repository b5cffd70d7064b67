import { useMemo } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { formatMilliseconds, formatNumber, formatTime } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { language } from '../../state/preferences.ts';
import type { Line } from '../../ui/chart/chart-options.ts';
import { ChartCard } from './chart-card.tsx';
import type { Report } from './use-activity.ts';

const secondsOf = (times: readonly string[]) => times.map((time) => Date.parse(time) / 1_000);
const whole = (value: number) => formatNumber(value);
const fromSeconds = (seconds: number) => formatTime(seconds * 1_000);

/** Calls and refused calls over time, and the calls of the time range before. */
export function CallsChart({ report: { now, before, range } }: { report: Report }) {
  const { activity } = messages.value;
  const { series } = now;
  const earlier = before.series.calls;
  const along = useMemo(() => secondsOf(series.time), [series]);
  const lines = useMemo<Line[]>(
    () => [
      { name: activity.calls, colour: 'accent', values: series.calls, bars: true, show: whole },
      { name: activity.errors, colour: 'bad', values: series.errors, bars: true, show: whole },
      ...(earlier.some((count) => count > 0)
        ? [{ name: activity[`before_${range}`], colour: 'edge', values: earlier, show: whole } as const]
        : []),
    ],
    [series, language.value],
  );
  return (
    <ChartCard
      title={activity.callsTitle}
      how={activity.callsHow}
      first={activity.interval}
      showFirst={fromSeconds}
      along={along}
      axis="time"
      lines={lines}
    />
  );
}

/** Percentiles of the latency over time. */
export function LatencyChart({ activity: { series } }: { activity: Activity }) {
  const { activity } = messages.value;
  const along = useMemo(() => secondsOf(series.time), [series]);
  const lines = useMemo<Line[]>(
    () => [
      { name: 'p50', colour: 'good', values: series.latency_p50, show: formatMilliseconds },
      { name: 'p95', colour: 'warn', values: series.latency_p95, show: formatMilliseconds },
      { name: 'p99', colour: 'bad', values: series.latency_p99, show: formatMilliseconds },
    ],
    [series, language.value],
  );
  return (
    <ChartCard
      title={activity.latencyTitle}
      how={activity.latencyHow}
      first={activity.interval}
      showFirst={fromSeconds}
      along={along}
      axis="time"
      lines={lines}
    />
  );
}
