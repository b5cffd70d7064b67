import { type FaceKind, innerProduct } from '@wajah/engine';
import { crossValidate } from '../learn/folds.ts';
import { type Example, sigmoid, trainLogistic } from '../learn/logistic.ts';
import { countAtLeast, rate, thresholdAtFmr } from '../metrics/scores.ts';

/** A face with its person. */
export interface KindSample {
  readonly identity: string;
  readonly template: Float32Array;
  /** Among whom people are alike: a region, or those behind masks; null: not of the kind. */
  readonly group: string | null;
  /** One of the faces over which the curve of everybody is. */
  readonly everybody: boolean;
}

/** Score of a pair of samples. */
type PairScore = (i: number, j: number) => number;

const FOLDS = 5;
/** L2 penalty on standardised columns. */
const RIDGE = 0.1;
/** Claim at which the FMR within the groups is that of everybody. */
const CLAIM = 1e-2;
/** Steps of the bisection of 0…1. */
const STEPS = 14;

/**
 * A logistic regression that tells the kind, and the shift with which the claim CLAIM of everybody holds within the groups.
 * @param score by the inner products and the kinds that were fitted before
 * @returns the kind, and the scores less its shift, of shares by models that have not seen the persons
 * @throws RangeError when no sample, or every sample, is of the kind
 */
export function fitKind(
  of: string,
  samples: readonly KindSample[],
  score: PairScore,
): { readonly kind: FaceKind; readonly score: PairScore } {
  const examples = examplesOf(samples);
  const learn = (some: readonly Example[]) => trainLogistic(some, RIDGE);
  const shares = crossValidate(examples, FOLDS, learn).map(sigmoid);
  const overlap = (i: number, j: number) => Math.min(shares[i]!, shares[j]!);
  const { bias, weights } = learn(examples);
  const shift = shiftThatHolds(samples, score, overlap);
  const kind = { of, bias: short(bias), weights: Array.from(weights, short), shift: short(shift) };
  return { kind, score: (i, j) => score(i, j) - kind.shift * overlap(i, j) };
}

const short = (value: number) => Number(value.toPrecision(5));

/** Products of the templates. */
export function products(samples: readonly Pick<KindSample, 'template'>[]): PairScore {
  return (i, j) => innerProduct(samples[i]!.template, samples[j]!.template);
}

/** Scores of the pairs of different people for which `counts` holds, ascending. */
export function impostorScores(
  samples: readonly KindSample[],
  score: PairScore,
  counts: (a: KindSample, b: KindSample) => boolean,
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

/** Pairs of the people over which the curve of everybody is. */
export const ofEverybody = (a: KindSample, b: KindSample) => a.everybody && b.everybody;

const ofOneGroup = (a: KindSample, b: KindSample) => a.group !== null && a.group === b.group;

/** Each person counts alike. */
function examplesOf(samples: readonly KindSample[]) {
  const pictures = new Map<string, number>();
  for (const { identity } of samples) pictures.set(identity, (pictures.get(identity) ?? 0) + 1);
  return samples.map(({ identity, template, group }) => ({
    row: template,
    positive: group !== null,
    weight: 1 / pictures.get(identity)!,
    group: identity,
  }));
}

function shiftThatHolds(samples: readonly KindSample[], score: PairScore, overlap: PairScore): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step++) {
    const shift = (low + high) / 2;
    const shifted: PairScore = (i, j) => score(i, j) - shift * overlap(i, j);
    const threshold = thresholdAtFmr(impostorScores(samples, shifted, ofEverybody), CLAIM);
    const within = countAtLeast(impostorScores(samples, shifted, ofOneGroup), threshold);
    if (rate(within) > CLAIM) low = shift;
    else high = shift;
  }
  return high;
}
