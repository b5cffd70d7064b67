import { type Affine, apply, around, distance, middle, scaleOf } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Model } from '../../runtime/model.ts';
import type { Point } from '../../types.ts';
import type { Detection } from '../detected.ts';
import { inferViews } from '../infer.ts';
import { sigmoid } from '../maths.ts';
import { type DetectorDecoder, suppress } from './detection.ts';
import { VIEW } from './views.ts';

/**
 * Runs the detector on one square view of the picture.
 * @param toPicture maps the 256 × 256 pixels of the view to the picture
 * @param threshold least score of a detection, 0…1
 */
export async function detect(
  detector: Model,
  from: Sampler,
  toPicture: Affine,
  threshold: number = detector.spec.threshold ?? 0.5,
): Promise<Detection[]> {
  const { input, decoder } = detector.spec;
  const finer = scaled(toPicture, VIEW / input.width);
  const output = await inferViews(detector, from, [finer]);
  const decode = decoder === 'yunet' ? decodeYunet : decodeBlazeface;
  return suppress(decode(output, input.width, threshold, finer));
}

function scaled({ a, b, c, d, tx, ty }: Affine, by: number): Affine {
  return { a: a * by, b: b * by, c: c * by, d: d * by, tx, ty };
}

const KEYPOINTS = 6;
const VALUES = 4 + 2 * KEYPOINTS;

/** The two grids of BlazeFace (Bazarevsky et al., 2019; back-camera variant): cell size in pixels, anchors per cell. */
const GRIDS = [
  { stride: 16, perCell: 2 },
  { stride: 32, perCell: 6 },
] as const;

/** Decodes the outputs of BlazeFace. */
const decodeBlazeface: DetectorDecoder = (output, side, threshold, toPicture) => {
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

/** Cell sizes of YuNet's grids (Wu et al., 2023), pixels. */
const STRIDES = [8, 16, 32] as const;

/**
 * Decodes the outputs of YuNet: for each cell a score √(class × object), a box, and five points relative to the cell
 * (eyes, nose tip, corners of the mouth, from the left of the picture). `side` is a multiple of 32.
 */
export const decodeYunet: DetectorDecoder = (output, side, threshold, toPicture) => {
  const found: Detection[] = [];
  for (const stride of STRIDES) {
    const classes = output(`cls_${stride}`);
    const objects = output(`obj_${stride}`);
    const points = output(`kps_${stride}`);
    const cells = side / stride;
    for (let i = 0; i < classes.length; i++) {
      const score = Math.sqrt(clamp(classes[i]!) * clamp(objects[i]!));
      if (score < threshold) continue;
      const [column, row] = [i % cells, Math.floor(i / cells)];
      const at = (k: number): Point => ({
        x: (points[i * 10 + 2 * k]! + column) * stride,
        y: (points[i * 10 + 2 * k + 1]! + row) * stride,
      });
      const [right, left, nose, mouth] = [at(0), at(1), at(2), middle(at(3), at(4))];
      found.push(
        detectionOf(
          [right, left, nose, mouth].map((point) => apply(toPicture, point)),
          score,
        ),
      );
    }
  }
  return found;
};

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/**
 * @NOTE box
 * YuNet's box reaches from the hairline to the chin. The mesh was trained on boxes of the built-in detector, which
 * begin at the brow, so the box is computed from the points: MIDDLE is its centre as a share of the way from the mouth
 * to the eyes, SIDE its side over the longer of eye distance and eye–mouth distance. Medians over 254 `dev` pictures in
 * which both detectors found the face; nine of ten sides are within 10 % of it.
 */
const MIDDLE = 0.446;
const SIDE = 2.27;

/** @param keypoints eye, eye, nose tip, mouth; pixels of the picture */
function detectionOf(keypoints: readonly Point[], score: number): Detection {
  const [right, left, , mouth] = keypoints as [Point, Point, Point, Point];
  const eyes = middle(right, left);
  const side = SIDE * Math.max(distance(right, left), distance(eyes, mouth));
  const x = mouth.x + (eyes.x - mouth.x) * MIDDLE - side / 2;
  const y = mouth.y + (eyes.y - mouth.y) * MIDDLE - side / 2;
  return { box: { x, y, width: side, height: side }, side, score, keypoints };
}
