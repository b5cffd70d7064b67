import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { anglesOf, fitRotation } from '../geometry-3d.ts';
import type { Pose } from '../types.ts';
import { type Bend, bent } from './bend.ts';
import type { Mesh } from './mesh.ts';

const bend = z
  .object({ from: z.array(z.number()).min(2), to: z.array(z.number()).min(2) })
  .refine(({ from, to }) => from.length === to.length, 'a bend needs as many ends as starts');

/** The mean face as `evaluation/src/train-mean-face.ts` writes it, with where it came from. */
const model: { readonly points: readonly number[]; readonly yaw: Bend; readonly pitch: Bend } = z
  .object({ points: z.array(z.number()).length(468 * 3), yaw: bend, pitch: bend })
  .parse(JSON.parse(readFileSync(new URL('../../data/mean-face.json', import.meta.url), 'utf8')));

/** x, y, z of 468 points of a face that looks straight ahead: y down, z away from the camera, half its width being 1. */
export const MEAN_FACE: readonly number[] = model.points;

/**
 * Head angles, degrees: those of the rotation that takes a mean face looking straight ahead closest to the mesh, yaw and
 * pitch each corrected by a curve, as the mesh flattens strong turns.
 */
export function poseOf(mesh: Mesh): Pose {
  const { yaw, pitch, roll } = anglesOf(fitRotation(model.points, mesh.points));
  return { yaw: bent(model.yaw, yaw), pitch: bent(model.pitch, pitch), roll };
}
