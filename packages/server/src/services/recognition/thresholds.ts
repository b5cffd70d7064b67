import { cutFraction, raiseThreshold } from '@wajah/contract';
import type { Engine } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { OperatingPoint } from '../services.ts';

/**
 * Operating points: the call's own, else the gallery's, else the server's setting, else the pack's. Raised to four
 * decimals, so that what is shown never contradicts what was decided.
 */
export interface Thresholds {
  /** Score at or above which a face counts as a spoof. */
  readonly spoof: number;
  /**
   * Similarity at or above which two faces count as one person.
   * @throws Refusal `malformed` when the call names both a threshold and a rate, or one out of range
   */
  verification(gallery?: Pick<GalleryRecord, 'threshold'>, asked?: OperatingPoint): number;
  /**
   * Similarity at or above which a face found in a gallery counts as that person: what the call names, as it
   * stands; else the larger of verification's and what the gallery's size needs.
   * @throws Refusal as `verification`
   */
  identification(gallery: Pick<GalleryRecord, 'threshold' | 'faces'>, asked?: OperatingPoint): number;
}

export function createThresholds(
  engine: Pick<Engine, 'threshold' | 'spoofThreshold'>,
  settings: Config['thresholds'],
): Thresholds {
  const server = settings.verify ?? engine.threshold;
  return {
    verification: (gallery, asked) => raiseThreshold(askedSimilarity(asked) ?? gallery?.threshold ?? server),
    identification: ({ threshold, faces }, asked) =>
      raiseThreshold(
        askedSimilarity(asked) ?? identificationThreshold(threshold ?? server, faces, settings.identifyFpir),
      ),
    spoof: raiseThreshold(settings.spoof ?? engine.spoofThreshold),
  };
}

/**
 * A stranger meets as many chances to be taken for somebody as the gallery has people. Similarity is
 * 0.25 − 0.125 × log10(false match rate), so keeping the share of strangers let in at `fpir` takes a false
 * match rate of fpir ÷ people in each comparison.
 *
 * @example identificationThreshold(0.625, 10_000, 0.01); // 1 (0.25 + 0.125 × 6)
 */
export function identificationThreshold(verify: number, faces: number, fpir: number): number {
  const needed = 0.25 + 0.125 * Math.log10(Math.max(faces, 1) / fpir);
  return Math.min(1, Math.max(verify, needed));
}

/**
 * The similarity that stands for a false match rate.
 * @param rate 1e-6…1
 * @example similarityAtRate(1e-4); // 0.75
 */
export function similarityAtRate(rate: number): number {
  return Math.min(1, Math.max(0, 0.25 - 0.125 * Math.log10(rate)));
}

function askedSimilarity({ threshold, far }: OperatingPoint = {}): number | undefined {
  if (threshold !== undefined && far !== undefined) {
    throw new Refusal('malformed', 'far: threshold was sent as well; allowed is one of the two');
  }
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) {
    throw new Refusal('malformed', `threshold: ${threshold} is not a number from 0 to 1`);
  }
  if (far === undefined) return threshold;
  if (!(far >= 1e-6 && far <= 1)) {
    throw new Refusal('malformed', `far: ${far} is not a rate from 1e-6 to 1`);
  }
  return similarityAtRate(far);
}

/** Similarities and thresholds as details print them: the numbers that the answers carry. */
export function shown(value: number): string {
  return cutFraction(value).toFixed(4);
}
