import { exactInterval } from '../metrics/bounds.ts';
import { plot, type Series } from './svg.ts';

/** A reported state: its probability, 0.5…1, and whether it is right. */
export interface JudgedState {
  readonly score: number;
  readonly right: boolean;
}

/** Edges of the bins of probability, finer towards 1, where most reports lie. */
const EDGES = [0.5, 0.7, 0.85, 0.95, 0.99, 1];
const COLOURS = ['#1a7f37', '#b35900', '#0550ae', '#8250df'];

/** A bin of a reliability plot. */
export interface ReliabilityBin {
  /** Mean of the reported scores, 0.5…1. */
  readonly reported: number;
  readonly right: number;
  readonly count: number;
}

/** Reports by bin of probability; empty bins are left out. */
export function binsOf(judgements: readonly JudgedState[]): ReliabilityBin[] {
  return EDGES.slice(1).flatMap((to, i) => {
    const last = i === EDGES.length - 2;
    const those = judgements.filter(({ score }) => score >= EDGES[i]! && (last || score < to));
    if (those.length === 0) return [];
    const reported = those.reduce((sum, { score }) => sum + score, 0) / those.length;
    return [{ reported, right: those.filter(({ right }) => right).length, count: those.length }];
  });
}

/** Expected calibration error, 0…1: mean distance of reported probability and share of right reports, weighted by count. */
export function calibrationError(judgements: readonly JudgedState[]): number {
  const steps = binsOf(judgements);
  return steps.reduce(
    (sum, { reported, right, count }) => sum + Math.abs(reported * count - right) / judgements.length,
    0,
  );
}

/** Reliability plot: share of right reports over the reported probability, with exact 95 % intervals. */
export function reliabilityPlot(
  title: string,
  kinds: Readonly<Record<string, readonly JudgedState[]>>,
): string {
  const diagonal: Series = {
    name: 'perfect calibration',
    colour: '#999',
    points: [
      [0.5, 0.5],
      [1, 1],
    ],
  };
  const lines = Object.entries(kinds).flatMap(([name, judgements], i) =>
    lineOf(`${name} (${judgements.length})`, binsOf(judgements), COLOURS[i % COLOURS.length]!),
  );
  return plot(
    title,
    { label: 'reported probability of the reported state', from: 0.5, to: 1 },
    { label: 'share of right reports', from: 0, to: 1 },
    [diagonal, ...lines],
  );
}

function lineOf(name: string, steps: readonly ReliabilityBin[], colour: string): Series[] {
  const points = steps.map(({ reported, right, count }) => [reported, right / count] as const);
  const bars = steps.map(({ reported, right, count }): Series => {
    const { low, high } = exactInterval(right, count);
    return {
      name: '',
      colour,
      points: [
        [reported, low],
        [reported, high],
      ],
    };
  });
  return [{ name, colour, points }, ...bars];
}
