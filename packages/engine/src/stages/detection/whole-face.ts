import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Point } from '../../types.ts';

const POINTS = 468;

/**
 * Where each point of the mesh lies in a mean face, in the frame of dlib's five-point face chip (fractions of its side
 * before padding). Over all points the errors of single ones even out, which five points do not.
 */
export const wholeFace: readonly Point[] = z
  .object({ points: z.array(z.number()).length(POINTS * 2) })
  .transform(({ points }) =>
    Array.from({ length: POINTS }, (_, i) => ({ x: points[2 * i]!, y: points[2 * i + 1]! })),
  )
  .parse(JSON.parse(readFileSync(new URL('../../../data/whole-face.json', import.meta.url), 'utf8')));
