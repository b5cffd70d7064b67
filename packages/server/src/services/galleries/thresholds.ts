import { raiseThreshold } from '@wajah/contract';
import {
  type Engine,
  HIGHEST_SIMILARITY,
  meanSpoofThreshold,
  SPOOF_THRESHOLD,
  UNCLEAR_SPOOF_THRESHOLD,
} from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { Limit, OperatingPoint, SpoofEstimate, SpoofVerdict, Thresholds } from './ports.ts';

/** The thresholds of a server. */
export function createThresholds(
  engine: Pick<Engine, 'threshold'>,
  settings: Config['thresholds'],
): Thresholds {
  const server = settings.verify ?? engine.threshold;
  const spoof = raiseThreshold(settings.spoof ?? SPOOF_THRESHOLD);
  const unclearSpoof = Math.max(spoof, raiseThreshold(UNCLEAR_SPOOF_THRESHOLD));
  const spoofVerdict = ({ score, networks, unclear }: SpoofEstimate): SpoofVerdict => {
    if (networks.length === 0) return 'unclear';
    if (unclear.length > 0) return score >= unclearSpoof ? 'attack' : 'unclear';
    return score >= spoof ? 'attack' : 'bona_fide';
  };
  const isUnjudged = ({ networks }: SpoofEstimate): boolean =>
    networks.length === 0 && settings.unclearSpoof !== 'accept';
  return {
    spoofVerdict,
    isUnjudged,

    spoof,

    spoofOfMean: (frames) => raiseThreshold(settings.spoof ?? meanSpoofThreshold(frames)),

    countsAsSpoof(estimate) {
      const verdict = spoofVerdict(estimate);
      if (verdict !== 'unclear') return verdict === 'attack';
      return settings.unclearSpoof === 'refuse' || isUnjudged(estimate);
    },

    verification: (gallery, point) => thresholdAt(point, gallery?.threshold ?? server),

    identification({ threshold, faces }, point, searched = 1) {
      const bySize = identificationThreshold(threshold ?? server, faces * searched, settings.identifyFpir);
      return thresholdAt(point, bySize);
    },
  };
}

/**
 * The similarity threshold that keeps the FPIR of a picture at `fpir`: each of its comparisons may have a false match rate
 * of fpir ÷ comparisons (Bonferroni's inequality, which holds for comparisons that depend on each other, as those of one
 * picture do), and similarity is 0.25 − 0.125 × log10(FMR). Never above what different pictures can reach, unless
 * `verify` is.
 *
 * @param comparisons enrolled faces × faces of the picture that are searched for
 * @example identificationThreshold(0.625, 1_000, 0.01); // 0.875 (0.25 + 0.125 × 5)
 */
export function identificationThreshold(verify: number, comparisons: number, fpir: number): number {
  const needed = 0.25 + 0.125 * Math.log10(Math.max(comparisons, 1) / fpir);
  return Math.max(verify, Math.min(HIGHEST_SIMILARITY, needed));
}

/**
 * The similarity threshold at which so many false pairs are expected among all pairs of `faces` people. Never above what
 * different pictures can reach, unless `verify` is: in a large gallery more false pairs are expected.
 *
 * @example pairThreshold(0.625, 1_000, 1); // 0.9623: one in 499,500
 */
export function pairThreshold(verify: number, faces: number, falsePairs: number): number {
  return Math.max(verify, similarityAtRate(Math.min(1, falsePairs / Math.max(1, pairsOf(faces)))));
}

/** Pairs of different people. */
export function pairsOf(faces: number): number {
  return (faces * (faces - 1)) / 2;
}

/** The false match rate that a similarity claims, 1e-6 (rounded) to 1. @example rateAtSimilarity(0.75); // 1e-4 */
export function rateAtSimilarity(similarity: number): number {
  return Math.min(1, 10 ** ((0.25 - similarity) / 0.125));
}

/**
 * The similarity threshold of a false match rate.
 * @param rate 1e-6…1
 * @example similarityAtRate(1e-4); // 0.75
 */
export function similarityAtRate(rate: number): number {
  return Math.min(HIGHEST_SIMILARITY, Math.max(0, 0.25 - 0.125 * Math.log10(rate)));
}

/** @param own the service's own threshold */
function thresholdAt(point: OperatingPoint | undefined, own: number): number {
  const { threshold, far } = point ?? {};
  if (threshold !== undefined && far !== undefined) throw new Refusal('farAndThreshold');
  if (far !== undefined) return raiseThreshold(similarityAtRate(far));
  return limitAt(threshold, raiseThreshold(own));
}

/** The threshold in force, four decimals. @param own the service's own, four decimals */
export function limitAt(limit: Limit | undefined, own: number): number {
  return raiseThreshold(typeof limit === 'function' ? limit(own) : (limit ?? own));
}
