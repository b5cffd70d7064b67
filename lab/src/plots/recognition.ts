import type { PairScores } from '../calibration/pairs.ts';
import { countBelow, rate } from '../metrics/scores.ts';
import { plot, type Series } from './svg.ts';

const GENUINE = '#1a7f37';
const IMPOSTOR = '#b35900';
const COLOURS = [GENUINE, '#0550ae', '#b35900', '#8250df', '#cf222e'];
const BINS = 120;
/** Lower end of the axis; the few inner products below are drawn here. */
const LOWEST = -0.5;

/** Numbers of pairs below which a curve has too few steps to be drawn. */
const FEWEST = { genuine: 20, impostor: 300 } as const;

/**
 * DET curves: FNMR over FMR, both logarithmic.
 * @param kinds by name; a curve for the first and each other that has enough pairs
 */
export function detPlot(title: string, kinds: Readonly<Record<string, PairScores>>): string {
  const curves = Object.entries(kinds).filter(
    ([, { genuine, impostor }], i) =>
      i === 0 || (genuine.length >= FEWEST.genuine && impostor.length >= FEWEST.impostor),
  );
  const most = (count: (scores: PairScores) => number) =>
    Math.max(10, ...curves.map(([, scores]) => count(scores)));
  const decade = (count: number) => 10 ** Math.floor(-Math.log10(count));
  return plot(
    title,
    {
      label: 'FMR',
      from: decade(most(({ impostor }) => impostor.length)),
      to: 1,
      logarithmic: true,
    },
    {
      label: 'FNMR',
      from: decade(most(({ genuine }) => genuine.length)),
      to: 1,
      logarithmic: true,
    },
    curves.map(([name, scores], i) => ({
      name: `${name} (${scores.genuine.length} / ${scores.impostor.length})`,
      colour: COLOURS[i % COLOURS.length]!,
      points: tradeOff(scores),
    })),
  );
}

/** FMR and FNMR in steps of a twentieth of a decade, as far as there are impostor pairs. */
function tradeOff({ genuine, impostor }: PairScores): [number, number][] {
  const points: [number, number][] = [];
  for (let log = 0; 10 ** log >= 1 / impostor.length; log -= 0.05) {
    const index = impostor.length - Math.max(1, Math.round(impostor.length * 10 ** log));
    points.push([10 ** log, rate(countBelow(genuine, impostor[index]!))]);
  }
  return points;
}

/** Densities of the inner products of impostor and genuine pairs. */
export function distributionPlot(title: string, { genuine, impostor }: PairScores): string {
  const from = LOWEST;
  const width = (1 - from) / BINS;
  const series: Series[] = [
    {
      name: `impostor pairs (${impostor.length})`,
      colour: IMPOSTOR,
      points: density(impostor, from, width),
      filled: true,
    },
    {
      name: `genuine pairs (${genuine.length})`,
      colour: GENUINE,
      points: density(genuine, from, width),
      filled: true,
    },
  ];
  const highest = Math.max(...series.flatMap(({ points }) => points.map(([, y]) => y)));
  return plot(
    title,
    { label: 'inner product', from, to: 1 },
    { label: 'density', from: 0, to: roomAbove(highest) },
    series,
  );
}

/** Room for the legend, and ticks at quarters. */
function roomAbove(highest: number): number {
  return 1.25 * Math.max(1, Math.ceil(highest * 0.95));
}

function density(scores: Float64Array, from: number, width: number): [number, number][] {
  const counts = new Float64Array(BINS);
  for (const score of scores)
    counts[Math.min(BINS - 1, Math.max(0, Math.floor((score - from) / width)))]! += 1;
  return [...counts].map((count, i) => [from + (i + 0.5) * width, count / scores.length / width]);
}
