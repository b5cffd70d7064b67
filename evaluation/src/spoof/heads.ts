import { SPOOF_CUES } from '@wajah/engine';
import { crossValidate, type GroupedExample } from '../learn/folds.ts';
import { type LinearModel, trainLogistic } from '../learn/logistic.ts';
import { type Columns, columnsOf, deviations } from './columns.ts';
import { isSimulated, type SpoofRow } from './examples.ts';

/** How a head, a linear model on the values of one or more cues, is trained. */
export interface HeadPlan {
  readonly name: string;
  readonly cues: readonly string[];
  /** Penalty on the weights. */
  readonly ridge: number;
  /** How much a simulated attack teaches, a real one being 1. */
  readonly simulated: number;
  /** Not learned: the cue's one value, divided by this, is taken for log odds. */
  readonly asIs?: number;
}

/**
 * @NOTE simulated
 * Simulated attacks teach the surface a little and the context as much as real ones. The look learns nothing from
 * them: they look like each other, not like real ones, and the more they count the worse it judges real attacks
 * (ROC area 0.91 without them, 0.71 where they count half).
 */
const PLANS: Readonly<Record<string, Partial<HeadPlan>>> = {
  context: { ridge: 0.3, simulated: 1 },
  look: { simulated: 0 },
  nets: { asIs: 1 },
};
const USUAL = { ridge: 3, simulated: 0.02 } as const;

/** What of the light and surface of a face is so weak by itself that one head learns it together. */
const SURFACE = ['light', 'grain', 'texture', 'colour', 'spectrum'];

/** A head for each cue by itself, and those that join several cues. */
export const HEADS: readonly HeadPlan[] = [
  ...SPOOF_CUES.map(({ name }) => ({ ...USUAL, name, cues: [name], ...PLANS[name] })),
  { ...USUAL, name: 'surface', cues: SURFACE },
];

/** A trained head, and the log odds of every row by models that never saw the row's group. */
export interface Head {
  readonly plan: HeadPlan;
  readonly columns: Columns;
  readonly model: LinearModel;
  readonly outOfFold: Float64Array;
}

const FOLDS = 10;
const STEPS = 200;

export function trainHead(rows: readonly SpoofRow[], plan: HeadPlan): Head {
  const values = rows.map((row) => valuesOf(row, plan));
  if (plan.asIs !== undefined) return asItIs(plan, plan.asIs, values);
  const weights = rows.map((row) => weightOf(row, plan.simulated));
  const columns = columnsOf(values.filter((_, i) => weights[i]! > 0));
  const examples = rows.map(({ positive, group }, i): GroupedExample => {
    return { row: deviations(values[i]!, columns), positive, group, weight: weights[i]! };
  });
  const train = (some: readonly GroupedExample[]) =>
    trainLogistic(
      some.filter(({ weight }) => weight !== 0),
      plan.ridge,
      STEPS,
    );
  return { plan, columns, model: train(examples), outOfFold: crossValidate(examples, FOLDS, train) };
}

/** How much a face counts within its class. */
export function weightOf(row: SpoofRow, simulated: number): number {
  if (row.origin === 'mask') return 0.5;
  if (row.origin === 'generated') return 0;
  return isSimulated(row) ? simulated : 1;
}

/** Values of all cues of a head. @throws Error when one was not measured */
function valuesOf({ evidence, name }: SpoofRow, { cues }: HeadPlan): number[] {
  return cues.flatMap((cue) => {
    const values = evidence[cue];
    if (!values) throw new Error(`${name}: the cue "${cue}" was not measured`);
    return Array.from(values);
  });
}

function asItIs(plan: HeadPlan, divisor: number, values: readonly (readonly number[])[]): Head {
  // The engine listens to 4 deviations at most.
  const model = { bias: 0, weights: Float64Array.of(AS_IS_SPREAD / divisor) };
  const columns = { mean: [0], spread: [AS_IS_SPREAD] };
  return { plan, columns, model, outOfFold: Float64Array.from(values, ([value]) => value! / divisor) };
}

const AS_IS_SPREAD = 2;
