import uPlot from 'uplot';
import { formatNumber, locale } from '../../i18n/format.ts';

export type Axis = 'time' | 'score';

/** A series of a chart. */
export interface Line {
  readonly name: string;
  /** A colour variable of the style sheet. */
  readonly colour: 'accent' | 'bad' | 'good' | 'warn' | 'edge';
  readonly values: readonly (number | null)[];
  readonly bars?: boolean;
  readonly show: (value: number) => string;
}

const height = 200;

export function chartOptions(wanted: {
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
