import { noiseResponse } from '../imaging/noise-response.ts';
import type { LightMeasures } from '../stages/quality.ts';
import type { UnclearReason } from '../types.ts';
import { nativeLuminance } from './crops.ts';
import type { PadFace } from './networks.ts';

/**
 * Limits beyond which the score says little; the first three in the units of the quality rules, all measured on `dev` with
 * collections left out.
 *
 * - `dark`, `small`: of 267 bona fide faces and 105 attacks no face is darker and no attack smaller; no error rate is known
 *   there.
 * - `blurred`: detail that the signals measure is gone: the one bona fide face below is refused, and 3 of 12 just above.
 * - `noisy`: standard deviation of a pixel, 0…255: 2 of 267 bona fide faces lie above 3, so no error rate is known there.
 */
const LIMITS = { dark: 0.12, small: 60, blurred: 0.25, noisy: 4 } as const;

/** Side of the patch whose noise is measured, pixels. */
const PATCH = 128;

/** Why the score says little about a face; empty where it is clear. @param tight there is too little around the head */
export function unclearReasons(
  { box, pixels, pixelBox }: PadFace,
  { brightness, sharpness }: LightMeasures,
  tight: boolean,
): UnclearReason[] {
  const found: [UnclearReason, boolean][] = [
    ['dark', brightness < LIMITS.dark],
    ['small', Math.min(box.width, box.height) < LIMITS.small],
    ['tight', tight],
    ['blurred', sharpness < LIMITS.blurred],
    ['noisy', isNoisy(nativeLuminance(pixels, pixelBox, PATCH))],
  ];
  return found.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/**
 * Whether the standard deviation of a luminance patch's noise, 0…255, exceeds its limit: by the median of `noiseResponse`, as
 * edges are no noise. The values above the limit are counted: where they are half of all, the median is above it.
 */
function isNoisy(patch: Float32Array): boolean {
  // The median of |normal| is 0.6745 of its deviation.
  const limit = LIMITS.noisy * 6 * 0.6745;
  const half = (PATCH - 2) ** 2 / 2;
  let above = 0;
  for (let row = 1; row < PATCH - 1; row++) {
    for (let column = 1; column < PATCH - 1; column++) {
      if (Math.abs(noiseResponse(patch, PATCH, row * PATCH + column)) > limit) above += 1;
    }
  }
  return above >= half;
}
