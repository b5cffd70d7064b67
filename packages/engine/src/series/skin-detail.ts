import { gaussianBlur } from '../imaging/gaussian-blur.ts';
import { noiseResponse } from '../imaging/noise-response.ts';
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

/** Added to brightness before its logarithm is taken. */
const BLACK = 8;

/** The pixels of a patch, row-major, and the sum and the sum of squares of each window, row by row. */
interface Plane {
  readonly values: Float32Array;
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

/** A patch of skin, filtered. */
interface Patch {
  /** Brightness, 0…255. */
  readonly lit: Plane;
  /** Logarithm of the brightness less a quadratic function of the place: what smooth light, multiplied to it, leaves. */
  readonly unlit: Plane;
  /** Mean brightness, 0…255. */
  readonly mean: number;
}

/** Skin of one frame, prepared for comparisons. */
export interface SkinDetail {
  /** For each place its patch; undefined where it is seen at a slant. */
  readonly patches: readonly (Patch | undefined)[];
  /** Standard deviation of the noise of a pixel, 0…255. */
  readonly noise: number;
}

/** One place of the skin in two frames. */
export interface PatchComparison {
  /** Index of the place. */
  readonly place: number;
  /** Correlation at the best offset, corrected for noise; −1…1. */
  readonly correlation: number;
  /** The same of the skin without the light on it. */
  readonly unlit: number;
  /** Mean brightness in both frames, 0…255. */
  readonly brightness: readonly [number, number];
}

const details = new WeakMap<SkinPatches, SkinDetail>();

/** Computed once for the skin of a frame. */
export function skinDetailOf(skin: SkinPatches): SkinDetail {
  const detail = details.get(skin) ?? computeDetail(skin);
  details.set(skin, detail);
  return detail;
}

function computeDetail(skin: SkinPatches): SkinDetail {
  const { luma, areas } = skin;
  const plane = PATCH_SIDE ** 2;
  const middle = [...areas].sort((a, b) => a - b)[areas.length >> 1]!;
  const patches = Array.from(areas, (area, k) =>
    area > MIN_AREA * middle ? patchOf(luma.subarray(k * plane, (k + 1) * plane)) : undefined,
  );
  return { patches, noise: noiseOf(skin) };
}

function patchOf(luma: Uint8Array): Patch {
  const lit = gaussianBlur(Float32Array.from(luma), PATCH_SIDE, SMOOTHING, SMOOTHING_REACH);
  const mean = lit.reduce((sum, value) => sum + value, 0) / lit.length;
  const logarithm = lit.map((value) => Math.log(value + BLACK));
  return { lit: planeOf(lit), unlit: planeOf(lessQuadratic(logarithm)), mean };
}

/** Offsets of a window across and down. */
const OFFSETS = 2 * SEARCH_RADIUS + 1;

function planeOf(values: Float32Array): Plane {
  return {
    values,
    sums: windowSums(values, ONES),
    squares: windowSums(values, values),
  };
}

const ONES = new Float32Array(PATCH_SIDE ** 2).fill(1);

/** The sum of the products of each window, from a summed-area table. */
function windowSums(values: Float32Array, factors: Float32Array): Float64Array {
  const width = PATCH_SIDE + 1;
  const table = new Float64Array(width * width);
  for (let y = 0; y < PATCH_SIDE; y++) {
    let line = 0;
    for (let x = 0; x < PATCH_SIDE; x++) {
      line += values[y * PATCH_SIDE + x]! * factors[y * PATCH_SIDE + x]!;
      table[(y + 1) * width + x + 1] = table[y * width + x + 1]! + line;
    }
  }
  const sums = new Float64Array(OFFSETS ** 2);
  for (let offset = 0; offset < sums.length; offset++) {
    const top = Math.floor(offset / OFFSETS) * width + (offset % OFFSETS);
    const bottom = top + CORE * width;
    sums[offset] = table[bottom + CORE]! - table[bottom]! - table[top + CORE]! + table[top]!;
  }
  return sums;
}

/** Index of the first pixel of a window. */
function startOf(offset: number): number {
  return Math.floor(offset / OFFSETS) * PATCH_SIDE + (offset % OFFSETS);
}

/** Standard deviation of the noise of the skin's pixels, 0…255: median over the patches of the mean |`noiseResponse`|. */
function noiseOf({ luma, areas }: SkinPatches): number {
  const plane = PATCH_SIDE ** 2;
  const each = Array.from(areas, (_, k) => patchNoise(luma.subarray(k * plane, (k + 1) * plane)));
  return each.sort((a, b) => a - b)[each.length >> 1] ?? 0;
}

function patchNoise(patch: Uint8Array): number {
  let sum = 0;
  for (let y = 1; y < PATCH_SIDE - 1; y++) {
    for (let x = 1; x < PATCH_SIDE - 1; x++) {
      sum += Math.abs(noiseResponse(patch, PATCH_SIDE, y * PATCH_SIDE + x));
    }
  }
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * (PATCH_SIDE - 2) ** 2);
}

/** Compares the places that both frames show nearly from the front. */
export function compareSkin(a: SkinDetail, b: SkinDetail): PatchComparison[] {
  return a.patches.flatMap((patch, place) => {
    const other = b.patches[place];
    if (!patch || !other) return [];
    const lit = bestMoments(patch.lit, other.lit, 1e-5);
    const noise = [a.noise * NOISE_KEPT, b.noise * NOISE_KEPT] as const;
    const unlit = bestMoments(patch.unlit, other.unlit, 1e-6);
    const relative = [noise[0] / (patch.mean + BLACK), noise[1] / (other.mean + BLACK)] as const;
    return {
      place,
      correlation: corrected(lit, noise, 1e-3),
      unlit: corrected(unlit, relative, 1e-9),
      brightness: [lit.meanA, lit.meanB],
    };
  });
}

/** Offset of the centre of a patch. */
const CENTRE = (OFFSETS ** 2 - 1) / 2;

/**
 * Moments of the centre of a patch and of the window of another one with the largest correlation.
 * @param least added to the product of the standard deviations
 */
function bestMoments(patch: Plane, other: Plane, least: number): Moments {
  const a = spreadAt(patch, CENTRE);
  let best: Moments | undefined;
  for (let offset = 0; offset < OFFSETS ** 2; offset++) {
    const b = spreadAt(other, offset);
    const shared = productAt(patch.values, other.values, offset) / CORE ** 2 - a.mean * b.mean;
    const correlation = shared / (Math.sqrt(a.variance * b.variance) + least);
    if (best && correlation <= best.correlation) continue;
    best = { meanA: a.mean, meanB: b.mean, varianceA: a.variance, varianceB: b.variance, correlation };
  }
  return best!;
}

function spreadAt({ sums, squares }: Plane, offset: number): { mean: number; variance: number } {
  const mean = sums[offset]! / CORE ** 2;
  return { mean, variance: Math.max(0, squares[offset]! / CORE ** 2 - mean ** 2) };
}

/** Sum of the products of the centre of a patch and the window of another one. */
function productAt(patch: Float32Array, other: Float32Array, offset: number): number {
  const [first, second] = [startOf(CENTRE), startOf(offset)];
  let sum = 0;
  for (let from = 0; from < CORE * PATCH_SIDE; from += PATCH_SIDE) {
    for (let u = 0; u < CORE; u++) sum += patch[first + from + u]! * other[second + from + u]!;
  }
  return sum;
}

/** Correction for attenuation. @param noise standard deviations in both frames @param least added to the variances */
function corrected(
  { correlation, varianceA, varianceB }: Moments,
  noise: readonly [number, number],
  least: number,
): number {
  const kept = (variance: number, sigma: number) =>
    1 - Math.min(MAX_NOISE_SHARE, sigma ** 2 / (variance + least));
  return Math.min(1, correlation / Math.sqrt(kept(varianceA, noise[0]) * kept(varianceB, noise[1])));
}

/** Means, variances and correlation of the pixels of two windows. */
interface Moments {
  readonly meanA: number;
  readonly meanB: number;
  readonly varianceA: number;
  readonly varianceB: number;
  readonly correlation: number;
}

/** Orthonormal basis of the quadratic functions on a patch, row by row. */
const BASIS = orthonormal([() => 1, (x) => x, (_, y) => y, (x, y) => x * y, (x) => x * x, (_, y) => y * y]);

/** A patch less the quadratic function of its place that fits it best (least squares). @param patch row-major */
function lessQuadratic(patch: Float32Array): Float32Array {
  const out = patch.slice();
  for (const function_ of BASIS) subtract(out, function_, dot(out, function_));
  return out;
}

/** Gram–Schmidt. */
function orthonormal(functions: readonly ((x: number, y: number) => number)[]): readonly Float32Array[] {
  const basis: Float32Array[] = [];
  for (const of of functions) {
    const centred = (i: number) => (2 * i) / (PATCH_SIDE - 1) - 1;
    const values = Float32Array.from({ length: PATCH_SIDE ** 2 }, (_, i) =>
      of(centred(i % PATCH_SIDE), centred(Math.floor(i / PATCH_SIDE))),
    );
    for (const before of basis) subtract(values, before, dot(values, before));
    const norm = Math.sqrt(dot(values, values));
    basis.push(values.map((value) => value / norm));
  }
  return basis;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Subtracts `share` of `other` in place. */
function subtract(values: Float32Array, other: Float32Array, share: number): void {
  for (let i = 0; i < values.length; i++) values[i]! -= share * other[i]!;
}
