import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { anglesOf, type Cloud, fitRotation } from '../../imaging/geometry-3d.ts';
import type { Pose } from '../../types.ts';
import { type PiecewiseLinear, piecewiseLinear } from '../states/piecewise-linear.ts';
import type { Mesh } from './mesh.ts';

const bend = z
  .object({ from: z.array(z.number()).min(2), to: z.array(z.number()).min(2) })
  .refine(({ from, to }) => from.length === to.length, 'a bend needs as many ends as starts');

/** The mean face as `evaluation/src/training/train-mean-face.ts` writes it, with where it came from. */
const model: {
  readonly points: readonly number[];
  readonly yaw: PiecewiseLinear;
  readonly pitch: PiecewiseLinear;
} = z
  .object({ points: z.array(z.number()).length(468 * 3), yaw: bend, pitch: bend })
  .parse(JSON.parse(readFileSync(new URL('../../../data/mean-face.json', import.meta.url), 'utf8')));

/** x, y, z of 468 points of a face that looks straight ahead: y down, z away from the camera, half its width being 1. */
export const MEAN_FACE: readonly number[] = model.points;

/** Around the lips, in units of the mean face; what lies there moves with the mouth and would nod the head. */
const LIPS = { aside: 0.65, above: 0.45, below: 1.15 } as const;

/** For each coordinate of the mean face, whether it is of a point that keeps its place when the mouth moves. */
const steady: readonly boolean[] = model.points.map((_, i) => {
  const [x, y] = [model.points[i - (i % 3)]!, model.points[i - (i % 3) + 1]!];
  return Math.abs(x) > LIPS.aside || y < LIPS.above || y > LIPS.below;
});

/** Degrees by which one face is turned from another, before any correction; both as x, y, z of 468 points. */
export function relativePose(face: Cloud, seen: Cloud): Pose {
  const kept = (cloud: Cloud) => Float32Array.from(cloud).filter((_, i) => steady[i]);
  return anglesOf(fitRotation(kept(face), kept(seen)));
}

/**
 * Head angles, degrees: those of the rotation that takes a mean face looking straight ahead closest to the mesh, yaw and
 * pitch each corrected by a curve, as the mesh flattens strong turns.
 */
export function poseOf(mesh: Mesh): Pose {
  const { yaw, pitch, roll } = relativePose(model.points, mesh.points);
  return { yaw: piecewiseLinear(model.yaw, yaw), pitch: piecewiseLinear(model.pitch, pitch), roll };
}
