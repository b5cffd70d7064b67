import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { anglesOf, fitRotation } from '../geometry-3d.ts';
import type { Pose } from '../types.ts';
import type { Mesh } from './mesh.ts';

const line = z.object({ gain: z.number().positive(), shift: z.number() });

/** The mean face as `evaluation/src/train-mean-face.ts` writes it, with where it came from. */
const model = z
  .object({ points: z.array(z.number()).length(468 * 3), yaw: line, pitch: line })
  .parse(JSON.parse(readFileSync(new URL('../../data/mean-face.json', import.meta.url), 'utf8')));

/**
 * Head angles, degrees: the rotation that takes a mean face looking straight ahead closest to the mesh, with a
 * straight-line correction of yaw and pitch, as the mesh flattens strong turns.
 */
export function poseOf(mesh: Mesh): Pose {
  const { yaw, pitch, roll } = anglesOf(fitRotation(model.points, mesh.points));
  return {
    yaw: yaw * model.yaw.gain + model.yaw.shift,
    pitch: pitch * model.pitch.gain + model.pitch.shift,
    roll,
  };
}
