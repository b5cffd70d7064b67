import { sigmoid } from '../stages/states/logistic.ts';
import type { Pose, SkinPatches } from '../types.ts';
import { angleBetween } from './turn.ts';

/** Pixels of a patch of skin across and down. */
export const PATCH_SIDE = 22;
/** A patch is looked for up to this far from where the mesh says it is, pixels. */
const SEARCH_RADIUS = 3;
const CORE = PATCH_SIDE - 2 * SEARCH_RADIUS;
/** What is coarser than this, pixels, is light and not skin. */
const BLUR_RADIUS = 3;
/** A patch that is seen at less than this share of the middle one's area is seen from the side. */
const MIN_AREA = 0.35;
/** Of the patches the share that may be less alike: those where the mesh is off, or the head hides them. */
const QUANTILE = 0.75;
/** Degrees between two faces from which on skin looks different, and up to which both show the same side. */
const TURN = { least: 12, most: 36 } as const;

/**
 * The likeness at which either is as likely, and the slope there. Of 68 pairs of a front and a turn that were made of
 * one picture each (17 pictures of `dev`, laid over the mean face in relief and turned) 84 in 100 are above it. Of 224
 * pairs of real pictures of one person in different poses (`dev`: drivers filmed from the dashboard, and sharp
 * photographs, many of one sitting) none is; the likest of them has 0.77.
 */
const MIDPOINT = 0.8;
const SLOPE = 0.02;

/** A face of one frame, analysed with `pose` and `skin`. */
export interface FaceWithSkin {
  readonly pose?: Pose;
  readonly skin?: SkinPatches;
}

/** Whether the skin of a turning head stays as it is in one picture. */
export interface Stillness {
  /** Probability that it does, 0…1; 0.5 when nothing turned. */
  readonly probability: number;
  /** Mean likeness of the skin in turned frames, −1…1; 0 when nothing turned. */
  readonly correlation: number;
  /** Pairs of frames that it rests on; 0: nothing turned enough, or too much. */
  readonly pairs: number;
}

/**
 * One picture that is bent and turned by a program keeps its skin to the pixel, whatever it seems to do. Real skin
 * looks different from every side: light, gloss and pores change.
 */
export function stillnessOf(faces: readonly FaceWithSkin[]): Stillness {
  const skins = faces.map(({ skin }) => skin && skinDetailOf(skin));
  const likenesses: number[] = [];
  for (const [i, a] of faces.entries()) {
    for (const [j, b] of faces.slice(0, i).entries()) {
      const [mine, other] = [skins[i], skins[j]];
      const turn = angleBetween(a, b);
      if (!mine || !other || turn < TURN.least || turn > TURN.most) continue;
      likenesses.push(patchCorrelation(mine, other));
    }
  }
  const pairs = likenesses.length;
  if (pairs === 0) return { probability: 0.5, correlation: 0, pairs };
  const likeness = likenesses.reduce((total, one) => total + one, 0) / pairs;
  return { probability: sigmoid((likeness - MIDPOINT) / SLOPE), correlation: likeness, pairs };
}

interface SkinDetail {
  /** Patches without what is coarse in them. */
  readonly patches: readonly Float32Array[];
  /** Of each patch whether it is seen from the front rather than from the side. */
  readonly frontal: readonly boolean[];
}

function skinDetailOf({ luma, areas }: SkinPatches): SkinDetail {
  const plane = PATCH_SIDE ** 2;
  const middle = [...areas].sort((a, b) => a - b)[areas.length >> 1]!;
  return {
    patches: Array.from(areas, (_, k) => highPass(luma.subarray(k * plane, (k + 1) * plane))),
    frontal: Array.from(areas, (area) => area > MIN_AREA * middle),
  };
}

/** Each pixel less the mean around it; beyond the patch its edge goes on. */
function highPass(patch: Uint8Array): Float32Array {
  const clamp = (v: number) => Math.max(0, Math.min(PATCH_SIDE - 1, v));
  const width = 2 * BLUR_RADIUS + 1;
  const rows = new Float32Array(patch.length);
  const out = new Float32Array(patch.length);
  for (let y = 0; y < PATCH_SIDE; y++) {
    for (let x = 0; x < PATCH_SIDE; x++) {
      for (let d = -BLUR_RADIUS; d <= BLUR_RADIUS; d++)
        rows[y * PATCH_SIDE + x]! += patch[y * PATCH_SIDE + clamp(x + d)]!;
    }
  }
  for (let y = 0; y < PATCH_SIDE; y++) {
    for (let x = 0; x < PATCH_SIDE; x++) {
      let sum = 0;
      for (let d = -BLUR_RADIUS; d <= BLUR_RADIUS; d++) sum += rows[clamp(y + d) * PATCH_SIDE + x]!;
      out[y * PATCH_SIDE + x] = patch[y * PATCH_SIDE + x]! - sum / width ** 2;
    }
  }
  return out;
}

function patchCorrelation(a: SkinDetail, b: SkinDetail): number {
  const both = a.patches.flatMap((patch, k) =>
    a.frontal[k] && b.frontal[k] ? bestCorrelation(patch, b.patches[k]!) : [],
  );
  both.sort((x, y) => x - y);
  return both[Math.floor((both.length - 1) * QUANTILE)] ?? 0;
}

/** Of the middle of `a` with every place of `b`. */
function bestCorrelation(a: Float32Array, b: Float32Array): number {
  let best = -1;
  for (let y = 0; y <= 2 * SEARCH_RADIUS; y++) {
    for (let x = 0; x <= 2 * SEARCH_RADIUS; x++) best = Math.max(best, correlation(a, b, x, y));
  }
  return best;
}

function correlation(a: Float32Array, b: Float32Array, x: number, y: number): number {
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
  const spread = Math.sqrt(Math.max(0, aa - (sa * sa) / n) * Math.max(0, bb - (sb * sb) / n));
  return (ab - (sa * sb) / n) / (spread + 1e-3);
}
