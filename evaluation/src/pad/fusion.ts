import { PAD_SIGNALS } from '@wajah/engine/training';
import { crossValidate, type GroupedExample } from '../learn/folds.ts';
import { type Example, type LinearModel, sigmoid, trainLogistic, trainWithPrior } from '../learn/logistic.ts';
import { type CueModel, FOLDS, trainCues, weightOf } from './cue-models.ts';
import type { SpoofRow } from './examples.ts';

/** Signals joined without installed networks: all but `nets`. ADR 15 lists those that were tried and removed. */
const BUILT_IN = PAD_SIGNALS.filter(({ needs }) => needs === undefined).map(({ name }) => name);

/** How strongly the weights are held to the plain sum; the one that gives the best probabilities is taken. */
const STRENGTHS = [0.03, 0.1, 0.3, 1, 3];
/** How much a simulated attack counts for the weights, a real one being 1. */
const SIMULATED = 0.02;

/** Log odds of cues added up by their weights, and a constant. */
export interface Fusion {
  readonly weights: Readonly<Record<string, number>>;
  readonly bias: number;
  /** How strongly the weights were held to the plain sum. */
  readonly strength: number;
  /** Log odds of every row by cues, weights and a strength that never saw its group. */
  readonly outOfFold: Float64Array;
  /** What the cues' out-of-fold log odds add up to, nothing being learned. */
  readonly plainSum: Float64Array;
}

/** All of the measure: the cues, and what joins them with and without installed nets. */
export interface SpoofModel {
  readonly cues: readonly CueModel[];
  readonly fusion: Fusion;
  readonly fusionWithNets: Fusion;
}

/**
 * Trains everything on the rows, and says what models that lack a row's group would have said of it.
 * @param lessons further rows for single cues, see `sceneLessons`
 */
export function trainSpoof(rows: readonly SpoofRow[], lessons: readonly SpoofRow[] = []): SpoofModel {
  const cues = trainCues(rows, lessons);
  return {
    cues,
    fusion: fuse(rows, cues, BUILT_IN),
    fusionWithNets: fuse(rows, cues, [...BUILT_IN, 'nets']),
  };
}

/**
 * The most probable weights of the cues' out-of-fold log odds, none below zero, under a normal prior around their plain sum
 * (as for evidence that is independent) brought to probabilities: seven attacks alone do not determine as many weights.
 */
function fuse(rows: readonly SpoofRow[], cues: readonly CueModel[], names: readonly string[]): Fusion {
  const used = names.map((name) => cues.find(({ cue }) => cue.name === name)!.outOfFold);
  const examples = rows.map((row, i): GroupedExample => {
    const odds = used.map((outOfFold) => outOfFold[i]!);
    return { row: odds, positive: row.positive, group: row.group, weight: weightOf(row, SIMULATED) };
  });
  const train = (some: readonly GroupedExample[]) => aroundSum(some, bestStrength(some));
  const { weights, bias } = train(examples);
  return {
    weights: Object.fromEntries(names.map((name, j) => [name, weights[j]!])),
    bias,
    strength: bestStrength(examples),
    outOfFold: crossValidate(examples, FOLDS, train),
    plainSum: Float64Array.from(examples, ({ row }) => total(row)),
  };
}

function aroundSum(examples: readonly GroupedExample[], strength: number): LinearModel {
  const sums = examples.map((example) => ({ ...example, row: [total(example.row)] }));
  const slope = Math.max(0.1, trainLogistic(sums, 1e-3, 100).weights[0]!);
  const scaled = examples.map((one) => ({ ...one, row: Float64Array.from(one.row, (odds) => odds * slope) }));
  const { weights, bias } = trainWithPrior(scaled, strength, { nonNegative: true, mean: 1 });
  return { weights: weights.map((weight) => weight * slope), bias };
}

function bestStrength(examples: readonly GroupedExample[]): number {
  const losses = STRENGTHS.map((strength) =>
    balancedLoss(
      crossValidate(examples, FOLDS, (some) => aroundSum(some, strength)),
      examples,
    ),
  );
  return STRENGTHS[losses.indexOf(Math.min(...losses))]!;
}

/** Mean of −log(probability given to what was true) within each class, added up. */
function balancedLoss(odds: Float64Array, examples: readonly Example[]): number {
  const mean = (positive: boolean) => {
    let [sum, weights] = [0, 0];
    examples.forEach((example, i) => {
      if (example.positive !== positive) return;
      sum -= (example.weight ?? 1) * Math.log(sigmoid(positive ? odds[i]! : -odds[i]!));
      weights += example.weight ?? 1;
    });
    return sum / weights;
  };
  return mean(true) + mean(false);
}

function total(row: ArrayLike<number>): number {
  return Array.from(row).reduce((sum, value) => sum + value, 0);
}
