import type { Box, Point } from '../types.ts';

/** A face as the detector reports it, in pixels of the upright full-size picture. */
export interface Detection {
  /** Brow to chin, about ear to ear; axis-aligned in the picture. */
  readonly box: Box;
  /** Longer side of the box in the detector's view before rotation into the picture, in picture pixels. */
  readonly side: number;
  /** 0…1 */
  readonly score: number;
  /** Eye at the left of the (level) face, eye at the right, nose tip, mouth; perhaps more. */
  readonly keypoints: readonly Point[];
}
