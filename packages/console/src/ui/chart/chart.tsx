import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { appearance, language } from '../../state/preferences.ts';
import { type Axis, chartOptions, type Line } from './chart-options.ts';

export interface ChartProps {
  /** For screen readers; the table below has the values. */
  readonly label: string;
  /** Ascending x values: seconds since 1970, or scores. */
  readonly along: readonly number[];
  readonly axis: Axis;
  readonly lines: readonly Line[];
}

/** Lines or bars over time or over scores. The legend shows the values under the pointer. */
export function Chart({ label, along, axis, lines }: ChartProps) {
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
