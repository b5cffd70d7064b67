import type { PairScores } from '../calibration/pairs.ts';
import { countBelow, rate } from '../metrics/scores.ts';
import { plot, type Series } from './svg.ts';

const GENUINE = '#1a7f37';
const STRANGERS = '#b35900';
const BINS = 120;

/** Detection error trade-off: false non-matches over false matches, both logarithmic. */
export function detPlot(title: string, { genuine, impostor }: PairScores): string {
  const points: [number, number][] = [];
  const least = 1 / impostor.length;
  for (let log = 0; 10 ** log >= least; log -= 0.05) {
    const index = impostor.length - Math.max(1, Math.round(impostor.length * 10 ** log));
    points.push([10 ** log, rate(countBelow(genuine, impostor[index]!))]);
  }
  const decades = 10 ** Math.floor(Math.log10(least));
  const lowest = 10 ** Math.floor(Math.log10(1 / Math.max(10, genuine.length)));
  return plot(
    title,
    { label: 'false match rate', from: decades, to: 1, logarithmic: true },
    { label: 'false non-match rate', from: lowest, to: 1, logarithmic: true },
    [{ name: `${genuine.length} + ${impostor.length} pairs`, colour: GENUINE, points }],
  );
}

/** Inner products of pairs of one person and of two, as densities. */
export function distributionPlot(title: string, { genuine, impostor }: PairScores): string {
  const from = Math.min(genuine[0] ?? 1, impostor[0] ?? 1);
  const width = (1 - from) / BINS;
  const series: Series[] = [
    {
      name: `two people (${impostor.length})`,
      colour: STRANGERS,
      points: density(impostor, from, width),
      filled: true,
    },
    {
      name: `one person (${genuine.length})`,
      colour: GENUINE,
      points: density(genuine, from, width),
      filled: true,
    },
  ];
  const highest = Math.max(...series.flatMap(({ points }) => points.map(([, y]) => y)));
  return plot(
    title,
    { label: 'inner product', from, to: 1 },
    { label: 'density', from: 0, to: highest },
    series,
  );
}

function density(scores: Float64Array, from: number, width: number): [number, number][] {
  const counts = new Float64Array(BINS);
  for (const score of scores)
    counts[Math.min(BINS - 1, Math.max(0, Math.floor((score - from) / width)))]! += 1;
  return [...counts].map((count, i) => [from + (i + 0.5) * width, count / scores.length / width]);
}
