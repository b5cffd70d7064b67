import { PAD_SIGNALS, type PadSignal } from '@wajah/engine/training';
import { crossValidate, type GroupedExample } from '../learn/folds.ts';
import { type LinearModel, trainLogistic } from '../learn/logistic.ts';
import { type Columns, columnsOf, deviations } from './columns.ts';
import { isSimulated, type PadExample } from './examples.ts';

/** Settings of the linear model of a signal, whose output is log odds. */
interface TrainingSettings {
  /** L2 penalty on the weights. */
  readonly ridge: number;
  /** Weight of a simulated attack, that of a real one being 1. */
  readonly simulated: number;
  /** Weight of the further examples of this signal. */
  readonly further?: number;
  /** Instead of training: the log odds are the signal's one value over this. */
  readonly divisor?: number;
}

/** Values of known direction need a small penalty, many values of unknown direction a large one. */
const DEFAULT: TrainingSettings = { ridge: 3, simulated: 0.02 };
const RISING: TrainingSettings = { ridge: 0.03, simulated: 0.02 };

/**
 * @NOTE simulated
 * Simulated attacks have little weight, and none for `look`: they resemble each other, not real attacks. The larger their
 * weight, the worse `look` judges real attacks (area under the ROC curve 0.91 at weight 0, 0.71 at weight 0.5).
 *
 * `nets` is a sum of two capped logarithms; of the divisors 3 to 10 none is clearly better.
 */
const OVERRIDES: Readonly<Record<string, Partial<TrainingSettings>>> = {
  look: { simulated: 0 },
  scene: { simulated: 0, further: 0.5 },
  nets: { divisor: 5 },
};

/** The model of a signal, and the log odds of every example by models trained without its group. */
export interface SignalModel {
  readonly signal: PadSignal;
  readonly columns: Columns;
  readonly model: LinearModel;
  readonly outOfFold: Float64Array;
}

/** Folds of the cross-validation, by collection. */
export const FOLDS = 10;
const STEPS = 200;
/** The engine clamps to 4 standard deviations, and the value of `nets` is 8 at most. */
const DIVISOR_SPREAD = 2;

/**
 * Trains the model of each signal alone.
 * @param further examples on which only the signals that use them were measured
 * @throws Error when a signal was not measured on an example
 */
export function trainSignals(rows: readonly PadExample[], further: readonly PadExample[]): SignalModel[] {
  return PAD_SIGNALS.map((signal) => trainSignal(rows, further, signal));
}

function trainSignal(
  examined: readonly PadExample[],
  further: readonly PadExample[],
  signal: PadSignal,
): SignalModel {
  const settings = { ...(signal.rising ? RISING : DEFAULT), ...OVERRIDES[signal.name] };
  const rows = [...examined, ...further.filter((row) => row.values[signal.name])];
  const values = rows.map((row) => {
    const measured = row.values[signal.name];
    if (!measured) throw new Error(`${row.name}: the signal "${signal.name}" was not measured`);
    return Array.from(measured);
  });
  if (settings.divisor !== undefined) return scaledOnly(signal, settings.divisor, values);
  const weights = rows.map((row, i) =>
    i < examined.length ? weightOf(row, settings.simulated) : (settings.further ?? 0),
  );
  const columns = columnsOf(values.filter((_, i) => weights[i]! > 0));
  const examples = rows.map(({ positive, group }, i): GroupedExample => {
    return { row: deviations(values[i]!, columns), positive, group, weight: weights[i]! };
  });
  const train = (some: readonly GroupedExample[]) => {
    const known = { nonNegative: signal.rising ?? false };
    const teaching = some.filter(({ weight }) => weight !== 0);
    return trainLogistic(teaching, settings.ridge, STEPS, known);
  };
  const outOfFold = crossValidate(examples, FOLDS, train).slice(0, examined.length);
  return { signal, columns, model: train(examples), outOfFold };
}

function scaledOnly(signal: PadSignal, divisor: number, values: readonly (readonly number[])[]): SignalModel {
  const model = { bias: 0, weights: Float64Array.of(DIVISOR_SPREAD / divisor) };
  const columns = { mean: [0], spread: [DIVISOR_SPREAD] };
  return {
    signal: signal,
    columns,
    model,
    outOfFold: Float64Array.from(values, ([value]) => value! / divisor),
  };
}

/** Weight of an example within its class. */
export function weightOf(row: PadExample, simulated: number): number {
  if (row.origin === 'mask') return 0.5;
  if (row.origin === 'generated') return 0;
  return isSimulated(row) ? simulated : 1;
}
