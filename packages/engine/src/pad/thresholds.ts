import { logit, sigmoid } from '../stages/maths.ts';
import type { SpoofEstimate } from '../types.ts';

/**
 * Least score of a presentation attack: on `dev` the lowest of two decimals that refuses at most 3 % of the people, see
 * docs/adr/0082.
 */
export const SPOOF_THRESHOLD = 0.4;
/** The same in an unclear capture, see `unclearReasons`: odds of e to 1. Of 36 bona fide crops of `dev`, 1 reaches it. */
export const UNCLEAR_SPOOF_THRESHOLD = sigmoid(1);

/**
 * Least mean score of a presentation attack, of so many frames or more: odds of 1 to e^1.5, as a mean varies less than a
 * single score (docs/adr/0060-pad-by-two-kinds-of-networks.md).
 */
const MEAN = { frames: 3, threshold: sigmoid(-1.5) } as const;

/** Least mean score, see `meanSpoofScore`, of a presentation attack. @param frames 1 or more */
export function meanSpoofThreshold(frames: number): number {
  return frames >= MEAN.frames ? MEAN.threshold : SPOOF_THRESHOLD;
}

/**
 * Score of several frames of one presentation, 0…1: the plain mean of the log odds over frames and networks, as each
 * network sees attacks that the other does not. 0.5 without networks.
 * @param estimates one or more, of one pack
 */
export function meanSpoofScore(estimates: readonly Pick<SpoofEstimate, 'networks'>[]): number {
  const odds = estimates.flatMap(({ networks }) => networks.map(({ score }) => logit(score)));
  return odds.length === 0 ? 0.5 : sigmoid(odds.reduce((sum, one) => sum + one, 0) / odds.length);
}
