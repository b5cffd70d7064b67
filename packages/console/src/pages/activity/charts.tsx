import { useState } from 'preact/hooks';
import type { Activity } from '../../api/types.ts';
import { formatMilliseconds, formatNumber, formatTime, locale } from '../../i18n/format.ts';
import { activity, common } from '../../i18n/messages.ts';
import { Card, StackedTable } from '../../ui/card.tsx';

/** Calls and refused calls over time. */
export function CallsChart({ activity: { series } }: { activity: Activity }) {
  const show = (value: number) => formatNumber(value);
  const lines: Line[] = [
    { name: common.calls, colour: 'info', values: series.calls, bars: true, show },
    { name: activity.errors, colour: 'bad', values: series.errors, bars: true, show },
  ];
  return <ChartCard title={activity.callsTitle} how={activity.callsHow} times={series.time} lines={lines} />;
}

/** Percentiles of the latency over time. */
export function LatencyChart({ activity: { series } }: { activity: Activity }) {
  const lines: Line[] = [
    { name: 'p50', colour: 'good', values: series.latency_p50, show: formatMilliseconds },
    { name: 'p95', colour: 'warn', values: series.latency_p95, show: formatMilliseconds },
    { name: 'p99', colour: 'bad', values: series.latency_p99, show: formatMilliseconds },
  ];
  return (
    <ChartCard title={activity.latencyTitle} how={activity.latencyHow} times={series.time} lines={lines} />
  );
}

/** A series of a chart. */
interface Line {
  readonly name: string;
  /** A colour variable of the style sheet. */
  readonly colour: 'info' | 'bad' | 'good' | 'warn';
  /** A value of each interval; null where nothing was measured. */
  readonly values: readonly (number | null)[];
  readonly bars?: boolean;
  readonly show: (value: number) => string;
}

interface ChartProps {
  readonly title: string;
  readonly how: string;
  /** Begins of the intervals, ISO 8601. */
  readonly times: readonly string[];
  readonly lines: readonly Line[];
}

/** A chart with an explanation, and its values as a table. */
function ChartCard({ title, how, times, lines }: ChartProps) {
  const rows = times.map((_, index) => index).filter((index) => lines.some(({ values }) => values[index]));
  return (
    <Card title={title} hint={how}>
      <Chart title={title} how={how} times={times} lines={lines} />
      <details>
        <summary class="small">{activity.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard focus */}
        <section class="tall" tabIndex={0} aria-label={title}>
          <StackedTable
            columns={[
              [activity.interval, (index) => formatTime(times[index]!)],
              ...lines.map(
                ({ name, values, show }) =>
                  [name, (index: number) => shown(values[index], show), 'end numbers'] as const,
              ),
            ]}
            rows={rows}
            keyOf={String}
          />
        </section>
      </details>
    </Card>
  );
}

function shown(value: number | null | undefined, show: Line['show']): string {
  return value === null || value === undefined ? '–' : show(value);
}

/** Lines or bars over time. The legend shows the values under the pointer. */
function Chart({ title, how, times, lines }: ChartProps) {
  const [at, setAt] = useState<number>();
  const top = scaleTop(Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const count = times.length;
  return (
    <div class="stack tight">
      <ul class="row legend" aria-hidden="true">
        {lines.map(({ name, colour, values, show }) => (
          <li key={name} class="row">
            <span class={`swatch ${colour}`} />
            {name} {at !== undefined && <b class="numbers">{shown(values[at], show)}</b>}
          </li>
        ))}
      </ul>
      <div class="chart">
        <div class="heights numbers" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatNumber(value)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${count} ${top}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}. ${how}`}
          onPointerMove={({ offsetX, currentTarget: { clientWidth } }) =>
            setAt(Math.min(count - 1, Math.floor((offsetX / Math.max(1, clientWidth)) * count)))
          }
          onPointerLeave={() => setAt(undefined)}
        >
          {at !== undefined && <rect class="pointed" x={at} width={1} y={0} height={top} />}
          <path class="grid" d={`M0 0H${count}M0 ${top / 2}H${count}`} />
          {lines.map((line) => (
            <Series key={line.name} line={line} top={top} />
          ))}
        </svg>
        <div class="times numbers" aria-hidden="true">
          {labelled(times).map(([time, intervals]) => (
            <span key={time} style={{ flexGrow: intervals }}>
              {time}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Bars, or a line with a dot at each value. */
function Series({ line: { values, colour, bars = false }, top }: { line: Line; top: number }) {
  if (bars) {
    const rects = values.map((value, at) => `M${at + 0.1} ${top}v${-(value ?? 0)}h.8v${value ?? 0}z`);
    return <path class={`bars ${colour}`} d={rects.join('')} />;
  }
  const points = values.flatMap((value, at) => (value === null ? [] : [`${at + 0.5} ${top - value}`]));
  return (
    <>
      <path class={`line ${colour}`} d={points.length > 0 ? `M${points.join('L')}` : ''} />
      <path class={`points ${colour}`} d={points.map((point) => `M${point}h0`).join('')} />
    </>
  );
}

/** Upper end of a scale whose half is round, too; at least 4. @example scaleTop(130); // 200 */
function scaleTop(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(4, most)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * decade).find((top) => top >= Math.max(4, most)) ?? most;
}

/** Times below a chart, at most. */
const mostLabels = 6;

/** Some of the times, evenly spread, and the intervals until the next: hours, or days where there are more than two. */
function labelled(times: readonly string[]): (readonly [text: string, intervals: number])[] {
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const format: Intl.DateTimeFormatOptions =
    Date.parse(last) - Date.parse(first) > 2 * 86_400_000
      ? { day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit' };
  const step = Math.ceil(times.length / mostLabels);
  return times.flatMap((time, at) => {
    const text = new Date(time).toLocaleString(locale(), format);
    return at % step === 0 ? [[text, Math.min(step, times.length - at)] as const] : [];
  });
}
