import { setImmediate as nextTurn } from 'node:timers/promises';
import { combineColumns, fitColumns } from '../imaging/least-squares.ts';
import { sigmoid } from '../stages/maths.ts';
import { SKIN_PLACES } from '../stages/mesh/skin-places.ts';
import type { SkinPatches } from '../types.ts';
import { angleBetween } from './flatness.ts';
import { type FaceWithGaze, fixedGaze } from './gaze.ts';
import { compareSkin, type PatchComparison, skinDetailOf } from './skin-detail.ts';

/** Angles between two heads, degrees: from `least` on skin looks different, up to `most` both show the same side. */
const TURN = { least: 12, most: 60 } as const;
/** Largest yaw and pitch, degrees, of the more frontal head of a pair: two turned heads show different sides. */
const FRONTAL = 14;
/** Least angle of a pair as a share of the largest one. */
const MIN_SHARE_OF_LARGEST = 0.5;

/** A face of one frame, analysed with `pose` and `skin`; with `eyes` and `gaze` the irises are compared too. */
export interface FaceWithSkin extends FaceWithGaze {
  readonly skin?: SkinPatches;
}

/** How the skin of two frames differs. */
export interface SkinChange {
  /** Median correlation of the patches, −1…1. */
  readonly correlation: number;
  /** The same of the skin without the light on it. */
  readonly unlit: number;
  /** Change of the shading, see `shadingChange`. */
  readonly shading: number;
}

/** Evidence of an animated picture. */
export interface Stillness extends SkinChange {
  /** Probability of an animated picture, 0…1, at even prior odds; 0.5 without a pair to compare. */
  readonly probability: number;
  /** Whether the irises are fixed in the eyes: mean of `fixedGaze` over the pairs; undefined where it cannot be measured. */
  readonly gaze: number | undefined;
  /**
   * Least `pairDifference` of two frames with different angles: several pictures that are animated in turn differ, but two
   * frames of one of them do not. Infinity without such frames.
   */
  readonly leastDifference: number;
  /**
   * Number of pairs of a frontal and a turned frame that were compared; `correlation`, `unlit` and `shading` are means over them,
   * 0 without a pair.
   */
  readonly pairs: number;
}

/**
 * Detects a single picture animated by a program. On real skin light, gloss and relief look different from every side; a
 * picture keeps its detail and its shading. Both are measured at scales that noise and blur do not reach. The irises of a
 * picture keep their place in the eyes. How frontal frames differ from each other says nothing: a person who moves with the
 * phone changes them as much as a program that lights each frame anew.
 */
export async function stillnessOf(faces: readonly FaceWithSkin[]): Promise<Stillness> {
  const compared = await comparedPairs(faces);
  const turning = compared.filter(({ a, b }) => isFrontal(a) || isFrontal(b));
  const largest = Math.max(0, ...turning.map(({ turn }) => turn));
  const turned = turning.filter(({ turn }) => turn >= MIN_SHARE_OF_LARGEST * largest);
  const changes = turned.flatMap(({ change }) => change ?? []);
  const pairs = changes.length;
  if (pairs === 0) return nothing;
  const gazes = turned.flatMap(({ a, b }) => fixedGaze(a, b) ?? []);
  const differences = compared.flatMap(({ change, turn }) => (change ? pairDifference(change, turn) : []));
  const leastDifference = Math.min(...differences);
  const gaze = gazes.length === 0 ? undefined : mean(gazes);
  const evidence = evidenceOf(changes, gaze ?? NO_GAZE);
  const odds = Math.max(oddsOf(evidence), LEAST_OF_HEADS - leastDifference);
  return { probability: sigmoid(odds), ...meanChange(changes), gaze, leastDifference, pairs };
}

const nothing: Stillness = {
  probability: 0.5,
  correlation: 0,
  unlit: 0,
  shading: 0,
  gaze: undefined,
  leastDifference: Number.POSITIVE_INFINITY,
  pairs: 0,
};

/**
 * Least `pairDifference` of two frames of a head at an angle: of 2,950 pairs of honest frames of 18 people on `dev` the least
 * is −10.5; 14 of 15 pairs of frames of one animated picture fall below.
 */
const LEAST_OF_HEADS = -11;

/** Two frames whose heads differ by an angle. */
interface Pair {
  readonly a: FaceWithSkin;
  readonly b: FaceWithSkin;
  /** Degrees. */
  readonly turn: number;
  readonly change: SkinChange | undefined;
}

/** The pairs at an angle. To compare one takes a millisecond or more: the event loop turns in between. */
async function comparedPairs(faces: readonly FaceWithSkin[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const [j, b] of faces.entries()) {
    for (const a of faces.slice(0, j)) {
      const turn = angleBetween(a, b);
      if (turn < TURN.least || turn > TURN.most) continue;
      pairs.push({ a, b, turn, change: skinChange(a, b) });
      await nextTurn();
    }
  }
  return pairs;
}

function isFrontal({ pose }: FaceWithSkin): boolean {
  return pose !== undefined && Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) < FRONTAL;
}

/** @returns undefined where they have too few places in common */
function skinChange({ skin: a }: FaceWithSkin, { skin: b }: FaceWithSkin): SkinChange | undefined {
  if (!a || !b) return undefined;
  const comparisons = compareSkin(skinDetailOf(a), skinDetailOf(b));
  const shading = shadingChange(comparisons);
  if (shading === undefined) return undefined;
  const median = (of: (comparison: PatchComparison) => number) => quantile(comparisons.map(of), 0.5);
  return {
    correlation: median(({ correlation }) => correlation),
    unlit: median(({ unlit }) => unlit),
    shading,
  };
}

/** How much the logarithms of a head's changes grow with the angle, for each degree up to the largest. */
const GROWTH = { perDegree: 0.1, largest: 30 } as const;

/** How much the skin of two frames at an angle, degrees, differs: the sum of the logarithms of its changes, less the growth. */
function pairDifference({ correlation, unlit, shading }: SkinChange, turn: number): number {
  const expected = GROWTH.perDegree * Math.min(GROWTH.largest, turn);
  return loss(correlation) + loss(unlit) + Math.log(shading + SHADING_ERROR) - expected;
}

function loss(correlation: number): number {
  return Math.log(1 - correlation + CORRELATION_ERROR);
}

/** Logarithms of the signals of a session. */
interface Evidence {
  /** Of the loss of correlation and the change of shading by a turn. */
  readonly detail: number;
  readonly unlit: number;
  readonly shading: number;
  /** −3…2 */
  readonly gaze: number;
}

/** Added before the logarithm is taken: the error of the mesh. */
const CORRELATION_ERROR = 0.01;
const SHADING_ERROR = 0.02;

function evidenceOf(turned: readonly SkinChange[], gaze: number): Evidence {
  return {
    detail: mean(turned.map(({ correlation }) => loss(correlation))),
    unlit: mean(turned.map(({ unlit }) => loss(unlit))),
    shading: mean(turned.map((change) => Math.log(change.shading + SHADING_ERROR))),
    gaze,
  };
}

/**
 * Log odds of an animated picture: logistic regression on sessions of frames of `dev`, rounded. Honest: films of 4 people,
 * webcam frames of 7 people (`pad`) and 6 people of `bbt`; attacks: photographs of 14 people bent in relief, in eight ways
 * of `lab/src/attacks`. The constant was chosen for films of 5 people (56 sessions, 20 of them with a phone that moves): their
 * mean lies 2.9 deviations between people from the limit. Of stills of 12 other people (webcams, `bbt`), drawn into sessions,
 * 0.9 % fail.
 */
const WEIGHTS: Evidence & { readonly constant: number } = {
  detail: -1.15,
  unlit: -2.6,
  shading: -0.4,
  gaze: 0.7,
  constant: -9,
};
/** Evidence of irises that cannot be compared. */
const NO_GAZE = -0.5;

function oddsOf(evidence: Evidence): number {
  const signals = Object.keys(evidence) as (keyof Evidence)[];
  return signals.reduce((sum, signal) => sum + WEIGHTS[signal] * evidence[signal], WEIGHTS.constant);
}

function meanChange(changes: readonly SkinChange[]): SkinChange {
  return {
    correlation: mean(changes.map(({ correlation }) => correlation)),
    unlit: mean(changes.map(({ unlit }) => unlit)),
    shading: mean(changes.map(({ shading }) => shading)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Brightness outside of these is clipped by the sensor or a program. */
const DARKEST = 12;
const BRIGHTEST = 243;
/** Added to brightness before its logarithm is taken. */
const BLACK = 3;
/** Fewest places that a plane is fitted to. */
const MIN_PLACES = 6;
/** Rounds of the fit; it settles after about three. */
const ROUNDS = 4;
/** Least residual that is still weighed down. */
const LEAST_RESIDUAL = 0.003;
/** Quantile of the residuals that is returned. */
const QUANTILE = 0.75;

/**
 * How much the shading of a face changed between two frames, beyond a change of exposure and of light from one side: the
 * upper quartile over the places of the skin of |log ratio of brightness less the plane fitted to it| (least absolute
 * deviations). Light falls differently on each part of a head that turns; on a still picture it is fixed to the skin.
 * Means of 16 × 16 pixels have no noise.
 *
 * @returns 0 (no change) and more; about 0.03 for animated stills, 0.15 for heads; undefined with too few places
 */
function shadingChange(comparisons: readonly PatchComparison[]): number | undefined {
  const seen = comparisons.filter(({ brightness }) => brightness.every((b) => b > DARKEST && b < BRIGHTEST));
  const used = seen.length >= MIN_PLACES ? seen : comparisons;
  if (used.length < MIN_PLACES) return undefined;
  const ratios = used.map(({ brightness: [a, b] }) => Math.log((a + BLACK) / (b + BLACK)));
  const places = used.map(({ place }) => SKIN_PLACES[place]!);
  const plane = [places.map(() => 1), places.map(({ x }) => x), places.map(({ y }) => y)];
  let residuals = ratios;
  let weights = ratios.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    const fitted = combineColumns(plane, fitColumns(plane, ratios, weights));
    residuals = ratios.map((ratio, i) => Math.abs(ratio - fitted[i]!));
    const floor = Math.max(LEAST_RESIDUAL, quantile(residuals, 0.5));
    weights = residuals.map((residual) => 1 / Math.max(floor, residual));
  }
  return quantile(residuals, QUANTILE);
}

/** @param share 0…1 */
function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}

/**
 * Limits of two frames of one sitting. On `dev`, pairs of frames of one film, a second or more apart, have a correlation of
 * at least 0.90 and a change of shading of at most 0.13 (343 pairs), with other states of eyes and mouth of at least 0.91
 * and at most 0.18 (33 pairs). Other expressions (`yale`, 60 pairs) have at least 0.84, and up to 0.3.
 *
 * `oneFace`: inner product of templates from which the face says that it is one sitting: on `dev`, frontal frames of films
 * have at least 0.82 (25 pairs), pictures of one person on other occasions (`bbt`) 0.70 in the median, 11 of 39 pairs 0.75 or
 * more. Under hard local shadows on one of two frames of a film, 22 of 192 pairs fail the limits of the skin, 3 these too.
 * `paintedLight`: correlation of the skin without its light from which the light was painted on: new light shows another
 * relief. Animated stills that fail the limits of the skin have at least 0.88 (12 pairs with templates that alike).
 */
const SITTING = { minCorrelation: 0.8, maxShading: 0.2, oneFace: 0.75, paintedLight: 0.87 } as const;

/**
 * How much the skin of two frontal faces, analysed with `pose` and `skin`, differs; medians and quartiles over the places,
 * so that eyes and mouth may change. Frames of one sitting share light, skin and camera; pictures of several do not.
 * @returns undefined where a face is not frontal or too few places are seen
 */
export function sittingChange(a: FaceWithSkin, b: FaceWithSkin): SkinChange | undefined {
  return isFrontal(a) && isFrontal(b) ? skinChange(a, b) : undefined;
}

/**
 * Whether two frontal faces are of one sitting: their skin says so, or else the face does, unless the light was painted on.
 * @param templates inner product of their templates, −1…1
 * @param sameStates the expression was not requested to change: the shading counts as well
 */
export function isOneSitting(change: SkinChange, templates: number, sameStates: boolean): boolean {
  const shadingHolds = !sameStates || change.shading <= SITTING.maxShading;
  if (change.correlation >= SITTING.minCorrelation && shadingHolds) return true;
  return templates >= SITTING.oneFace && change.unlit < SITTING.paintedLight;
}
