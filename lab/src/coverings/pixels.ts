import type { Sharp } from 'sharp';

/** RGB, 8 bits each. */
export type Pixels = Awaited<ReturnType<typeof rgb>>;

export function rgb(image: Sharp) {
  return image.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
}

export function raw({ info: { width, height, channels } }: Pixels) {
  return { raw: { width, height, channels } };
}
