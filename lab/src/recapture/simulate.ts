import type { Box } from '@wajah/engine';
import type { RgbPixels } from '@wajah/engine/training';
import { blur, type Canvas, cut } from './canvas.ts';
import { develop, glare, light } from './light.ts';
import { asPrint, asScreen } from './media.ts';
import { boxInFrame } from './pose.ts';
import { type Random, seeded } from './random.ts';
import { behind, compose, emptyFrame, type Medium } from './scene.ts';

/** A simulated picture and the box of the face in it. */
export interface SimulatedPicture {
  readonly pixels: RgbPixels;
  readonly box: Box;
}

/** Longest side of simulated pictures, pixels. */
const FRAME = 560;

/**
 * Simulates a recapture of the picture on a screen, a print or a cut-out: colours, contrast and raster of the medium,
 * margins, rim and fingers, background, and the camera's blur, noise and compression. In a third of the pictures the
 * medium fills the frame.
 * @param back another picture, used as background
 */
export function recapture(
  pixels: RgbPixels,
  box: Box,
  medium: Medium,
  seed: string,
  back?: RgbPixels,
): SimulatedPicture {
  const random = seeded(`${medium} ${seed}`);
  const [frameWidth, frameHeight] = frameOf(random);
  const filled = medium !== 'cut-out' && random.chance(0.33);
  const part = section(pixels, box, filled ? 6 : random.between(1.5, 3.5), random);
  const [left, top, width, height] = part;
  const size = filled ? random.between(0.3, 0.6) : random.between(0.25, 0.55);
  const least = filled ? Math.max(frameWidth / width, frameHeight / height) * 0.9 : 0;
  const scale = Math.max(least, (size * Math.min(frameWidth, frameHeight)) / Math.max(box.width, box.height));
  const page = cut(
    pixels,
    part,
    Math.max(8, Math.round(width * scale)),
    Math.max(8, Math.round(height * scale)),
  );
  if (medium === 'screen') asScreen(page, random);
  else asPrint(page, random);
  const [w, h] = [Math.round(frameWidth), Math.round(frameHeight)];
  const frame = back ? behind(back, w, h, random) : emptyFrame(w, h, random);
  const face = scaled(box, scale, left, top);
  const pose = compose(frame, page, face, medium, random);
  finishLight(frame, medium, random);
  return { pixels: develop(frame, random), box: boxInFrame(pose, face) };
}

/** Width and height of a frame, mostly upright as phones are held. */
function frameOf(random: Random): [number, number] {
  return random.chance(0.7) ? [FRAME * random.between(0.5, 0.8), FRAME] : [FRAME, FRAME * 0.75];
}

function finishLight(frame: Canvas, medium: Medium, random: Random): void {
  light(frame, random, 0.25);
  if (random.chance(medium === 'screen' ? 0.5 : 0.25)) glare(frame, random);
  blur(frame, random.between(0.4, 1.4));
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

function scaled(box: Box, scale: number, left: number, top: number): Box {
  return {
    x: (box.x - left) * scale,
    y: (box.y - top) * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}
