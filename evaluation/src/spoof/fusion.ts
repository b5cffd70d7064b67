import { calibrated, calibration } from '../learn/folds.ts';
import type { SpoofRow } from './examples.ts';
import { HEADS, type Head, trainHead, weightOf } from './heads.ts';

/**
 * @NOTE fused
 * How much the log odds of each head count in the sum, and the doubt of installed nets. Cues that say things apart add up
 * their log odds; a regression of so few attacks on them finds weights that are worse (ROC area over dev 0.83 instead
 * of 0.89). The doubt is of another scale, and anything from 0.1 to 0.3 is as good.
 */
const FUSED = { surface: 1, look: 1 } as const;
const FUSED_WITH_NETS = { ...FUSED, nets: 0.2 } as const;

/** Log odds of heads added up by their weights, and a constant. */
export interface Fusion {
  readonly weights: Readonly<Record<string, number>>;
  readonly bias: number;
  /** Log odds of every row, by heads that never saw its group. */
  readonly outOfFold: Float64Array;
}

/** All of the measure: the heads, and what joins them with and without installed nets. */
export interface SpoofModel {
  readonly heads: readonly Head[];
  readonly fusion: Fusion;
  readonly fusionWithNets: Fusion;
}

/** Trains everything on the rows, and says what models that lack a row's group would have said of it. */
export function trainSpoof(rows: readonly SpoofRow[]): SpoofModel {
  const heads = HEADS.map((plan) => trainHead(rows, plan));
  return { heads, fusion: fuse(rows, heads, FUSED), fusionWithNets: fuse(rows, heads, FUSED_WITH_NETS) };
}

/** Adds log odds up by their weights, and brings the sum to probabilities (Platt scaling). */
function fuse(
  rows: readonly SpoofRow[],
  heads: readonly Head[],
  weights: Readonly<Record<string, number>>,
): Fusion {
  const names = Object.keys(weights);
  const used = names.map((name) => heads.find(({ plan }) => plan.name === name)!.outOfFold);
  const sums = Float64Array.from(rows, (_, i) =>
    names.reduce((sum, name, j) => sum + weights[name]! * used[j]![i]!, 0),
  );
  const examples = rows.map((row) => ({ row: [], positive: row.positive, weight: weightOf(row, 0) }));
  const kept = (i: number) => examples[i]!.weight !== 0;
  const by = calibration(
    sums.filter((_, i) => kept(i)),
    examples.filter((_, i) => kept(i)),
  );
  const all = names.map((name) => weights[name]!);
  const scaled = calibrated({ bias: 0, weights: Float64Array.from(all) }, by);
  return {
    weights: Object.fromEntries(names.map((name, j) => [name, scaled.weights[j]!])),
    bias: scaled.bias,
    outOfFold: sums.map((odds) => by.bias + by.weights[0]! * odds),
  };
}
