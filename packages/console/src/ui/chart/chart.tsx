import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { language, theme } from '../../state/preferences.ts';
import { type Axis, chartOptions, type Line } from './chart-options.ts';
import { useDarkness } from './use-darkness.ts';

export type { Line } from './chart-options.ts';

export interface ChartProps {
  /** What the picture is of, for screen readers; the table below it has the numbers. */
  readonly label: string;
  /** Values along the bottom, rising: seconds since 1970, or scores. */
  readonly along: readonly number[];
  readonly axis: Axis;
  readonly lines: readonly Line[];
}

/** Lines or bars over time or over scores, with a legend that tells the values under the pointer. */
export function Chart({ label, along, axis, lines }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const dark = useDarkness();
  useEffect(() => {
    const holder = place.current;
    if (!holder) return;
    const options = chartOptions({ axis, along, lines, width: holder.clientWidth, onPoint: setPointed });
    const data = [along, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const plot = new uPlot(options, data, holder);
    const watcher = new ResizeObserver(() =>
      plot.setSize({ width: holder.clientWidth, height: options.height }),
    );
    watcher.observe(holder);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [along, lines, dark, theme.value, language.value]);
  return (
    <div class="stack tight">
      <Legend lines={lines} at={pointed} />
      <div ref={place} class="chart" role="img" aria-label={label} />
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
