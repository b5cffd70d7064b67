import { type Affine, overlap } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Box, Point } from '../../types.ts';
import { infer, type Model } from '../model.ts';
import { decodeBlazeface } from './blazeface.ts';
import { decodeYunet } from './yunet.ts';

/** A face as the detector sees it, in pixels of the upright full-size picture. */
export interface Detection {
  /** Brow to chin, about ear to ear; axis-aligned in the picture. */
  readonly box: Box;
  /** Longer side of the detector's own box before it was turned into the picture, in picture pixels. */
  readonly side: number;
  /** 0…1 */
  readonly score: number;
  /** Eye at the left of the (level) face, eye at the right, nose tip, mouth; there may be more. */
  readonly keypoints: readonly Point[];
}

/** Side of a square view of the picture, in pixels; a detector that wants more looks at it more finely. */
export const VIEW = 256;

const NMS_OVERLAP = 0.3;

/**
 * Looks for faces in one square view of the picture.
 * @param toPicture maps the 256 × 256 pixels of the view to the picture
 */
export async function detect(detector: Model, from: Sampler, toPicture: Affine): Promise<Detection[]> {
  const { input, decoder, threshold: least = 0.5 } = detector.spec;
  const finer = scaled(toPicture, VIEW / input.width);
  const output = await infer(detector, [from.crop(finer, input.width, input.height)]);
  const decode = decoder === 'yunet' ? decodeYunet : decodeBlazeface;
  return suppress(decode(output, input.width, least, finer));
}

function scaled({ a, b, c, d, tx, ty }: Affine, by: number): Affine {
  return { a: a * by, b: b * by, c: c * by, d: d * by, tx, ty };
}

/** Keeps the best of boxes that overlap, best first. */
export function suppress(found: readonly Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const one of [...found].sort((p, q) => q.score - p.score)) {
    if (kept.every((other) => overlap(one.box, other.box) < NMS_OVERLAP)) kept.push(one);
  }
  return kept;
}
