import { expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../../test/drawn/painted.ts';
import { sharedPack } from '../../../test/support/shared-engine.ts';
import { sampler } from '../../imaging/sampler.ts';
import type { Box } from '../../types.ts';
import { createPadFace, type RgbPixels } from '../signal.ts';
import { scene } from './scene.ts';

const pack = await sharedPack();

async function valuesOf(pixels: RgbPixels, box: Box): Promise<Float32Array> {
  const { data, width, height } = pixels;
  const picture = { pixels: data, keptWidth: width, keptHeight: height, width, height, scale: 1 } as const;
  const from = sampler(picture);
  const values = await scene.measure(createPadFace(pack.models, from, pixels, box));
  return Float32Array.from(values);
}

/** A room with its origin at (left, top) of the picture. */
const room = (left: number, top: number) => (x: number, y: number, channel: number) =>
  120 + 60 * Math.sin((x - left) / 23 + channel) + 40 * Math.cos((y - top) / 31) + 9 * noiseAt(channel);

it('has a finite mean and deviation for each channel, also of a box that sticks out', async () => {
  const pixels = painted(300, 200, room(0, 0));
  for (const box of [boxAround(150, 100, 60), boxAround(0, 0, 90), boxAround(500, 500, 10)]) {
    const values = await valuesOf(pixels, box);
    expect(values).toHaveLength(scene.values.length);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(Math.max(...values)).toBeGreaterThan(0);
  }
});

it('depends neither on the format of the picture nor on the place of the face in it', async () => {
  const square = await valuesOf(painted(320, 320, room(0, 0)), boxAround(160, 160, 80));
  const landscape = await valuesOf(painted(640, 400, room(200, 50)), boxAround(360, 210, 80));
  const portrait = await valuesOf(painted(336, 700, room(8, 300)), boxAround(168, 460, 80));
  expect(distance(square, landscape)).toBeLessThan(1e-4);
  expect(distance(square, portrait)).toBeLessThan(1e-4);
});

it('covers the whole shorter side where the face is large, and the rim of a screen there', async () => {
  const face = boxAround(160, 160, 200);
  const bare = await valuesOf(painted(320, 480, room(0, 0)), face);
  const rim = painted(320, 480, (x, y, c) => (Math.abs(x - 160) > 140 ? 10 : room(0, 0)(x, y, c)));
  expect(distance(bare, await valuesOf(rim, face))).toBeGreaterThan(0.5);
});

const distance = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
