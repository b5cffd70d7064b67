import { countAtLeast, rate, rocArea } from '../metrics/scores.ts';
import { plot, type Series } from './svg.ts';

const COLOURS = [
  '#1a7f37',
  '#b35900',
  '#0550ae',
  '#8250df',
  '#24292f',
  '#cf222e',
  '#9a6700',
  '#1b7c83',
  '#bf3989',
  '#8c959f',
];

/** Scores of attacks and of real faces, more being more suspicious. */
export type Sides = readonly [attacks: Float64Array, real: Float64Array];

/** Share of attacks that is caught over the share of real faces that is refused, a line for each measure. */
export function rocPlot(title: string, measures: Readonly<Record<string, Sides>>): string {
  const lines = Object.entries(measures).map(
    ([name, sides], i): Series => ({
      name: `${name}: ${rocArea(...sides).toFixed(2)}`,
      colour: COLOURS[i % COLOURS.length]!,
      points: curve(sides),
    }),
  );
  return plot(
    title,
    { label: 'share of real faces that is refused', from: 0, to: 1 },
    { label: 'share of attacks that is caught', from: 0, to: 1 },
    lines,
  );
}

function curve([attacks, real]: Sides): [number, number][] {
  const thresholds = [...attacks, ...real].sort((a, b) => b - a);
  const at = (threshold: number): [number, number] => [
    rate(countAtLeast(real, threshold)),
    rate(countAtLeast(attacks, threshold)),
  ];
  return [[0, 0], ...thresholds.map(at)];
}
