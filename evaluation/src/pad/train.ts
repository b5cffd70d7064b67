import { PAD_SIGNALS } from '@wajah/engine/training';
import { sigmoid } from '../learn/logistic.ts';
import { seeded } from '../recapture/random.ts';
import { isCapture, type PadExample } from './examples.ts';
import { fitRegression, REGRESSIONS, type SignalModel } from './regression.ts';

/**
 * Weight of the MiniFASNet networks' capped log odds beside those of the own signals, of 0.25, 0.5, 0.75, 1 and 1.5: the
 * largest ROC area on frames of collections left out (ADR 22).
 */
const NETWORKS = 0.5;

/** BPCER (ISO/IEC 30107-3) of the default thresholds, without and with networks; each person counts alike. */
export const BPCER = { own: 0.05, withNetworks: 0.03 } as const;
/** BPCER of the threshold of sessions: 95 % of honest people shall pass all checks of one, this one and others. */
const SESSION_BPCER = 0.03;

/** A score: its threshold, and the log odds of every example by fits without its collection. */
export interface PadScore {
  /** Weights of the signals' log odds. */
  readonly weights: Readonly<Record<string, number>>;
  /** Line of the log odds of `look` on those of all other signals together, for where it is not measured. */
  readonly expectedLook: ExpectedLook;
  readonly leftOut: Float64Array;
  readonly threshold: number;
  /** Threshold of captures that the engine calls unclear, at or above `threshold`. */
  readonly unclearThreshold: number;
  /** Threshold of the mean score of three frames or more, at or below `threshold`. */
  readonly sessionThreshold: number;
}

/** A least-squares line. */
interface ExpectedLook {
  readonly slope: number;
  readonly constant: number;
}

/** The models of all signals, and their sums without and with installed PAD networks. */
export interface PadModel {
  readonly signals: readonly SignalModel[];
  /** Log odds of each regression by fits without the example's collection, under the names of its signals. */
  readonly regressions: Readonly<Record<string, Float64Array>>;
  readonly own: PadScore;
  readonly withNetworks: PadScore;
}

/** Trains all models on faces measured with the networks. @throws Error when a signal was not measured */
export function trainPad(examples: readonly PadExample[]): PadModel {
  const fitted = REGRESSIONS.map((regression) => ({
    name: regression.signals.join(' and '),
    ...fitRegression(examples, regression),
  }));
  const networks = networkModel();
  const sum = Float64Array.from(examples, (_, i) =>
    fitted.reduce((odds, { leftOut }) => odds + leftOut[i]!, 0),
  );
  const joined = sum.map((odds, i) => odds + NETWORKS * networkOdds(examples[i]!));
  const ownWeights = Object.fromEntries(
    REGRESSIONS.flatMap(({ signals }) => signals.map((name) => [name, 1])),
  );
  const look = fitted.flatMap(({ parts }) => parts['look'] ?? [])[0]!;
  return {
    signals: [...fitted.flatMap(({ models }) => models), networks],
    regressions: {
      ...Object.fromEntries(fitted.map(({ name, leftOut }) => [name, leftOut])),
      nets: Float64Array.from(examples, networkOdds),
    },
    own: scored(examples, { weights: ownWeights, look, leftOut: sum }, BPCER.own),
    withNetworks: scored(
      examples,
      { weights: { ...ownWeights, nets: NETWORKS }, look, leftOut: joined },
      BPCER.withNetworks,
    ),
  };
}

function networkOdds({ values }: PadExample): number {
  return values['nets']?.[0] ?? 0;
}

/** The log odds are the value of the signal itself. */
function networkModel(): SignalModel {
  const signal = PAD_SIGNALS.find(({ name }) => name === 'nets')!;
  const columns = { mean: [0], spread: [1] };
  return { signal, columns, model: { bias: 0, weights: Float64Array.of(1) } };
}

function scored(
  examples: readonly PadExample[],
  { weights, look, leftOut }: Pick<PadScore, 'weights' | 'leftOut'> & { readonly look: Float64Array },
  bpcer: number,
): PadScore {
  const threshold = thresholdOf(
    examples.filter(isCapture),
    leftOut.filter((_, i) => isCapture(examples[i]!)),
    bpcer,
  );
  // The crops of `dev` are the unclear captures of which there are enough.
  const crops = ({ source }: PadExample) => source === 'crop';
  const stricter = thresholdOf(
    examples.filter(crops),
    leftOut.filter((_, i) => crops(examples[i]!)),
    bpcer,
  );
  const sessionThreshold = Math.min(threshold, thresholdOfMeans(examples, leftOut));
  const unclearThreshold = Math.max(threshold, stricter);
  const expectedLook = expectedLookOf(examples, look, leftOut);
  return { weights, expectedLook, leftOut, threshold, unclearThreshold, sessionThreshold };
}

/** On faces before cameras and crops of them, real ones. @param look, all log odds of the signal and of all signals */
function expectedLookOf(
  examples: readonly PadExample[],
  look: Float64Array,
  all: Float64Array,
): ExpectedLook {
  const known = examples.flatMap(({ source }, i) =>
    source === 'frame' || source === 'crop' ? { x: all[i]! - look[i]!, y: look[i]! } : [],
  );
  const mean = (of: (one: { x: number; y: number }) => number) =>
    known.reduce((sum, one) => sum + of(one), 0) / known.length;
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)];
  const slope = mean((one) => (one.x - x) * (one.y - y)) / mean((one) => (one.x - x) ** 2);
  const rounded = (value: number) => Number(value.toPrecision(4));
  return { slope: rounded(slope), constant: rounded(y - slope * x) };
}

/** Frames of a drawn session, and sessions drawn of each person. */
const SESSION_FRAMES = 3;
const SESSIONS = 200;

/** `lowestThreshold` of the mean score of three bona fide frames of a person, drawn at random of those who have so many. */
function thresholdOfMeans(examples: readonly PadExample[], odds: Float64Array): number {
  const scores = new Map<string, number[]>();
  examples.forEach((example, i) => {
    if (example.attack || !isCapture(example)) return;
    scores.set(example.person, [...(scores.get(example.person) ?? []), sigmoid(odds[i]!)]);
  });
  const sessions = [...scores].flatMap(([person, own]) => {
    if (own.length < SESSION_FRAMES) return [];
    const random = seeded(person);
    return Array.from({ length: SESSIONS }, () => {
      const drawn = [...own].map((score) => ({ score, at: random.between(0, 1) }));
      const mean = drawn.sort((a, b) => a.at - b.at).slice(0, SESSION_FRAMES);
      return { person, score: mean.reduce((sum, { score }) => sum + score, 0) / SESSION_FRAMES };
    });
  });
  return lowestThreshold(sessions, SESSION_BPCER);
}

/**
 * Lowest threshold, 0…1, at which the mean over people of the share of their bona fide examples that are refused is at most
 * `bpcer`. Answers show four decimals, so it is rounded up to them.
 * 0.5 without bona fide examples.
 */
function lowestThreshold(
  real: readonly { readonly person: string; readonly score: number }[],
  bpcer: number,
): number {
  const frames = new Map<string, number>();
  for (const { person } of real) frames.set(person, (frames.get(person) ?? 0) + 1);
  const allowed = bpcer * frames.size;
  let refused = 0;
  for (const one of [...real].sort((a, b) => b.score - a.score)) {
    refused += 1 / frames.get(one.person)!;
    if (refused > allowed) return Math.ceil((one.score + 1e-9) * 1e4) / 1e4;
  }
  return 0.5;
}

function thresholdOf(examples: readonly PadExample[], odds: Float64Array, bpcer: number): number {
  const real = examples.flatMap(({ attack, person }, i) =>
    attack ? [] : [{ person, score: sigmoid(odds[i]!) }],
  );
  return lowestThreshold(real, bpcer);
}
