import { expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../test/drawn/painted.ts';
import { squareCrop } from '../imaging/geometry.ts';
import { sampler } from '../imaging/sampler.ts';
import { INNER_SIDE, measureLight } from '../stages/quality.ts';
import type { Box } from '../types.ts';
import { unclearReasons } from './clarity.ts';
import type { RgbPixels } from './crops.ts';
import { padFace } from './networks.ts';

function reasonsOf(pixels: RgbPixels, box: Box, tight = false) {
  const { data, width, height } = pixels;
  const kept = { pixels: data, keptWidth: width, keptHeight: height, width, height, scale: 1 };
  const from = sampler(kept);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const toPicture = squareCrop(centre, box.width * 0.84, 0, INNER_SIDE);
  const inner = from.luminance(toPicture, INNER_SIDE, INNER_SIDE, 'edge');
  return unclearReasons(padFace(pixels.width, pixels, box), measureLight(inner), tight);
}

/** Soft stripes of some pixels a period, as the features of a face. */
const stripes = (period: number, middle = 120, depth = 100) =>
  painted(600, 600, (x, y) => middle + (depth / 2) * Math.sign(Math.sin((x + y / 3) / period)));
const face = boxAround(300, 330, 150);

it('a sharp face in even light with room around it is clear', () => {
  expect(reasonsOf(stripes(3), face)).toEqual([]);
});

it('names each fault of a capture', () => {
  expect(reasonsOf(stripes(3, 20, 20), face)).toEqual(['dark']);
  expect(reasonsOf(stripes(3), boxAround(300, 330, 50))).toContain('small');
  expect(reasonsOf(stripes(3), face, true)).toEqual(['tight']);
  const smooth = painted(600, 600, (x, y) => 120 + 50 * Math.sin((x + y / 3) / 60));
  expect(reasonsOf(smooth, face)).toEqual(['blurred']);
  const noisy = painted(600, 600, (x, y) => 120 + 60 * (noiseAt(y * 600 + x) - 0.5));
  expect(reasonsOf(noisy, face)).toEqual(['noisy']);
});
