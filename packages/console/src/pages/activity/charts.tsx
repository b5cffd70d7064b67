import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Activity, Histogram } from '../../api/types.ts';
import { formatMilliseconds, formatNumber, formatTime, locale } from '../../i18n/format.ts';
import { activity } from '../../i18n/messages.ts';
import { appearance, language } from '../../state/preferences.ts';
import type { Report } from './use-activity.ts';
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';

const secondsOf = (times: readonly string[]) => times.map((time) => Date.parse(time) / 1_000);
const whole = (value: number) => formatNumber(value);
const fromSeconds = (seconds: number) => formatTime(seconds * 1_000);

/** Calls and refused calls over time, and the calls of the time range before. */
export function CallsChart({ report: { now, before, range } }: { report: Report }) {
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

/** Histogram of scores: all behind, accepted ones in front. */
export function ScoreChart({ kind, histogram }: { kind: 'similarity' | 'spoof'; histogram: Histogram }) {
  const width = 1 / histogram.bins.length;
  // Bars are centred on their bin.
  const along = useMemo(() => histogram.bins.map((_, bin) => (bin + 0.5) * width), [histogram]);
  const lines = useMemo<Line[]>(() => {
    const show = (value: number) => formatNumber(value);
    return [
      { name: activity.all, colour: 'edge', values: histogram.bins, bars: true, show },
      { name: activity.accepted, colour: 'good', values: acceptedOf(histogram), bars: true, show },
    ];
  }, [histogram, language.value]);
  return (
    <ChartCard
      title={kind === 'similarity' ? activity.similarityTitle : activity.spoofTitle}
      how={kind === 'similarity' ? activity.similarityHow : activity.spoofHow}
      first={activity.score}
      showFirst={(middle) => formatNumber(middle - width / 2, 2)}
      along={along}
      axis="score"
      lines={lines}
    />
  );
}

function acceptedOf({ bins, groups }: Histogram): number[] {
  return bins.map((_, bin) =>
    groups.filter((group) => group.accepted).reduce((sum, group) => sum + (group.bins[bin] ?? 0), 0),
  );
}

interface ChartCardProps extends Pick<ChartProps, 'along' | 'axis' | 'lines'> {
  readonly title: string;
  readonly how: string;
  /** Heading and cell format of the first column of the table. */
  readonly first: string;
  readonly showFirst: (value: number) => string;
}

/** A chart with an explanation, and its values as a table. */
function ChartCard({ title, how, first, showFirst, along, axis, lines }: ChartCardProps) {
  const rows = along.map((_, index) => index).filter((index) => lines.some(({ values }) => values[index]));
  return (
    <section class="card">
      <div class="stack tight">
        <h2>{title}</h2>
        <p class="hint">{how}</p>
      </div>
      <Chart label={`${title}. ${how}`} along={along} axis={axis} lines={lines} />
      <details>
        <summary class="small">{activity.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard focus */}
        <section class="scroll tall" tabIndex={0} aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col" class="end">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((index) => (
                <tr key={index}>
                  <th scope="row">{showFirst(along[index]!)}</th>
                  {lines.map(({ name, values, show }) => (
                    <td key={name} class="end numbers">
                      {values[index] === null || values[index] === undefined ? '–' : show(values[index])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}

interface ChartProps {
  /** For screen readers; the table below has the values. */
  readonly label: string;
  /** Ascending x values: seconds since 1970, or scores. */
  readonly along: readonly number[];
  readonly axis: Axis;
  readonly lines: readonly Line[];
}

/** Lines or bars over time or over scores. The legend shows the values under the pointer. */
function Chart({ label, along, axis, lines }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const options = chartOptions({ axis, along, lines, width: element.clientWidth, onPoint: setHovered });
    const data = [along, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const plot = new uPlot(options, data, element);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: options.height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [along, lines, appearance.value, language.value]);
  return (
    <div class="stack tight">
      <Legend lines={lines} at={hovered} />
      <div ref={container} class="chart" role="img" aria-label={label} />
    </div>
  );
}

function Legend({ lines, at }: { lines: readonly Line[]; at: number | null }) {
  return (
    <ul class="legend" aria-hidden="true">
      {lines.map(({ name, colour, values, show }) => {
        const value = at === null ? undefined : values[at];
        return (
          <li key={name}>
            <span class={`swatch ${colour}`} />
            {name}
            {value !== undefined && value !== null && <b class="numbers">{show(value)}</b>}
          </li>
        );
      })}
    </ul>
  );
}

type Axis = 'time' | 'score';

/** A series of a chart. */
interface Line {
  readonly name: string;
  /** A colour variable of the style sheet. */
  readonly colour: 'accent' | 'bad' | 'good' | 'warn' | 'edge';
  readonly values: readonly (number | null)[];
  readonly bars?: boolean;
  readonly show: (value: number) => string;
}

const height = 200;

function chartOptions(wanted: {
  axis: Axis;
  along: readonly number[];
  lines: readonly Line[];
  width: number;
  onPoint: (index: number | null) => void;
}): uPlot.Options {
  const { axis, along, lines, width, onPoint } = wanted;
  // Bars are centred on their value: without a margin the first and the last would be cut in half.
  const half = ((along[1] ?? 0) - (along[0] ?? 0)) / 2;
  const axisStyle = { stroke: colourOf('muted'), font: fontOf(), ticks: { show: false } };
  const grid = { stroke: colourOf('line'), width: 1 };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    hooks: { setCursor: [(plot: uPlot) => onPoint(plot.cursor.idx ?? null)] },
    scales: {
      x: { time: axis === 'time', range: (_plot, low, high) => [low - half, high + half] },
      y: { range: (_plot, _low, high) => [0, niceTop(high)] },
    },
    fmtDate: () => () => '',
    axes: [
      {
        ...axisStyle,
        grid: { show: false },
        size: 32,
        space: 60,
        values: (_plot, splits) => labels(axis, splits),
      },
      {
        ...axisStyle,
        grid,
        size: 52,
        values: (_plot, splits) => splits.map((value) => formatNumber(value, 0)),
      },
    ],
    series: [{}, ...lines.map(seriesOf)],
  };
}

function seriesOf({ name, colour, bars }: Line): uPlot.Series {
  const stroke = colourOf(colour);
  const base = { label: name, stroke, width: 2 };
  if (!bars) return { ...base, spanGaps: true, points: { show: true, size: 5, fill: stroke } };
  return {
    ...base,
    points: { show: false },
    fill: stroke,
    width: 0,
    paths: uPlot.paths.bars!({ size: [0.85, 40] }),
  };
}

/** Upper end of the scale; at least 4, also for an empty chart. */
function niceTop(high: number | null): number {
  if (high === null || high <= 0) return 4;
  return high < 4 ? 4 : high * 1.08;
}

function labels(axis: Axis, splits: readonly number[]): string[] {
  if (axis === 'score') return splits.map((value) => formatNumber(value, 2));
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const format: Intl.DateTimeFormatOptions =
    span > 2 * 86_400 ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' };
  return splits.map((seconds) => new Date(seconds * 1_000).toLocaleString(locale(), format));
}

function fontOf(): string {
  return `12px ${getComputedStyle(document.body).fontFamily}`;
}

/** A colour variable of the style sheet as a value for the canvas. */
function colourOf(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  probe.hidden = true;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
