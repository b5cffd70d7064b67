/** One labelled example. */
export interface Example {
  readonly row: ArrayLike<number>;
  readonly positive: boolean;
  /** Relative weight within its class, 1 by default; both classes have equal total weight. */
  readonly weight?: number;
}

/** A linear model on raw features: the log odds are bias + weights · row. */
export interface LinearModel {
  readonly bias: number;
  readonly weights: Float64Array;
}

/** Log odds (natural logarithm) that the row is positive, at equal prior probabilities of both classes. */
export function logit(model: LinearModel, row: ArrayLike<number>): number {
  let sum = model.bias;
  for (let j = 0; j < model.weights.length; j++) sum += model.weights[j]! * row[j]!;
  return sum;
}

/** Probability of log odds, 0…1. */
export function sigmoid(odds: number): number {
  return odds >= 0 ? 1 / (1 + Math.exp(-odds)) : Math.exp(odds) / (1 + Math.exp(odds));
}

/**
 * Logistic regression on standardised columns with an L2 penalty of `ridge / 2 × |w|²` beside the mean loss.
 * Accelerated gradient descent from zero (Nesterov, with restarts after O'Donoghue and Candès): deterministic.
 * @throws RangeError when a class has no example
 */
export function trainLogistic(examples: readonly Example[], ridge: number, steps = 600): LinearModel {
  const weights = balance(examples);
  const scale = columnStatistics(
    examples.map((example) => example.row),
    weights,
  );
  const rows = examples.map((example) => withOne(standardise(example.row, scale)));
  const labels = examples.map((example) => (example.positive ? 1 : 0));
  return unscale(descend({ rows, labels, weights, ridge }, steps), scale);
}

/** Example weights that sum to one half in each class. */
function balance(examples: readonly Example[]): Float64Array {
  const totals = [0, 0];
  for (const example of examples) totals[Number(example.positive)]! += example.weight ?? 1;
  if (totals[0] === 0 || totals[1] === 0) throw new RangeError('both classes need examples');
  return Float64Array.from(
    examples,
    (example) => (example.weight ?? 1) / totals[Number(example.positive)]! / 2,
  );
}

function withOne(row: Float64Array): Float64Array {
  const longer = new Float64Array(row.length + 1);
  longer.set(row);
  longer[row.length] = 1;
  return longer;
}

interface Problem {
  readonly rows: readonly Float64Array[];
  readonly labels: readonly number[];
  readonly weights: Float64Array;
  readonly ridge: number;
}

function descend(problem: Problem, steps: number): Float64Array {
  const { rows, weights, ridge } = problem;
  const rate = 1 / (0.25 * largestEigenvalue(rows, weights) * 1.05 + ridge);
  let at = new Float64Array(rows[0]!.length);
  let ahead = at;
  let momentum = 1;
  for (let step = 0; step < steps; step++) {
    const slope = gradient(problem, ahead);
    const next = ahead.map((value, j) => value - rate * slope[j]!);
    const uphill = next.reduce((sum, value, j) => sum + (ahead[j]! - value) * (value - at[j]!), 0) > 0;
    const nextMomentum = uphill ? 1 : (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const push = uphill ? 0 : (momentum - 1) / nextMomentum;
    ahead = next.map((value, j) => value + push * (value - at[j]!));
    at = next;
    momentum = nextMomentum;
  }
  return at;
}

/** Gradient of the penalised mean loss; the last column is the constant and has no penalty. */
function gradient({ rows, labels, weights, ridge }: Problem, at: Float64Array): Float64Array {
  const slope = at.map((value) => ridge * value);
  slope[at.length - 1] = 0;
  rows.forEach((row, i) => {
    let odds = 0;
    for (let j = 0; j < row.length; j++) odds += row[j]! * at[j]!;
    const error = weights[i]! * (sigmoid(odds) - labels[i]!);
    for (let j = 0; j < row.length; j++) slope[j]! += error * row[j]!;
  });
  return slope;
}

/** Largest eigenvalue of the weighted second moment of the rows, by power iteration. */
function largestEigenvalue(rows: readonly Float64Array[], weights: Float64Array): number {
  let vector = new Float64Array(rows[0]!.length).fill(1);
  let value = 1;
  for (let round = 0; round < 60; round++) {
    const image = new Float64Array(vector.length);
    rows.forEach((row, i) => {
      let product = 0;
      for (let j = 0; j < row.length; j++) product += row[j]! * vector[j]!;
      for (let j = 0; j < row.length; j++) image[j]! += weights[i]! * product * row[j]!;
    });
    value = Math.sqrt(image.reduce((sum, part) => sum + part * part, 0));
    vector = image.map((part) => part / value);
  }
  return value;
}

/** Converts weights of standardised columns into those of the raw columns. */
function unscale(solution: Float64Array, scale: ColumnStatistics): LinearModel {
  const weights = Float64Array.from(scale.spread, (spread, j) => solution[j]! / spread);
  const bias = scale.mean.reduce((sum, mean, j) => sum - weights[j]! * mean, solution[scale.mean.length]!);
  return { bias, weights };
}

/** Mean and spread of each column. */
interface ColumnStatistics {
  readonly mean: Float64Array;
  /** Standard deviation, 1 where a column does not vary. */
  readonly spread: Float64Array;
}

/** Weighted mean and standard deviation of each column. */
function columnStatistics(rows: readonly ArrayLike<number>[], weights: ArrayLike<number>): ColumnStatistics {
  const width = rows[0]!.length;
  const mean = new Float64Array(width);
  const spread = new Float64Array(width);
  let total = 0;
  rows.forEach((row, i) => {
    total += weights[i]!;
    for (let j = 0; j < width; j++) mean[j]! += weights[i]! * row[j]!;
  });
  for (let j = 0; j < width; j++) mean[j]! /= total;
  rows.forEach((row, i) => {
    for (let j = 0; j < width; j++) spread[j]! += weights[i]! * (row[j]! - mean[j]!) ** 2;
  });
  for (let j = 0; j < width; j++) {
    const deviation = Math.sqrt(spread[j]! / total);
    spread[j] = deviation > 1e-9 ? deviation : 1;
  }
  return { mean, spread };
}

/** (row − mean) / spread, column by column. */
function standardise(row: ArrayLike<number>, scale: ColumnStatistics): Float64Array {
  return Float64Array.from(scale.mean, (mean, j) => (row[j]! - mean) / scale.spread[j]!);
}
