import { PAD_SIGNALS, type PadSignal } from '@wajah/engine/training';
import { crossValidate, type GroupedExample } from '../learn/folds.ts';
import { type LinearModel, trainLogistic } from '../learn/logistic.ts';
import { type Columns, columnsOf, deviations } from './columns.ts';
import { isSimulated, type SpoofRow } from './examples.ts';

/** How a cue is learned: a linear model on its values, whose answer is log odds. */
interface Lesson {
  /** Penalty on the weights. */
  readonly ridge: number;
  /** How much a simulated attack teaches, a real one being 1. */
  readonly simulated: number;
  /** How much each of the lessons teaches that were made for this cue, if there are any. */
  readonly lessons?: number;
  /** Not learned at all: the cue's one value over this is taken for log odds. */
  readonly asIs?: number;
}

/** Values whose direction is known need little restraint, many that could mean anything need much. */
const USUAL: Lesson = { ridge: 3, simulated: 0.02 };
const RISING: Lesson = { ridge: 0.03, simulated: 0.02 };

/**
 * @NOTE simulated
 * Simulated attacks have little weight, and none for `look`: they resemble each other, not real attacks. The larger their
 * weight, the worse `look` judges real attacks (area under the ROC curve 0.91 at weight 0, 0.71 at weight 0.5).
 *
 * The doubt of installed nets adds up two capped logarithms; of the divisors 3 to 10 none is clearly better.
 */
const OTHERWISE: Readonly<Record<string, Partial<Lesson>>> = {
  look: { simulated: 0 },
  scene: { simulated: 0, lessons: 0.5 },
  nets: { asIs: 5 },
};

/** A learned cue, and the log odds of every row by models that never saw the row's group. */
export interface CueModel {
  readonly cue: PadSignal;
  readonly columns: Columns;
  readonly model: LinearModel;
  readonly outOfFold: Float64Array;
}

/** Folds by collection. */
export const FOLDS = 10;
const STEPS = 200;
/** The engine listens to 4 spreads at most, and the doubt is 8 at most. */
const AS_IS_SPREAD = 2;

/**
 * Learns every cue there is, each by itself.
 * @param lessons further rows, on which only the cues that learn from them were measured
 * @throws Error when a cue was not measured on a row
 */
export function trainCues(rows: readonly SpoofRow[], lessons: readonly SpoofRow[]): CueModel[] {
  return PAD_SIGNALS.map((cue) => trainCue(rows, lessons, cue));
}

function trainCue(examined: readonly SpoofRow[], lessons: readonly SpoofRow[], cue: PadSignal): CueModel {
  const lesson = { ...(cue.rising ? RISING : USUAL), ...OTHERWISE[cue.name] };
  const rows = [...examined, ...lessons.filter(({ evidence }) => evidence[cue.name])];
  const values = rows.map(({ evidence, name }) => {
    const measured = evidence[cue.name];
    if (!measured) throw new Error(`${name}: the cue "${cue.name}" was not measured`);
    return Array.from(measured);
  });
  if (lesson.asIs !== undefined) return asItIs(cue, lesson.asIs, values);
  const weights = rows.map((row, i) =>
    i < examined.length ? weightOf(row, lesson.simulated) : (lesson.lessons ?? 0),
  );
  const columns = columnsOf(values.filter((_, i) => weights[i]! > 0));
  const examples = rows.map(({ positive, group }, i): GroupedExample => {
    return { row: deviations(values[i]!, columns), positive, group, weight: weights[i]! };
  });
  const train = (some: readonly GroupedExample[]) => {
    const known = { nonNegative: cue.rising ?? false };
    const teaching = some.filter(({ weight }) => weight !== 0);
    return trainLogistic(teaching, lesson.ridge, STEPS, known);
  };
  const outOfFold = crossValidate(examples, FOLDS, train).slice(0, examined.length);
  return { cue, columns, model: train(examples), outOfFold };
}

function asItIs(cue: PadSignal, divisor: number, values: readonly (readonly number[])[]): CueModel {
  const model = { bias: 0, weights: Float64Array.of(AS_IS_SPREAD / divisor) };
  const columns = { mean: [0], spread: [AS_IS_SPREAD] };
  return { cue, columns, model, outOfFold: Float64Array.from(values, ([value]) => value! / divisor) };
}

/** How much a face counts within its class. */
export function weightOf(row: SpoofRow, simulated: number): number {
  if (row.origin === 'mask') return 0.5;
  if (row.origin === 'generated') return 0;
  return isSimulated(row) ? simulated : 1;
}
