import sharp from 'sharp';
import type { RgbPixels } from '../../src/pad/crops.ts';
import { noiseAt, painted } from '../drawn/painted.ts';

const SIDE = 480;

/** Smooth shapes with some noise: flat and busy parts, as in pictures. 480 pixels wide and high. */
export const scene = painted(SIDE, SIDE, (x, y) => {
  const shapes = 60 * Math.sin(x / 37 + Math.sin(y / 53) * 2) + 40 * Math.cos(y / 29 - x / 71);
  return 128 + shapes + 10 * noiseAt(y * SIDE + x);
});

/** What is left of a picture saved as JPEG, after the first `cut` columns and rows were cut off. */
export async function saved(
  { data, width, height }: RgbPixels,
  quality: number,
  cut = 0,
): Promise<RgbPixels> {
  const raw = { width, height, channels: 3 } as const;
  const part = { left: cut, top: cut, width: width - cut, height: height - cut };
  const jpeg = await sharp(data, { raw }).extract(part).jpeg({ quality }).toBuffer();
  const out = await sharp(jpeg).raw().toBuffer();
  return { data: out, width: part.width, height: part.height };
}
