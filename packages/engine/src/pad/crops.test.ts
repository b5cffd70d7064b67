import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../test/drawn/painted.ts';
import { bilinearCrop, filteredCrop, grownInside, headBox, nativeLuminance, squareAround } from './crops.ts';

it('native luminance repeats the edge outside', () => {
  const pixels = painted(64, 64, (x, y) => x + y);
  const view = nativeLuminance(pixels, boxAround(0, 0, 10), 32);
  expect(view[0]!).toBeCloseTo(pixels.data[0]!, 3);
  expect(view[31 * 32 + 31]!).toBeCloseTo(pixels.data[(15 * 64 + 15) * 3]!, 3);
});

describe('a bilinear crop', () => {
  const box = { x: 10, y: 20, width: 40, height: 40 };

  it('interpolates between the pixels on either side', () => {
    const ramp = painted(64, 64, (x) => 2 * x);
    const { data } = bilinearCrop(ramp, box, 80, 80);
    // The second sample lies at 10 + 1.5 / 2 − 0.5.
    expect(data[1]).toBeCloseTo(2 * 10.25, 4);
    expect(data[40 * 80 + 41]).toBeCloseTo(2 * 30.25, 4);
  });

  it('keeps the alias of a raster that it shrinks, as in the training of the networks', () => {
    const checks = painted(640, 640, (x) => (x % 8 < 4 ? 0 : 200));
    const { data } = bilinearCrop(checks, { x: 0, y: 0, width: 640, height: 640 }, 80, 80);
    expect(new Set(data).size).toBe(1);
    expect([0, 200, 100]).toContain(data[0]);
    const shifted = bilinearCrop(checks, { x: 2, y: 0, width: 600, height: 600 }, 80, 80).data;
    expect(Math.max(...shifted) - Math.min(...shifted)).toBe(200);
  });

  it('stays inside of the box', () => {
    const half = painted(64, 64, (x) => (x < 10 || x >= 50 ? 255 : 0));
    expect(Math.max(...bilinearCrop(half, box, 80, 80).data)).toBe(0);
  });
});

describe('a filtered crop', () => {
  const noise = painted(200, 160, (x, y, c) => 128 + 100 * noiseAt(x + 200 * y + 32000 * c));

  it('is the mean of what each pixel covers, at any ratio', () => {
    fc.assert(
      fc.property(fc.integer({ min: 128, max: 150 }), fc.nat(9), fc.nat(9), (side, x, y) => {
        const { data } = filteredCrop(noise, { x, y, side }, 16, 'black');
        for (let channel = 0; channel < 3; channel++) {
          const own = data.subarray(channel * 256, (channel + 1) * 256);
          let sum = 0;
          for (let row = y; row < y + side; row++)
            for (let column = x; column < x + side; column++)
              sum += noise.data[(row * 200 + column) * 3 + channel]!;
          expect(own.reduce((all, value) => all + value, 0) / 256).toBeCloseTo(sum / side ** 2, 3);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is black or mirrored beyond the picture', () => {
    const ramp = painted(64, 64, (x, y) => 2 * x + y + 1);
    const square = { x: -16, y: -8, side: 64 };
    const black = filteredCrop(ramp, square, 64, 'black').data;
    expect([...black.subarray(0, 8 * 64 + 16)]).toEqual(new Array(8 * 64 + 16).fill(0));
    expect(black[8 * 64 + 16]).toBe(1);
    expect(black[9 * 64 + 17]).toBe(4);
    const mirrored = filteredCrop(ramp, square, 64, 'mirrored').data;
    expect(mirrored[0]).toBe(2 * 16 + 8 + 1);
    expect(mirrored[8 * 64 + 15]).toBe(2 + 1);
    expect(mirrored[9 * 64 + 17]).toBe(4);
  });

  it('is bilinear where it grows', () => {
    const ramp = painted(64, 64, (x) => 3 * x);
    const { data } = filteredCrop(ramp, { x: 10, y: 10, side: 32 }, 64, 'black');
    expect(data[21]).toBeCloseTo(3 * (10 + 21.5 / 2 - 0.5), 4);
  });

  it('exists for any picture and box', () => {
    const side = fc.integer({ min: 1, max: 90 });
    const at = fc.double({ min: -200, max: 200, noNaN: true });
    const length = fc.double({ min: 0, max: 300, noNaN: true });
    fc.assert(
      fc.property(side, side, at, at, length, length, (width, height, x, y, w, h) => {
        const pixels = painted(width, height, (px, py, channel) => (px * 31 + py * 17 + channel) & 255);
        const square = squareAround(headBox({ x, y, width: w, height: h }), 1.5);
        for (const beyond of ['black', 'mirrored'] as const) {
          const { data } = filteredCrop(pixels, square, 8, beyond);
          expect(data.every((value) => value >= 0 && value <= 255.001)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

const picture = { width: 1000, height: 800 };

it('the box of the networks reaches above the brows', () => {
  const box = headBox({ x: 100, y: 200, width: 100, height: 100 });
  expect(box.x).toBeCloseTo(95, 9);
  expect(box.y).toBeCloseTo(154, 9);
  expect([box.width, box.height]).toEqual([expect.closeTo(110, 9), expect.closeTo(132, 9)]);
});

describe('a grown box', () => {
  it('keeps its centre where there is room', () => {
    const box = grownInside(picture, { x: 450, y: 350, width: 100, height: 100 }, 2.7);
    expect(box).toEqual({ x: 365, y: 265, width: 270, height: 270 });
  });

  it('is shifted into the picture', () => {
    const box = grownInside(picture, { x: 0, y: 700, width: 100, height: 100 }, 4);
    expect(box).toEqual({ x: 0, y: 400, width: 400, height: 400 });
  });

  it('grows no further than the picture, in its own shape', () => {
    const box = grownInside(picture, { x: 100, y: 100, width: 400, height: 400 }, 4);
    expect(box.width).toBeCloseTo(799, 9);
    expect(box.height).toBeCloseTo(799, 9);
    expect(box.y).toBeGreaterThanOrEqual(0);
  });
});
