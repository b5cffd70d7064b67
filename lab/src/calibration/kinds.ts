import { type FaceKind, innerProduct } from '@wajah/engine';
import { areAlike, type Likeness } from '../data/strangers.ts';
import { crossValidate } from '../learn/folds.ts';
import { type Example, sigmoid, trainLogistic } from '../learn/logistic.ts';
import { countAtLeast, rate, thresholdAtFmr } from '../metrics/scores.ts';

/** A face with its person. */
export interface KindSample extends Likeness {
  readonly identity: string;
  readonly template: Float32Array;
  readonly ofKind: boolean;
}

/** Score of a pair of samples. */
type PairScore = (i: number, j: number) => number;

const FOLDS = 5;
/** L2 penalty on standardised columns. */
const RIDGE = 0.1;
/** Claim at which the FMR within the kind is that of others. */
const CLAIM = 1e-2;
/** Steps of the bisection of −1…1. */
const STEPS = 15;

/**
 * A logistic regression that tells the kind, and the shifts with which the claim CLAIM of strangers who are alike holds
 * where both are of the kind, and where one is.
 * @returns the kind, and the products with its shifts, of shares by models that have not seen the persons
 * @throws RangeError when no sample, or every sample, is of the kind
 */
export function fitKind(
  of: string,
  samples: readonly KindSample[],
): { readonly kind: FaceKind; readonly score: PairScore } {
  const examples = examplesOf(samples);
  const learn = (some: readonly Example[]) => trainLogistic(some, RIDGE);
  const shares = crossValidate(examples, FOLDS, learn).map(sigmoid);
  const { bias, weights } = learn(examples);
  const scored =
    (shift: number, apart: number): PairScore =>
    (i, j) => {
      const [a, b] = [shares[i]!, shares[j]!];
      const product = innerProduct(samples[i]!.template, samples[j]!.template);
      return product - shift * Math.min(a, b) + apart * Math.abs(a - b);
    };
  const shift = short(shiftThatHolds(samples, (some) => scored(some, 0), both));
  const apart = short(Math.max(0, -shiftThatHolds(samples, (some) => scored(shift, -some), one)));
  const kind = { of, bias: short(bias), weights: Array.from(weights, short), shift, apart };
  return { kind, score: scored(shift, apart) };
}

const short = (value: number) => Number(value.toPrecision(5));

/** Scores of the pairs of different people for which `counts` holds, ascending. */
export function impostorScores<S extends { readonly identity: string }>(
  samples: readonly S[],
  score: PairScore,
  counts: (a: S, b: S) => boolean,
): Float64Array {
  const found: number[] = [];
  samples.forEach((a, i) => {
    for (let j = 0; j < i; j++) {
      const b = samples[j]!;
      if (a.identity !== b.identity && counts(a, b)) found.push(score(i, j));
    }
  });
  return Float64Array.from(found).sort();
}

/** Pairs of strangers who are alike, of whom neither is of the kind. */
export const ofOthers = (a: KindSample, b: KindSample) => !a.ofKind && !b.ofKind && areAlike(a, b);

const both = (a: KindSample, b: KindSample) => a.ofKind && b.ofKind && areAlike(a, b);

const one = (a: KindSample, b: KindSample) => a.ofKind !== b.ofKind && areAlike(a, b);

/** Each person counts alike. */
function examplesOf(samples: readonly KindSample[]) {
  const pictures = new Map<string, number>();
  for (const { identity } of samples) pictures.set(identity, (pictures.get(identity) ?? 0) + 1);
  return samples.map(({ identity, template, ofKind }) => ({
    row: template,
    positive: ofKind,
    weight: 1 / pictures.get(identity)!,
    group: identity,
  }));
}

/** @returns −1…1 */
function shiftThatHolds(
  samples: readonly KindSample[],
  shifted: (shift: number) => PairScore,
  counts: typeof both,
): number {
  let [low, high] = [-1, 1];
  for (let step = 0; step < STEPS; step++) {
    const shift = (low + high) / 2;
    const threshold = thresholdAtFmr(impostorScores(samples, shifted(shift), ofOthers), CLAIM);
    const within = countAtLeast(impostorScores(samples, shifted(shift), counts), threshold);
    if (rate(within) > CLAIM) low = shift;
    else high = shift;
  }
  return high;
}
