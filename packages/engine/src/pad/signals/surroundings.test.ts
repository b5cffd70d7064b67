import { describe, expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../../test/drawn/painted.ts';
import { signalOf } from '../../../test/support/signal-of.ts';
import type { Box } from '../../types.ts';
import { surroundings } from './surroundings.ts';

/** Deviation of a pixel and channel. */
type Noise = (x: number, y: number, channel: number) => number;

const SIDE = 420;
const box = boxAround(210, 230, 130);

/** A face of one colour in a wall of another, with noise that may differ between both. */
function faceBeforeWall(face: readonly number[], about: { faceNoise: Noise }) {
  const wall = [150, 150, 150];
  return painted(SIDE, SIDE, (x, y, c) => {
    const inFace = isInFace(x, y, box);
    return inFace ? face[c]! + about.faceNoise(x, y, c) : wall[c]! + noise(x, y);
  });
}

const isInFace = (x: number, y: number, { x: left, y: top, width, height }: Box) =>
  x >= left && x < left + width && y >= top - 0.5 * height && y < top + height;
const noise = (x: number, y: number) => 8 * noiseAt(y * SIDE + x);
const valuesOf = (face: readonly number[], faceNoise: Noise = noise) =>
  signalOf(surroundings, faceBeforeWall(face, { faceNoise }), box);
const SKIN = [190, 140, 120];

it('a face as bluish as what is around it has a larger cast than skin', async () => {
  const skin = await valuesOf(SKIN);
  const screen = await valuesOf([140, 150, 160]);
  expect(skin['cast']).toBeLessThan(-5);
  expect(screen['cast']).toBeGreaterThan(0);
});

it('the sharpness compares the face with its surroundings at the same resolution', async () => {
  const alike = await valuesOf(SKIN);
  const blurred = await valuesOf(SKIN, (x, y) => noise(x - (x % 4), y - (y % 4)));
  expect(alike['sharpness']).toBeCloseTo(0, 0);
  expect(blurred['sharpness']).toBeLessThan(alike['sharpness']! - 0.5);
});

it('coloured detail is detail that the luminance lacks', async () => {
  const cell = (x: number, y: number) => 30 * noiseAt(Math.floor(y / 8) * 97 + Math.floor(x / 8));
  const grey = await valuesOf(SKIN, cell);
  const blue = await valuesOf(SKIN, (x, y, c) => (c === 2 ? cell(x, y) : 0));
  expect(blue['coloured-detail']).toBeGreaterThan(grey['coloured-detail']! + 3);
});

describe('are unknown', () => {
  it('where the picture ends at the face', async () => {
    const pixels = painted(200, 220, (x, y, c) => SKIN[c]! + noise(x, y));
    const values = await signalOf(surroundings, pixels, boxAround(100, 130, 160));
    expect(Object.values(values).every(Number.isNaN)).toBe(true);
  });

  it('as to sharpness where no patch of full resolution fits', async () => {
    const values = await signalOf(
      surroundings,
      faceBeforeWall(SKIN, { faceNoise: noise }),
      boxAround(210, 230, 50),
    );
    expect(values['sharpness']).toBeNaN();
    expect(values['cast']).not.toBeNaN();
  });
});
