import { sigmoid } from '../stages/maths.ts';
import type { Pose, SkinPatches } from '../types.ts';
import { angleBetween } from './flatness.ts';
import { quantile, shadingChange } from './shading.ts';
import { compareSkin, type SkinDetail, skinDetailOf } from './skin-detail.ts';

/** Angles between two heads, degrees: from `least` on skin looks different, up to `most` both show the same side. */
const TURN = { least: 12, most: 60 } as const;
/** Largest yaw and pitch, degrees, of the more frontal head of a pair: two turned heads show different sides. */
const FRONTAL = 14;
/** Least angle of a pair as a share of the largest one. */
const MIN_SHARE_OF_LARGEST = 0.5;

/** A face of one frame, analysed with `pose` and `skin`. */
export interface FaceWithSkin {
  readonly pose?: Pose;
  readonly skin?: SkinPatches;
}

/** How the skin of two frames differs. */
export interface SkinChange {
  /** Median correlation of the patches, −1…1. */
  readonly correlation: number;
  /** Change of the shading, see `shadingChange`. */
  readonly shading: number;
}

/** Evidence that the skin of a turning head does not change, as in an animated picture. */
export interface Stillness extends SkinChange {
  /** Probability of an animated picture, 0…1, at even prior odds; 0.5 without a pair to compare. */
  readonly probability: number;
  /** The signals that indicate an animated picture by themselves. */
  readonly signals: readonly ('detail' | 'shading')[];
  /** Number of pairs of frames that were compared; `correlation` and `shading` are means over them, 0 without a pair. */
  readonly pairs: number;
}

/**
 * Detects a single picture animated by a program. On real skin light, gloss and relief look different from every side; a
 * picture keeps its detail and its shading. Both are measured at scales that noise and blur do not reach.
 */
export function stillnessOf(faces: readonly FaceWithSkin[]): Stillness {
  const skins = faces.map(({ skin }) => skin && skinDetailOf(skin));
  const changes = comparablePairs(faces).flatMap(([i, j, turn]) => {
    const change = skins[i] && skins[j] && skinChange(skins[i], skins[j]);
    return change ? [{ ...change, turn }] : [];
  });
  const pairs = changes.length;
  if (pairs === 0) return { probability: 0.5, correlation: 0, shading: 0, signals: [], pairs };
  const mean = (of: (change: (typeof changes)[number]) => number) =>
    changes.reduce((sum, change) => sum + of(change), 0) / pairs;
  const change = { correlation: mean((one) => one.correlation), shading: mean((one) => one.shading) };
  return {
    probability: sigmoid(mean((one) => oddsOf(one, one.turn))),
    ...change,
    signals: signalsOf(change),
    pairs,
  };
}

/** Where each signal alone separates the classes best; it is then wrong for 1 in 20 honest sessions of `dev`. */
const ALONE = { correlation: 0.94, shading: 0.08 } as const;

function signalsOf({ correlation, shading }: SkinChange): Stillness['signals'] {
  return [
    ...(correlation >= ALONE.correlation ? (['detail'] as const) : []),
    ...(shading <= ALONE.shading ? (['shading'] as const) : []),
  ];
}

/** Indices of the faces of each pair, and the angle between them. */
function comparablePairs(faces: readonly FaceWithSkin[]): [number, number, number][] {
  const isFrontal = ({ pose }: FaceWithSkin) =>
    pose !== undefined && Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) < FRONTAL;
  const pairs = faces.flatMap((a, i) =>
    faces.slice(0, i).flatMap((b, j): [number, number, number][] => {
      const turn = angleBetween(a, b);
      const used = turn >= TURN.least && turn <= TURN.most && (isFrontal(a) || isFrontal(b));
      return used ? [[i, j, turn]] : [];
    }),
  );
  const largest = Math.max(0, ...pairs.map(([, , turn]) => turn));
  return pairs.filter(([, , turn]) => turn >= MIN_SHARE_OF_LARGEST * largest);
}

/** @returns undefined where the frames have too few places in common */
export function skinChange(a: SkinDetail, b: SkinDetail): SkinChange | undefined {
  const comparisons = compareSkin(a, b);
  const shading = shadingChange(comparisons);
  if (shading === undefined) return undefined;
  return {
    correlation: quantile(
      comparisons.map(({ correlation }) => correlation),
      0.5,
    ),
    shading,
  };
}

/**
 * Log odds of an animated picture: logistic regression on pairs of frames of `dev`. Honest: films of 4 people, webcam
 * frames of 7 people (`pad`) and 6 people of `bbt`; attacks: 27 photographs bent in relief along their own mesh, with six kinds of
 * noise, blur, light and shadow. The constant is lower by 0.35 than fitted, to lower the BPCER. With the film, collection
 * or kind of attack left out that is judged, 4 of 383 honest sessions and 34 of 833 attacks are judged wrongly.
 */
const WEIGHTS = { shading: -5.68, correlation: -1.82, turn: 0.0369, constant: -18.9 } as const;
/** Added before the logarithm is taken: the error of the mesh. */
const SHADING_ERROR = 0.02;
const CORRELATION_ERROR = 0.01;
/** Log odds of a pair are cut off here, so that one odd pair does not decide. */
const MAX_ODDS = 5;
/** Angles beyond count as this one. */
const MAX_TURN = 40;

/** @param turn degrees */
function oddsOf({ correlation, shading }: SkinChange, turn: number): number {
  const odds =
    WEIGHTS.shading * Math.log(shading + SHADING_ERROR) +
    WEIGHTS.correlation * Math.log(1 - correlation + CORRELATION_ERROR) +
    WEIGHTS.turn * Math.min(MAX_TURN, turn) +
    WEIGHTS.constant;
  return Math.max(-MAX_ODDS, Math.min(MAX_ODDS, odds));
}
