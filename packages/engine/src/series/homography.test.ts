import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point } from '../types.ts';
import { fitHomography, type Homography, project } from './homography.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const around = (middle: number, by: number) => number(middle - by, middle + by);

/** A view of a plane that a camera can have: no mirror, the horizon well away from the unit square. */
const view: fc.Arbitrary<Homography> = fc.tuple(
  around(1, 0.4),
  around(0, 0.3),
  around(0, 500),
  around(0, 0.3),
  around(1, 0.4),
  around(0, 500),
  around(0, 0.3),
  around(0, 0.3),
);

const GRID: Point[] = Array.from({ length: 25 }, (_, i) => ({ x: (i % 5) / 4, y: Math.floor(i / 5) / 4 }));

describe('fitHomography', () => {
  it('recovers the homography of projected points', () => {
    fc.assert(
      fc.property(view, (h) => {
        const seen = GRID.map((p) => project(h, p));
        const map = fitHomography(GRID, seen);
        for (const [i, p] of GRID.entries()) {
          expect(map(p).x).toBeCloseTo(seen[i]!.x, 5);
          expect(map(p).y).toBeCloseTo(seen[i]!.y, 5);
        }
      }),
    );
  });

  it('leaves a residual where the points are not flat', () => {
    const bulged = GRID.map(({ x, y }) => ({
      x: x + 0.3 * Math.exp(-20 * Math.hypot(x - 0.5, y - 0.5) ** 2),
      y,
    }));
    const map = fitHomography(GRID, bulged);
    const left = Math.max(
      ...GRID.map((p, i) => Math.hypot(map(p).x - bulged[i]!.x, map(p).y - bulged[i]!.y)),
    );
    expect(left).toBeGreaterThan(0.1);
  });

  it('refuses points that determine none: too few, on one line, or all the same', () => {
    const line = GRID.map(({ x }) => ({ x, y: 2 * x }));
    for (const points of [GRID.slice(0, 3), line, GRID.map(() => ({ x: 1, y: 1 }))]) {
      expect(() => fitHomography(points, points)).toThrow(RangeError);
    }
  });
});
