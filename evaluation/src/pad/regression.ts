import { PAD_SIGNALS, type PadSignal } from '@wajah/engine/training';
import { type LinearModel, logit, trainLogistic } from '../learn/logistic.ts';
import { collectionWeights, type PadExample } from './examples.ts';

/** A regression on the values of one or several signals together. */
export interface Regression {
  /** Names of the signals. */
  readonly signals: readonly string[];
  /** L2 penalty on the weights of the standardised values. */
  readonly ridge: number;
  /** Weight of simulated examples, that of real ones being 1. */
  readonly simulated: number;
}

/**
 * The regressions whose log odds add up to the score. Penalties and weights by leaving collections out; ADRs 22 and 27
 * have the figures, and the signals that were tried.
 *
 * `look` and `scene` are fitted together (ROC area on frames 0.84; the sum of two fits 0.80). Simulated recaptures show the
 * surroundings of a medium; their spectrum is not that of real ones.
 */
export const REGRESSIONS: readonly Regression[] = [
  { signals: ['look', 'scene'], ridge: 3, simulated: 0.3 },
  { signals: ['spectrum'], ridge: 0.3, simulated: 0 },
  { signals: ['moire'], ridge: 0.1, simulated: 0 },
  { signals: ['surroundings'], ridge: 0.03, simulated: 0 },
];

/** The model of a signal; its share of a regression's constant is that of its part of the weights' count. */
export interface SignalModel {
  readonly signal: PadSignal;
  readonly columns: Columns;
  readonly model: LinearModel;
}

/** A regression and the log odds of every example by a fit without its collection. */
export interface FittedRegression {
  readonly models: readonly SignalModel[];
  readonly leftOut: Float64Array;
  /** The part of each signal in `leftOut`. */
  readonly parts: Readonly<Record<string, Float64Array>>;
}

/** Steps of the gradient descent. */
const STEPS = 200;

/** @throws Error when a signal was not measured on an example */
export function fitRegression(examples: readonly PadExample[], regression: Regression): FittedRegression {
  const signals = regression.signals.map((name) => PAD_SIGNALS.find((signal) => signal.name === name)!);
  const taught = examples.filter(({ source }) => source !== 'simulated' || regression.simulated > 0);
  const columns = signals.map((signal) => columnsOf(valuesOf(taught, signal)));
  const rows = examples.map((example) => rowOf(example, signals, columns));
  const train = (wanted: (example: PadExample) => boolean): LinearModel => {
    const some = examples.flatMap((example, i) =>
      wanted(example) && taught.includes(example) ? [{ example, row: rows[i]! }] : [],
    );
    const weights = collectionWeights(
      some.map(({ example }) => example),
      regression.simulated,
    );
    const taughtRows = some.map(({ example, row }, i) => ({
      row,
      positive: example.attack,
      weight: weights[i]!,
    }));
    const rising = signals.every((signal) => signal.rising);
    return trainLogistic(taughtRows, regression.ridge, STEPS, { nonNegative: rising });
  };
  return {
    models: separated(
      signals,
      columns,
      train(() => true),
    ),
    ...leaveOneOut({ examples, rows, signals, columns }, train),
  };
}

interface Fit {
  readonly examples: readonly PadExample[];
  readonly rows: readonly Float64Array[];
  readonly signals: readonly PadSignal[];
  readonly columns: readonly Columns[];
}

function leaveOneOut(
  { examples, rows, signals, columns }: Fit,
  train: (wanted: (example: PadExample) => boolean) => LinearModel,
): Pick<FittedRegression, 'leftOut' | 'parts'> {
  const leftOut = new Float64Array(examples.length);
  const parts = Object.fromEntries(signals.map(({ name }) => [name, new Float64Array(examples.length)]));
  for (const held of new Set(examples.map(({ collection }) => collection))) {
    const whole = train(({ collection }) => collection !== held);
    const models = separated(signals, columns, whole);
    examples.forEach(({ collection }, i) => {
      if (collection !== held) return;
      leftOut[i] = logit(whole, rows[i]!);
      let from = 0;
      for (const { signal, model } of models) {
        const to = from + signal.values.length;
        parts[signal.name]![i] = logit(model, rows[i]!.subarray(from, to));
        from = to;
      }
    });
  }
  return { leftOut, parts };
}

function valuesOf(examples: readonly PadExample[], { name }: PadSignal): number[][] {
  return examples.map((example) => {
    const measured = example.values[name];
    if (!measured) throw new Error(`${example.name}: the signal "${name}" was not measured`);
    return Array.from(measured);
  });
}

function rowOf(
  example: PadExample,
  signals: readonly PadSignal[],
  columns: readonly Columns[],
): Float64Array {
  return Float64Array.from(
    signals.flatMap((signal, i) => [...deviations(valuesOf([example], signal)[0]!, columns[i]!)]),
  );
}

/** The parts of a regression's weights that belong to each signal, and equal parts of its constant. */
function separated(
  signals: readonly PadSignal[],
  columns: readonly Columns[],
  { bias, weights }: LinearModel,
): SignalModel[] {
  let from = 0;
  return signals.map((signal, i) => {
    const own = weights.slice(from, from + signal.values.length);
    from += signal.values.length;
    return { signal, columns: columns[i]!, model: { bias: bias / signals.length, weights: own } };
  });
}

/** Mean and standard deviation of each column. NaN marks a value that the picture does not determine. */
export interface Columns {
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

/** The engine clamps values to this many standard deviations. */
const CLAMP = 4;

/** Statistics of each column over its known values. */
function columnsOf(rows: readonly (readonly number[])[]): Columns {
  const width = rows[0]!.length;
  const mean: number[] = [];
  const spread: number[] = [];
  for (let j = 0; j < width; j++) {
    const known = rows.map((row) => row[j]!).filter((value) => !Number.isNaN(value));
    const middle = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
    const variance = known.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, known.length);
    mean.push(round(middle));
    spread.push(round(Math.sqrt(variance)) || 1);
  }
  return { mean, spread };
}

/** A row as the engine standardises it: deviations from the mean, clamped; 0 for NaN. */
function deviations(row: readonly number[], { mean, spread }: Columns): Float64Array {
  return Float64Array.from(row, (value, j) => {
    if (Number.isNaN(value)) return 0;
    return Math.max(-CLAMP, Math.min(CLAMP, (value - mean[j]!) / spread[j]!));
  });
}

const round = (value: number) => Number(value.toPrecision(6));
