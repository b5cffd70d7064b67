import { type Affine, apply, around, scaleOf } from '../../imaging/geometry.ts';
import type { Detection } from '../detected.ts';
import { sigmoid } from '../maths.ts';
import type { DetectorDecoder } from './detection.ts';

const KEYPOINTS = 6;
const VALUES = 4 + 2 * KEYPOINTS;

/** The two grids of BlazeFace (Bazarevsky et al., 2019; back-camera variant): cell size in pixels, anchors per cell. */
const GRIDS = [
  { stride: 16, perCell: 2 },
  { stride: 32, perCell: 6 },
] as const;

/** Decodes the outputs of BlazeFace. */
export const decodeBlazeface: DetectorDecoder = (output, side, threshold, toPicture) => {
  const found: Detection[] = [];
  for (const grid of GRIDS) {
    const scores = output(`scores_${grid.stride}`);
    const values = output(`boxes_${grid.stride}`);
    for (let i = 0; i < scores.length; i++) {
      const score = sigmoid(scores[i]!);
      if (score >= threshold)
        found.push(decode(values, i, { ...grid, cells: side / grid.stride }, score, toPicture));
    }
  }
  return found;
};

function decode(
  values: Float32Array,
  index: number,
  { stride, perCell, cells }: (typeof GRIDS)[number] & { cells: number },
  score: number,
  toPicture: Affine,
): Detection {
  const cell = Math.floor(index / perCell);
  const anchorX = ((cell % cells) + 0.5) * stride;
  const anchorY = (Math.floor(cell / cells) + 0.5) * stride;
  const at = index * VALUES;
  const x = values[at]! + anchorX;
  const y = values[at + 1]! + anchorY;
  const halfX = values[at + 2]! / 2;
  const halfY = values[at + 3]! / 2;
  const corners = [
    { x: x - halfX, y: y - halfY },
    { x: x + halfX, y: y - halfY },
    { x: x + halfX, y: y + halfY },
    { x: x - halfX, y: y + halfY },
  ];
  const keypoints = Array.from({ length: KEYPOINTS }, (_, k) =>
    apply(toPicture, {
      x: values[at + 4 + 2 * k]! + anchorX,
      y: values[at + 5 + 2 * k]! + anchorY,
    }),
  );
  return {
    box: around(corners.map((corner) => apply(toPicture, corner))),
    side: Math.max(halfX, halfY) * 2 * scaleOf(toPicture),
    score,
    keypoints,
  };
}
