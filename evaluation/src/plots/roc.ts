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

/** Scores of attack and bona fide presentations; higher means attack. */
export type Sides = readonly [attacks: Float64Array, bonaFide: Float64Array];

/** ROC curves of attack detection: 1 − APCER over BPCER, a line for each signal. */
export function rocPlot(title: string, signals: Readonly<Record<string, Sides>>): string {
  const lines = Object.entries(signals).map(
    ([name, sides], i): Series => ({
      name: `${name}: ${rocArea(...sides).toFixed(2)}`,
      colour: COLOURS[i % COLOURS.length]!,
      points: curve(sides),
    }),
  );
  return plot(title, { label: 'BPCER', from: 0, to: 1 }, { label: '1 − APCER', from: 0, to: 1 }, lines);
}

function curve([attacks, bonaFide]: Sides): [number, number][] {
  const thresholds = [...attacks, ...bonaFide].sort((a, b) => b - a);
  const at = (threshold: number): [number, number] => [
    rate(countAtLeast(bonaFide, threshold)),
    rate(countAtLeast(attacks, threshold)),
  ];
  return [[0, 0], ...thresholds.map(at)];
}
