import { type Affine, apply, around, overlap } from '../geometry.ts';
import type { Sampler } from '../sampler.ts';
import type { Box, Point } from '../types.ts';
import { sigmoid } from './logistic.ts';
import { infer, type Model } from './model.ts';

/** A face as the detector sees it, in pixels of the upright full-size picture. */
export interface Detection {
  /** Brow to chin, about ear to ear; axis-aligned in the picture. */
  readonly box: Box;
  /** Longer side of the detector's own box before it was turned into the picture, in picture pixels. */
  readonly side: number;
  /** 0…1 */
  readonly score: number;
  /** Eye at the left of the (level) face, eye at the right, nose tip, mouth, ear, ear. */
  readonly keypoints: readonly Point[];
}

/** Side of the square view that the detector's grids are made for, in pixels. */
export const VIEW = 256;

const NMS_OVERLAP = 0.3;
const KEYPOINTS = 6;
const VALUES = 4 + 2 * KEYPOINTS;

/** The two grids of BlazeFace (Bazarevsky et al. 2019, back-camera variant): cell size and anchors a cell. */
const GRIDS = [
  { stride: 16, perCell: 2 },
  { stride: 32, perCell: 6 },
] as const;

/**
 * Looks for faces in one square view of the picture.
 * @param toPicture maps the 256 × 256 pixels of the view to the picture
 */
export async function detect(detector: Model, from: Sampler, toPicture: Affine): Promise<Detection[]> {
  const output = await infer(detector, [from.crop(toPicture, VIEW, VIEW)]);
  const least = detector.spec.threshold ?? 0.5;
  const found: Detection[] = [];
  for (const grid of GRIDS) {
    const scores = output(`scores_${grid.stride}`);
    const values = output(`boxes_${grid.stride}`);
    for (let i = 0; i < scores.length; i++) {
      const score = sigmoid(scores[i]!);
      if (score >= least) found.push(decode(values, i, grid, score, toPicture));
    }
  }
  return suppress(found);
}

function decode(
  values: Float32Array,
  index: number,
  grid: (typeof GRIDS)[number],
  score: number,
  toPicture: Affine,
): Detection {
  const cells = VIEW / grid.stride;
  const cell = Math.floor(index / grid.perCell);
  const anchorX = ((cell % cells) + 0.5) * grid.stride;
  const anchorY = (Math.floor(cell / cells) + 0.5) * grid.stride;
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
  const scale = Math.hypot(toPicture.a, toPicture.c);
  return {
    box: around(corners.map((corner) => apply(toPicture, corner))),
    side: Math.max(halfX, halfY) * 2 * scale,
    score,
    keypoints,
  };
}

/** Keeps the best of boxes that overlap, best first. */
export function suppress(found: readonly Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const one of [...found].sort((p, q) => q.score - p.score)) {
    if (kept.every((other) => overlap(one.box, other.box) < NMS_OVERLAP)) kept.push(one);
  }
  return kept;
}
