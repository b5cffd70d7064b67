import type { Box } from '@wajah/engine';
import type { RgbPixels } from '@wajah/engine/training';
import { blur, cut } from './canvas.ts';
import { develop, glare, light } from './light.ts';
import { asScreen } from './media.ts';
import { type Random, seeded } from './random.ts';
import { compose, emptyFrame } from './scene.ts';

/** Longest side of simulated pictures, pixels. */
const FRAME = 560;

/**
 * Simulates a picture shown on a screen and taken with its surroundings: colours, contrast and raster of the screen, bars,
 * rim and fingers, and the camera's blur, noise and compression. In a third of the pictures the screen fills the frame.
 * @param box of the face
 */
export function recapture(pixels: RgbPixels, box: Box, seed: string): RgbPixels {
  const random = seeded(`screen ${seed}`);
  const [frameWidth, frameHeight] = frameOf(random);
  const filled = random.chance(0.33);
  const part = section(pixels, box, filled ? 6 : random.between(1.5, 3.5), random);
  const [left, top, width, height] = part;
  const size = filled ? random.between(0.3, 0.6) : random.between(0.25, 0.55);
  const least = filled ? Math.max(frameWidth / width, frameHeight / height) * 0.9 : 0;
  const scale = Math.max(least, (size * Math.min(frameWidth, frameHeight)) / Math.max(box.width, box.height));
  const side = (length: number) => Math.max(8, Math.round(length * scale));
  const page = cut(pixels, part, side(width), side(height));
  asScreen(page, random);
  const frame = emptyFrame(Math.round(frameWidth), Math.round(frameHeight), random);
  const middle = (start: number, length: number) => start * scale + (length * scale) / 2;
  compose(frame, page, [middle(box.x - left, box.width), middle(box.y - top, box.height)], random);
  light(frame, random, 0.25);
  if (random.chance(0.5)) glare(frame, random);
  blur(frame, random.between(0.4, 1.4));
  return develop(frame, random);
}

/** Width and height of a frame, mostly upright as phones are held. */
function frameOf(random: Random): [number, number] {
  return random.chance(0.7) ? [FRAME * random.between(0.5, 0.8), FRAME] : [FRAME, FRAME * 0.75];
}

/** Random part of a picture about `times` as wide as the face: left, top, width, height. */
function section(
  pixels: RgbPixels,
  box: Box,
  times: number,
  random: Random,
): [number, number, number, number] {
  const side = Math.max(box.width, box.height) * times;
  const width = Math.min(pixels.width, side);
  const height = Math.min(pixels.height, side * random.between(0.9, 1.7));
  const inside = (start: number, length: number, limit: number) =>
    Math.max(0, Math.min(limit - length, start));
  const left = inside(box.x + box.width / 2 - width * random.between(0.4, 0.6), width, pixels.width);
  const top = inside(box.y + box.height / 2 - height * random.between(0.35, 0.55), height, pixels.height);
  return [left, top, width, height];
}
