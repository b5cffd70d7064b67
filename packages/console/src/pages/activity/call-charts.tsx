import { useMemo } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { showNumber, showTime, words } from '../../i18n/words.ts';
import { language } from '../../state/preferences.ts';
import type { Line } from '../../ui/chart/chart.tsx';
import { ChartCard } from './chart-card.tsx';

const secondsOf = (times: readonly string[]) => times.map((time) => Date.parse(time) / 1_000);
const whole = (value: number) => showNumber(value);
const fromSeconds = (seconds: number) => showTime(seconds * 1_000);

/** How many calls, and how many of them were refused. */
export function CallsChart({ activity: { series } }: { activity: Activity }) {
  const { activity } = words.value;
  const along = useMemo(() => secondsOf(series.time), [series]);
  const lines = useMemo<Line[]>(
    () => [
      { name: activity.calls, colour: 'accent', values: series.calls, bars: true, show: whole },
      { name: activity.errors, colour: 'bad', values: series.errors, bars: true, show: whole },
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

/** How long answers took. */
export function LatencyChart({ activity: { series } }: { activity: Activity }) {
  const { activity } = words.value;
  const along = useMemo(() => secondsOf(series.time), [series]);
  const lines = useMemo<Line[]>(() => {
    const show = (value: number) => activity.milliseconds(showNumber(value));
    return [
      { name: 'p50', colour: 'good', values: series.latency_p50, show },
      { name: 'p95', colour: 'warn', values: series.latency_p95, show },
      { name: 'p99', colour: 'bad', values: series.latency_p99, show },
    ];
  }, [series, language.value]);
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
