import { PAD_SIGNALS } from '@wajah/engine/training';
import { crossValidate, type GroupedExample } from '../learn/folds.ts';
import { type Example, type LinearModel, sigmoid, trainLogistic, trainWithPrior } from '../learn/logistic.ts';
import type { PadExample } from './examples.ts';
import { FOLDS, type SignalModel, trainSignals, weightOf } from './signal-models.ts';

/** Signals joined without installed networks: all but `nets`. ADR 15 lists those that were tried and removed. */
const BUILT_IN = PAD_SIGNALS.filter(({ needs }) => needs === undefined).map(({ name }) => name);

/** Strengths of the prior around the plain sum; the one with the least loss is taken. */
const STRENGTHS = [0.03, 0.1, 0.3, 1, 3];
/** Weight of a simulated attack in the fusion, that of a real one being 1. */
const SIMULATED = 0.02;

/** Weighted sum of the signals' log odds, and a constant. */
export interface Fusion {
  readonly weights: Readonly<Record<string, number>>;
  readonly bias: number;
  /** Strength of the prior around the plain sum. */
  readonly strength: number;
  /** Log odds of every example by signals, weights and a strength trained without its group. */
  readonly outOfFold: Float64Array;
  /** Plain sum of the signals' out-of-fold log odds. */
  readonly plainSum: Float64Array;
}

/** The models of all signals, and their fusion without and with installed PAD networks. */
export interface PadModel {
  readonly signals: readonly SignalModel[];
  readonly fusion: Fusion;
  readonly fusionWithNetworks: Fusion;
}

/**
 * Trains all models, with out-of-fold scores of every example.
 * @param further examples for single signals, see `sceneExamples`
 */
export function trainPad(rows: readonly PadExample[], further: readonly PadExample[] = []): PadModel {
  const signals = trainSignals(rows, further);
  return {
    signals,
    fusion: fuse(rows, signals, BUILT_IN),
    fusionWithNetworks: fuse(rows, signals, [...BUILT_IN, 'nets']),
  };
}

/**
 * Maximum a posteriori weights of the signals' out-of-fold log odds, none below zero, under a normal prior around their
 * scaled plain sum, which is right for independent evidence: seven attacks do not determine as many weights.
 */
function fuse(
  rows: readonly PadExample[],
  signals: readonly SignalModel[],
  names: readonly string[],
): Fusion {
  const used = names.map((name) => signals.find(({ signal }) => signal.name === name)!.outOfFold);
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

/** Sum over both classes of the mean −log(probability of the true class). */
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
