import type { Eyes, Pose } from '../types.ts';

/** A face of one frame, analysed with `pose`, `eyes` and `gaze`. */
export interface FaceWithGaze {
  readonly pose?: Pose;
  readonly eyes?: Eyes;
  readonly gaze?: number;
}

/** Least turn to a side, degrees, at which the irises are compared; larger turns than `most` count as that one. */
const TURN = { least: 12, most: 40 } as const;
/** Turn that a movement of the irises is given for, degrees. */
const UNIT = 20;

/**
 * Movement of the irises against the turn of the head, share of the eye's width at 20°; median and spread on `dev`.
 * Animated stills (7 kinds, 14 people): −0.012. People who keep looking at the camera: 0.08 (films of 4 people). Other
 * people look where they turn to, or elsewhere: anything between −0.2 and 0.2 (webcam frames, `bbt`).
 */
const FIXED = { middle: -0.012, spread: 0.03 } as const;
const LOOKING = { middle: 0.08, spread: 0.03 } as const;
const ELSEWHERE = 1 / 0.4;
/** Density of gross errors of the iris model. */
const ERRORS = 0.2;
const LIMITS = { least: -3, most: 2 } as const;

/**
 * Whether the irises are fixed in the eyes while the head turns to a side, as in an animated still: a person's eyes keep to
 * what they look at (vestibulo-ocular reflex), or lead the head.
 * @returns log likelihood ratio, −3 (they moved) … 2 (fixed); undefined without a turn to a side, or with a closed eye
 */
export function fixedGaze(a: FaceWithGaze, b: FaceWithGaze): number | undefined {
  if (!a.pose || !b.pose || a.gaze === undefined || b.gaze === undefined) return undefined;
  if (!hasOpenEyes(a) || !hasOpenEyes(b)) return undefined;
  const [turn, tilt] = [b.pose.yaw - a.pose.yaw, b.pose.pitch - a.pose.pitch];
  if (Math.abs(turn) < TURN.least || Math.abs(turn) < Math.abs(tilt)) return undefined;
  const against = (-(b.gaze - a.gaze) * Math.sign(turn) * UNIT) / Math.min(TURN.most, Math.abs(turn));
  const person = (density(against, LOOKING) + ELSEWHERE) / 2;
  const odds = Math.log((density(against, FIXED) + ERRORS) / person);
  return Math.max(LIMITS.least, Math.min(LIMITS.most, odds));
}

function hasOpenEyes({ eyes }: FaceWithGaze): boolean {
  return eyes?.left.state === 'open' && eyes.right.state === 'open';
}

/** Density of the normal distribution. */
function density(value: number, { middle, spread }: { middle: number; spread: number }): number {
  return Math.exp(-(((value - middle) / spread) ** 2) / 2) / (spread * Math.sqrt(2 * Math.PI));
}
