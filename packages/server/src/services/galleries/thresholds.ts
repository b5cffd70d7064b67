import { raiseThreshold } from '@wajah/contract';
import {
  type Engine,
  type Face,
  HIGHEST_SIMILARITY,
  meanSpoofThreshold,
  SPOOF_THRESHOLD,
  UNCLEAR_SPOOF_THRESHOLD,
} from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { GalleryRecord } from '../../store/ports.ts';
import type { Limit, OperatingPoint } from './ports.ts';

/** Verdict on a face: the spoof score of an unclear capture says little, and without PAD networks nothing. */
export type SpoofVerdict = 'bona_fide' | 'attack' | 'unclear';

type SpoofEstimate = NonNullable<Face['spoof']>;

export type Thresholds = ReturnType<typeof createThresholds>;

/**
 * Thresholds in force: the call's own, else the gallery's, else the server's setting, else the pack's. They are raised
 * to four decimals, so that a printed similarity and threshold never contradict the decision.
 */
export function createThresholds(engine: Pick<Engine, 'threshold'>, settings: Config['thresholds']) {
  const server = settings.verify ?? engine.threshold;
  const spoof = raiseThreshold(settings.spoof ?? SPOOF_THRESHOLD);
  const unclearSpoof = Math.max(spoof, raiseThreshold(UNCLEAR_SPOOF_THRESHOLD));
  /** An unclear capture is an attack from a second, stricter threshold on; below it there is no verdict. */
  const spoofVerdict = ({ score, networks, unclear }: SpoofEstimate): SpoofVerdict => {
    if (networks.length === 0) return 'unclear';
    if (unclear.length > 0) return score >= unclearSpoof ? 'attack' : 'unclear';
    return score >= spoof ? 'attack' : 'bona_fide';
  };
  /** Whether a face fails because no network judged it: the operator has to accept such faces by hand. */
  const isUnjudged = ({ networks }: SpoofEstimate): boolean =>
    networks.length === 0 && settings.unclearSpoof !== 'accept';
  return {
    spoofVerdict,
    isUnjudged,

    /** Score at or above which a face is a spoof. */
    spoof,

    /** Mean score at or above which so many frames of a person are a spoof: a mean varies less than a single score. */
    spoofOfMean: (frames: number): number => raiseThreshold(settings.spoof ?? meanSpoofThreshold(frames)),

    /** Whether a face counts as a spoof; of one without a verdict the operator decides. */
    countsAsSpoof(estimate: SpoofEstimate): boolean {
      const verdict = spoofVerdict(estimate);
      if (verdict !== 'unclear') return verdict === 'attack';
      return settings.unclearSpoof === 'refuse' || isUnjudged(estimate);
    },

    /**
     * Similarity at or above which two faces match.
     * @throws Refusal `malformed` when the call names both a threshold and a rate
     */
    verification: (gallery?: Pick<GalleryRecord, 'threshold'>, point?: OperatingPoint): number =>
      thresholdAt(point, gallery?.threshold ?? server),

    /**
     * Similarity at or above which a face found in a gallery matches: the call's own; else the larger of
     * verification's and what the size of the gallery needs.
     * @param searched faces of one picture that the threshold is for
     * @throws Refusal as `verification`
     */
    identification(
      { threshold, faces }: Pick<GalleryRecord, 'threshold' | 'faces'>,
      point?: OperatingPoint,
      searched = 1,
    ) {
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
