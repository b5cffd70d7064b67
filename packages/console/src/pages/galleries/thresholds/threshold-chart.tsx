import type { GalleryScores } from '../../../api/types.ts';
import { scaleTicks } from '../../../draw/similarity-scale.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';

/** Units of the drawing for a bin, and for the highest one. */
const step = 10;
const height = 160;

interface Props {
  readonly scores: GalleryScores;
  readonly threshold: number;
}

/** The counted similarities as bars, with the threshold. The table has the numbers for screen readers. */
export function ThresholdChart({ scores, threshold }: Props) {
  const { thresholds } = messages.value;
  const counts = scores.verify.map((count, bin) => count + (scores.identify[bin] ?? 0));
  const most = Math.max(...counts);
  if (most === 0) return null;
  const width = counts.length * step;
  const line = threshold * width;
  return (
    <section class="card" aria-labelledby="threshold-chart">
      <h2 id="threshold-chart">{thresholds.chartTitle}</h2>
      <svg
        class="histogram"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={thresholds.chart}
      >
        {counts.map((count, bin) => {
          const size = count === 0 ? 0 : Math.max(3, (count / most) * (height - 10));
          const side = (bin + 0.5) * step < line ? 'below' : 'above';
          return (
            <rect
              key={bin}
              class={side}
              x={bin * step + 1}
              y={height - size}
              width={step - 2}
              height={size}
            />
          );
        })}
        <line x1={line} x2={line} y1={0} y2={height} />
      </svg>
      <div class="ticks numbers" aria-hidden="true">
        {scaleTicks.slice(0, 5).map(({ at }) => (
          <span key={at} style={{ left: `${at * 100}%` }}>
            {formatNumber(at, 3)}
          </span>
        ))}
      </div>
      <ul class="legend" aria-hidden="true">
        <li>
          <span class="swatch warn" />
          {thresholds.below}
        </li>
        <li>
          <span class="swatch good" />
          {thresholds.above}
        </li>
      </ul>
      <p class="hint">{thresholds.chartHint}</p>
    </section>
  );
}
