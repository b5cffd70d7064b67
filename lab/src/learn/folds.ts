import { createHash } from 'node:crypto';
import { type Example, type LinearModel, logit, sigmoid, trainLogistic } from './logistic.ts';

/** An example of a group (a person, a picture) that must lie in one fold. */
export interface GroupedExample extends Example {
  readonly group: string;
}

/** Fold (0…count − 1) of each group, round robin in the order of their hashes: deterministic. */
export function assignFolds(groups: Iterable<string>, count: number): Map<string, number> {
  const hash = (group: string) => createHash('sha256').update(group).digest('hex');
  const ordered = [...new Set(groups)].map((group) => [hash(group), group] as const);
  ordered.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return new Map(ordered.map(([, group], i) => [group, i % count]));
}

/** Out-of-fold log odds: each example is judged by a model that was trained without its fold. */
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
 * Platt scaling (Platt, 1999): slope and offset that calibrate out-of-fold log odds, by a logistic regression on them.
 */
export function fitPlattScaling(odds: ArrayLike<number>, examples: readonly Example[]): LinearModel {
  return trainLogistic(
    examples.map((example, i) => ({ ...example, row: [odds[i]!] })),
    1e-3,
    2000,
  );
}

/** The model with Platt scaling applied to its log odds. */
export function applyPlattScaling(model: LinearModel, by: LinearModel): LinearModel {
  const slope = by.weights[0]!;
  return { bias: by.bias + slope * model.bias, weights: model.weights.map((weight) => weight * slope) };
}

/** Mean of −ln(probability of the true class); ln 2 = 0.693 is that of a coin. */
export function logLoss(odds: ArrayLike<number>, examples: readonly Example[]): number {
  const losses = examples.map((example, i) => -Math.log(sigmoid(example.positive ? odds[i]! : -odds[i]!)));
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}
