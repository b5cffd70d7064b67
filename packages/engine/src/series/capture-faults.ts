import type { QualityRule, SkinPatches } from '../types.ts';
import { skinNoise } from './skin-detail.ts';

/** A face of one frame, analysed with `quality` and `skin`. */
export interface FaceWithQuality {
  readonly quality?: readonly QualityRule[];
  readonly skin?: SkinPatches;
}

/** Why a frame cannot be judged. */
export interface CaptureFault {
  readonly name: 'size' | 'sharpness' | 'brightness' | 'contrast' | 'noise';
  /** The measured value and its limit, in the unit of the rule; noise: standard deviation of a pixel, 0…255. */
  readonly value: number;
  readonly limit: number;
}

/**
 * Limits beyond which liveness cannot be judged. All of 177 film frames, 40 selfie frames and 128 frames of drivers of `dev`
 * keep them but 2 (too dark), as do 54 of 58 webcam frames (`pad`; 4 too small). The noise of honest frames is at most 2.4.
 */
const LIMITS = { sharpness: 0.25, dark: 0.12, bright: 0.9, contrast: 0.12, noise: 4 } as const;

/**
 * Faults of a frame that would weaken the checks of a series: they must fail the frame, or noise and blur could be added
 * to hide an attack.
 * @param least size of a face, pixels of the shorter side of its box
 */
export function captureFaults({ quality = [], skin }: FaceWithQuality, least: number): CaptureFault[] {
  const limits = { ...LIMITS, size: least };
  const found: CaptureFault[] = quality.flatMap(({ name, value }) => {
    if (name === 'pose' || name === 'cropped') return [];
    if (name === 'brightness') return outside(value);
    return value < limits[name] ? [{ name, value, limit: limits[name] }] : [];
  });
  const noise = skin ? skinNoise(skin) : 0;
  if (noise > LIMITS.noise) found.push({ name: 'noise', value: noise, limit: LIMITS.noise });
  return found;
}

function outside(brightness: number): CaptureFault[] {
  const limit = brightness < LIMITS.dark ? LIMITS.dark : LIMITS.bright;
  const fine = brightness >= LIMITS.dark && brightness <= LIMITS.bright;
  return fine ? [] : [{ name: 'brightness', value: brightness, limit }];
}
