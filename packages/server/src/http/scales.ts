import { cutFraction } from '@wajah/contract';
import { HIGHEST_SIMILARITY } from '@wajah/engine';
import type { Limit } from '../services/galleries/ports.ts';

/** How an interface states similarities, and reads the thresholds of calls. Services know the own scale only. */
export interface Scale {
  /**
   * A similarity as the interface states it, before it is cut to four decimals.
   * @param similarity of two faces on the own scale, 0…1
   * @param own threshold of the service's own decision on them, with four decimals
   */
  of(similarity: number, own: number): number;
  /** A threshold that a call names. @param given 0…1; undefined: it names none */
  limit(given: number | undefined): Limit | undefined;
}

/** That of the own interface: a similarity states a false match rate. */
export const ownScale: Scale = { of: (similarity) => similarity, limit: (given) => given };

/** That of the public cloud's programs, which carry limits of 0.75 and 0.95 in their own code. */
export const cloudScale: Scale = {
  of: cloudSimilarity,
  limit: (given) => (given === undefined ? undefined : (own) => similarityOfCloud(given, own)),
};

/** The scale of a request. */
export function scaleOf({ asCloud }: { readonly asCloud?: boolean | undefined }): Scale {
  return asCloud ? cloudScale : ownScale;
}

/** Similarities have four decimals: whole steps make the order, the inverse and the decision exact. */
const steps = 10_000;
const highest = Math.round(HIGHEST_SIMILARITY * steps);
/** Where the service's own decision lies, and the strict point. */
const decided = 7500;
const certain = 9500;
/** The strict point lies this share of the way from the decision to the highest similarity of different pictures. */
const strictShare = 1 / 4;

/**
 * A similarity on the scale of the cloud's programs, four decimals: 0.75 is the service's own decision, 0.95 the strict
 * point, straight lines between. 0 stays 0, the highest similarity of different pictures stays it, and so does 1.
 * Beside a threshold of 0, which all reach, 0 is 0.75.
 * @param similarity own scale, 0…1
 * @param own threshold of the service's own decision, four decimals
 * @example cloudSimilarity(0.625, 0.625); // 0.75
 * @example cloudSimilarity(0.7188, 0.625); // 0.95
 */
export function cloudSimilarity(similarity: number, own: number): number {
  return shownSteps(stepsOf(cutFraction(similarity)), stepsOf(own)) / steps;
}

/**
 * The least similarity on the own scale that a limit on the cloud's reaches.
 * @param limit 0…1
 * @param own as `cloudSimilarity` takes it
 * @example similarityOfCloud(0.95, 0.625); // 0.7188
 */
export function similarityOfCloud(limit: number, own: number): number {
  const threshold = stepsOf(own);
  let [low, high] = [0, steps];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shownSteps(middle, threshold) / steps >= limit) high = middle;
    else low = middle + 1;
  }
  return low / steps;
}

function stepsOf(value: number): number {
  return Math.round(value * steps);
}

function shownSteps(similarity: number, own: number): number {
  if (similarity < own) return Math.floor((decided * similarity) / own);
  if (similarity >= highest) return similarity;
  const strict = own + Math.ceil((highest - own) * strictShare);
  return similarity < strict
    ? onLine(similarity, [own, decided], [strict, certain])
    : onLine(similarity, [strict, certain], [highest, highest]);
}

type Point = readonly [similarity: number, shown: number];

function onLine(similarity: number, [x, y]: Point, [toX, toY]: Point): number {
  return y + Math.floor(((toY - y) * (similarity - x)) / (toX - x));
}
