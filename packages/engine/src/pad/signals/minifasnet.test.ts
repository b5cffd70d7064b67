import { describe, expect, it } from 'vitest';
import { detectorBox } from '../signal.ts';
import { grownInside } from './minifasnet.ts';

const picture = { width: 1000, height: 800 };

it('the box of the networks reaches above the brows', () => {
  const box = detectorBox({ x: 100, y: 200, width: 100, height: 100 });
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
