import { around, centroid } from '../../imaging/geometry.ts';
import type { Box, Point } from '../../types.ts';
import { type Mesh, pointOf } from './mesh.ts';

/** Brows, temples and the line of the jaw down to the chin. */
const OUTLINE = [
  70, 63, 105, 66, 107, 336, 296, 334, 293, 300, 127, 234, 93, 132, 58, 172, 136, 150, 149, 176, 148, 152,
  377, 400, 378, 379, 365, 397, 288, 361, 323, 454, 356,
] as const;

/** Box around brows, temples and jaw, in the convention of most detectors; steadier than the detector's own. */
export function faceBox(mesh: Mesh): Box {
  return around(OUTLINE.map((index) => pointOf(mesh, index)));
}

/** Mesh points around each eye, at the left of the face as seen and at its right. */
const EYES = [
  [33, 133, 159, 145],
  [362, 263, 386, 374],
] as const;
const NOSE_TIP = 1;
const MOUTH_CORNERS = [61, 291] as const;

/** Centre of the right eye, of the left eye, nose tip, right and left corner of the mouth (the person's own sides). */
export function landmarksOf(mesh: Mesh): readonly [Point, Point, Point, Point, Point] {
  const eye = (indices: readonly number[]) => centroid(indices.map((index) => pointOf(mesh, index)));
  return [
    eye(EYES[0]),
    eye(EYES[1]),
    pointOf(mesh, NOSE_TIP),
    pointOf(mesh, MOUTH_CORNERS[0]),
    pointOf(mesh, MOUTH_CORNERS[1]),
  ];
}
