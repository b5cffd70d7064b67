import { describe, expect, it } from 'vitest';
import { isSameMoment, nearestShape, replayedFrames, shapeQuery } from '../../series/same-frame.ts';
import { MEAN_FACE, mirrorPoint, POINTS } from './mean-face.ts';
import { mirroredShape, shapeOf } from './shape.ts';

/** A mesh near the mean face. @param place where a point of the face, and of the picture, lies */
function mesh(place: (x: number, y: number, i: number) => readonly [number, number]) {
  const points = Float32Array.from(MEAN_FACE);
  for (let i = 0; i < POINTS; i++) points.set(place(MEAN_FACE[3 * i]!, MEAN_FACE[3 * i + 1]!, i), 3 * i);
  return { points };
}

const someone = (x: number, y: number) =>
  [x + 0.05 * Math.sin(3 * y), y + 0.05 * Math.sin(2 * x + 1)] as const;
const distance = (a: Int16Array, b: Int16Array) => nearestShape(shapeQuery(a), b);

it('a shape stays when the picture is moved, turned, scaled or stretched', () => {
  const moved = mesh((x, y) => {
    const [u, v] = someone(x, y);
    return [400 + 90 * (0.98 * u - 0.17 * v), 300 + 80 * (0.17 * u + 0.98 * v)];
  });
  expect(distance(shapeOf(moved), shapeOf(mesh(someone)))).toBeLessThan(0.0002);
});

it('is found again when the picture is mirrored', () => {
  const own = mesh(someone);
  const points = new Float32Array(own.points.length);
  for (let i = 0; i < POINTS; i++) {
    const other = 3 * mirrorPoint(i);
    points.set([640 - 90 * own.points[other]!, 90 * own.points[other + 1]!], 3 * i);
  }
  const mirrored = shapeOf({ points });
  expect(distance(mirrored, shapeOf(own))).toBeLessThan(0.0002);
  expect(mirroredShape(mirroredShape(mirrored))).toEqual(mirrored);
  expect(isSameMoment(mirrored, shapeOf(own))).toBe(true);
});

it('is another one when points move: the nearest of several counts', () => {
  const own = shapeOf(mesh(someone));
  const speaking = shapeOf(mesh((x, y) => [x, y + (y > 0.6 ? 0.02 : 0)]));
  const gaping = shapeOf(mesh((x, y) => [x, y + (y > 0.6 ? 0.2 : 0)]));
  expect(distance(gaping, own)).toBe(Number.POSITIVE_INFINITY);
  expect(distance(speaking, shapeOf(mesh((x, y) => [x, y])))).toBeGreaterThan(0.004);
  expect(isSameMoment(speaking, shapeOf(mesh((x, y) => [x, y])))).toBe(false);
  expect(distance(own, Int16Array.of(...gaping, ...own, ...speaking))).toBe(0);
});

describe('frames of another session', () => {
  const far = Number.POSITIVE_INFINITY;

  it.each([
    ['one equal frame suffices, and is named', [0, far, 0.02, far], [true, false, false, false]],
    ['several that were changed a little', [0.004, 0.005, far, 0.012], [true, true, false, true]],
    ['all of them, warped', [0.009, 0.008, 0.0095, 0.015, 0.009], [true, true, true, false, true]],
  ])('%s', (_, distances, used) => {
    expect(replayedFrames(distances)).toEqual(used);
  });

  it.each([
    ['somebody else', [far, far, far, far]],
    ['somebody who looks into the camera as before and turns differently', [0.006, far, 0.025, far, 0.006]],
    ['other moments of the same person', [0.01, 0.015, 0.02, 0.018, 0.012]],
  ])('not of %s', (_, distances) => {
    expect(replayedFrames(distances)).toEqual(distances.map(() => false));
  });
});
