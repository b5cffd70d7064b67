import type { ImageLimits } from '@wajah/engine';
import type { Config } from '../../config/config.ts';

/** The limits of pictures as the engine takes them. */
export function imageLimits(limits: Config['limits']): ImageLimits {
  return {
    maxBytes: limits.imageBytes,
    maxPixels: limits.imagePixels,
    maxSide: limits.imageSide,
    maxScans: limits.imageScans,
    maxWork: limits.imageWork,
    maxMetadata: limits.imageMetadata,
    maxMs: limits.imageMs,
  };
}
