import type { PictureLight, Region } from './frame.ts';

/** Pixels of a region that is measured. */
const SIDE = 48;
const WHOLE: Region = { x: 0, y: 0, width: 1, height: 1 };
/** Eyes within a face box from brow to chin. */
const EYES: Region = { x: 0.08, y: 0.08, width: 0.84, height: 0.3 };
/** From this value of its darkest channel on, 0 to 255, a pixel is overexposed. */
const OVEREXPOSED = 245;

/** Measures the light of a face in a picture of `width` × `height` pixels. */
export function measureLight(
  source: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
  face: Region | undefined,
): PictureLight {
  const pixels = pixelsOf(source, size, face ?? WHOLE);
  return {
    brightness: mean(pixels, (at) => luminance(pixels, at) / 255),
    glare: face ? glareOf(pixelsOf(source, size, within(face, EYES))) : 0,
  };
}

function glareOf(pixels: Uint8ClampedArray): number {
  const darkest = (at: number) => Math.min(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
  return mean(pixels, (at) => (darkest(at) >= OVEREXPOSED ? 1 : 0));
}

/** ITU-R BT.601, 0 to 255. */
function luminance(pixels: Uint8ClampedArray, at: number): number {
  return 0.299 * pixels[at]! + 0.587 * pixels[at + 1]! + 0.114 * pixels[at + 2]!;
}

/** @param of the value of the pixel that begins at an index */
function mean(pixels: Uint8ClampedArray, of: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 4) sum += of(at);
  return (4 * sum) / pixels.length;
}

function within(outer: Region, inner: Region): Region {
  return {
    x: outer.x + inner.x * outer.width,
    y: outer.y + inner.y * outer.height,
    width: inner.width * outer.width,
    height: inner.height * outer.height,
  };
}

/** RGBA of a region, scaled down, without what lies beyond the picture. */
function pixelsOf(
  source: CanvasImageSource,
  { width, height }: { readonly width: number; readonly height: number },
  region: Region,
): Uint8ClampedArray {
  const [left, top] = [Math.max(0, region.x), Math.max(0, region.y)];
  const [right, bottom] = [Math.min(1, region.x + region.width), Math.min(1, region.y + region.height)];
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser has no canvas context');
  const part = [left * width, top * height, (right - left) * width, (bottom - top) * height] as const;
  context.drawImage(source, ...part, 0, 0, SIDE, SIDE);
  return context.getImageData(0, 0, SIDE, SIDE).data;
}
