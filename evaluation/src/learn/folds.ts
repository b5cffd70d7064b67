import { createHash } from 'node:crypto';
import { type Example, type LinearModel, logit, sigmoid, trainLogistic } from './logistic.ts';

/** An example that belongs to a group (a person, a picture) which must not be split over folds. */
export interface GroupedExample extends Example {
  readonly group: string;
}

/** Fold (0…count − 1) of each group: groups in the order of their hash, dealt round, the same on each run. */
export function assignFolds(groups: Iterable<string>, count: number): Map<string, number> {
  const hash = (group: string) => createHash('sha256').update(group).digest('hex');
  const ordered = [...new Set(groups)].map((group) => [hash(group), group] as const);
  ordered.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return new Map(ordered.map(([, group], i) => [group, i % count]));
}

/** Log odds of each example by the model that was trained without its fold. */
export function crossValidate(
  examples: readonly GroupedExample[],
  count: number,
  train: (others: readonly GroupedExample[]) => LinearModel,
): Float64Array {
  const fold = assignFolds(
    examples.map((example) => example.group),
    count,
  );
  const odds = new Float64Array(examples.length);
  for (let held = 0; held < count; held++) {
    const model = train(examples.filter((example) => fold.get(example.group) !== held));
    examples.forEach((example, i) => {
      if (fold.get(example.group) === held) odds[i] = logit(model, example.row);
    });
  }
  return odds;
}

/**
 * Slope and offset that turn out-of-fold log odds into calibrated ones (Platt scaling): a logistic regression
 * on the single column of log odds.
 */
export function fitPlattScaling(odds: ArrayLike<number>, examples: readonly Example[]): LinearModel {
  return trainLogistic(
    examples.map((example, i) => ({ ...example, row: [odds[i]!] })),
    1e-3,
    2000,
  );
}

/** A model whose log odds went through the calibration. */
export function applyPlattScaling(model: LinearModel, by: LinearModel): LinearModel {
  const slope = by.weights[0]!;
  return { bias: by.bias + slope * model.bias, weights: model.weights.map((weight) => weight * slope) };
}

/** Mean of −log(probability given to what was true), natural logarithm; log 2 = 0.693 says nothing. */
export function logLoss(odds: ArrayLike<number>, examples: readonly Example[]): number {
  const losses = examples.map((example, i) => -Math.log(sigmoid(example.positive ? odds[i]! : -odds[i]!)));
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}
