import { useMemo } from 'preact/hooks';
import type { Histogram } from '../../api/types.ts';
import { showNumber, words } from '../../i18n/words.ts';
import { language } from '../../state/preferences.ts';
import type { Line } from '../../ui/chart/chart.tsx';
import { ChartCard } from './chart-card.tsx';

/** How often each score came: all of them behind, the accepted ones in front. */
export function ScoreChart({ kind, histogram }: { kind: 'similarity' | 'spoof'; histogram: Histogram }) {
  const { activity } = words.value;
  const width = 1 / histogram.bins.length;
  // Bars stand over the middle of their part of the scale.
  const along = useMemo(() => histogram.bins.map((_, bin) => (bin + 0.5) * width), [histogram]);
  const lines = useMemo<Line[]>(() => {
    const show = (value: number) => showNumber(value);
    const yes = kind === 'similarity' ? activity.decisionMatch : activity.decisionReal;
    return [
      { name: activity.all, colour: 'edge', values: histogram.bins, bars: true, show },
      { name: yes, colour: 'good', values: acceptedOf(histogram), bars: true, show },
    ];
  }, [histogram, language.value]);
  return (
    <ChartCard
      title={kind === 'similarity' ? activity.similarityTitle : activity.spoofTitle}
      how={kind === 'similarity' ? activity.similarityHow : activity.spoofHow}
      first={activity.score}
      showFirst={(middle) => showNumber(middle - width / 2, 2)}
      along={along}
      axis="score"
      lines={lines}
    />
  );
}

function acceptedOf({ bins, groups }: Histogram): number[] {
  return bins.map((_, bin) =>
    groups.filter(({ accepted }) => accepted).reduce((sum, group) => sum + (group.bins[bin] ?? 0), 0),
  );
}
