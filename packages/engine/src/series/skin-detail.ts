import { gaussianBlur } from '../imaging/gaussian-blur.ts';
import { PATCH_SIDE } from '../stages/mesh/skin-places.ts';
import type { SkinPatches } from '../types.ts';

/** Largest offset, pixels, at which patches are compared: the error of the mesh. */
const SEARCH_RADIUS = 3;
const CORE = PATCH_SIDE - 2 * SEARCH_RADIUS;
/**
 * Standard deviation, pixels, of the Gaussian filter that removes sensor noise and compression. What is left, 2 % of a
 * face and coarser, survives noise and blur that make a face of 150 pixels look bad.
 */
const SMOOTHING = 1.2;
/** Pixels to each side that the filter reads: 2.5 standard deviations. The limits of `stillnessOf` were fitted with it. */
const SMOOTHING_REACH = 3;
/** Share of the standard deviation of white noise that the filter keeps: 1 / (2 √π σ). */
const NOISE_KEPT = 1 / (2 * Math.sqrt(Math.PI) * SMOOTHING);
/** Largest share of noise in the variance of a patch that is compensated. */
const MAX_NOISE_SHARE = 0.25;
/** Least area of a patch, as a share of the median one, that is not seen at a slant. */
const MIN_AREA = 0.35;

/** Skin of one frame, prepared for comparisons. */
export interface SkinDetail {
  /** For each place the filtered patch; undefined where it is seen at a slant. */
  readonly patches: readonly (Float32Array | undefined)[];
  /** Standard deviation of the noise of a pixel, 0…255. */
  readonly noise: number;
}

/** One place of the skin in two frames. */
export interface PatchComparison {
  /** Index of the place. */
  readonly place: number;
  /** Correlation at the best offset, corrected for noise; −1…1. */
  readonly correlation: number;
  /** Mean brightness in both frames, 0…255. */
  readonly brightness: readonly [number, number];
}

export function skinDetailOf({ luma, areas }: SkinPatches): SkinDetail {
  const plane = PATCH_SIDE ** 2;
  const middle = [...areas].sort((a, b) => a - b)[areas.length >> 1]!;
  const patches = Array.from(areas, (area, k) =>
    area > MIN_AREA * middle ? smoothed(luma.subarray(k * plane, (k + 1) * plane)) : undefined,
  );
  return { patches, noise: skinNoise({ luma, areas }) };
}

function smoothed(patch: Uint8Array): Float32Array {
  return gaussianBlur(Float32Array.from(patch), PATCH_SIDE, SMOOTHING, SMOOTHING_REACH);
}

/**
 * Standard deviation of the noise of the skin's pixels, 0…255: the median over the patches of the mean absolute response
 * to a Laplacian mask. J. Immerkær, "Fast noise variance estimation", 1996.
 */
export function skinNoise({ luma, areas }: SkinPatches): number {
  const plane = PATCH_SIDE ** 2;
  const each = Array.from(areas, (_, k) => patchNoise(luma.subarray(k * plane, (k + 1) * plane)));
  return each.sort((a, b) => a - b)[each.length >> 1] ?? 0;
}

function patchNoise(patch: Uint8Array): number {
  const down = PATCH_SIDE;
  let sum = 0;
  for (let y = 1; y < PATCH_SIDE - 1; y++) {
    for (let x = 1; x < PATCH_SIDE - 1; x++) {
      const i = y * down + x;
      const edges = patch[i - 1]! + patch[i + 1]! + patch[i - down]! + patch[i + down]!;
      const corners =
        patch[i - down - 1]! + patch[i - down + 1]! + patch[i + down - 1]! + patch[i + down + 1]!;
      sum += Math.abs(4 * patch[i]! - 2 * edges + corners);
    }
  }
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * (PATCH_SIDE - 2) ** 2);
}

/** Compares the places that both frames show nearly from the front. */
export function compareSkin(a: SkinDetail, b: SkinDetail): PatchComparison[] {
  return a.patches.flatMap((patch, place) => {
    const other = b.patches[place];
    if (!patch || !other) return [];
    let best = momentsAt(patch, other, SEARCH_RADIUS, SEARCH_RADIUS);
    for (let y = 0; y <= 2 * SEARCH_RADIUS; y++) {
      for (let x = 0; x <= 2 * SEARCH_RADIUS; x++) {
        const here = momentsAt(patch, other, x, y);
        if (correlationOf(here) > correlationOf(best)) best = here;
      }
    }
    const kept = (variance: number, { noise }: SkinDetail) =>
      1 - Math.min(MAX_NOISE_SHARE, (noise * NOISE_KEPT) ** 2 / (variance + 1e-3));
    const correction = Math.sqrt(kept(best.varianceA, a) * kept(best.varianceB, b));
    const correlation = Math.min(1, correlationOf(best) / correction);
    return { place, correlation, brightness: [best.meanA, best.meanB] };
  });
}

/** Means, variances and covariance of the pixels of two windows. */
interface Moments {
  readonly meanA: number;
  readonly meanB: number;
  readonly varianceA: number;
  readonly varianceB: number;
  readonly covariance: number;
}

function correlationOf({ varianceA, varianceB, covariance }: Moments): number {
  return covariance / (Math.sqrt(Math.max(0, varianceA) * Math.max(0, varianceB)) + 1e-5);
}

/** The centre of `a` and the window of `b` at an offset; `SEARCH_RADIUS` is its centre. */
function momentsAt(a: Float32Array, b: Float32Array, x: number, y: number): Moments {
  let [sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let v = 0; v < CORE; v++) {
    const p = (v + SEARCH_RADIUS) * PATCH_SIDE + SEARCH_RADIUS;
    const q = (v + y) * PATCH_SIDE + x;
    for (let u = 0; u < CORE; u++) {
      const [left, right] = [a[p + u]!, b[q + u]!];
      sa += left;
      sb += right;
      aa += left * left;
      bb += right * right;
      ab += left * right;
    }
  }
  const n = CORE ** 2;
  const [meanA, meanB] = [sa / n, sb / n];
  return {
    meanA,
    meanB,
    varianceA: aa / n - meanA ** 2,
    varianceB: bb / n - meanB ** 2,
    covariance: ab / n - meanA * meanB,
  };
}
