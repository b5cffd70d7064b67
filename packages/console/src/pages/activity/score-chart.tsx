import { useMemo } from 'preact/hooks';
import type { Histogram } from '../../api/types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { language } from '../../state/preferences.ts';
import type { Line } from '../../ui/chart/chart-options.ts';
import { ChartCard } from './chart-card.tsx';

/** Histogram of scores: all behind, accepted ones in front. */
export function ScoreChart({ kind, histogram }: { kind: 'similarity' | 'spoof'; histogram: Histogram }) {
  const { activity } = messages.value;
  const width = 1 / histogram.bins.length;
  // Bars are centred on their bin.
  const along = useMemo(() => histogram.bins.map((_, bin) => (bin + 0.5) * width), [histogram]);
  const lines = useMemo<Line[]>(() => {
    const show = (value: number) => formatNumber(value);
    const accepted = kind === 'similarity' ? activity.decisionMatch : activity.decisionReal;
    return [
      { name: activity.all, colour: 'edge', values: histogram.bins, bars: true, show },
      { name: accepted, colour: 'good', values: acceptedOf(histogram), bars: true, show },
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
