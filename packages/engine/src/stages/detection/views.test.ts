import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Affine, apply, invert } from '../../imaging/geometry.ts';
import type { Point } from '../../types.ts';
import { tileViews, VIEW, wholeView } from './views.ts';

const length = fc.integer({ min: 1, max: 20_000 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

function shows(view: Affine, p: Point): boolean {
  const { x, y } = apply(invert(view), p);
  const by = 1e-6 * VIEW;
  return x >= -by && y >= -by && x <= VIEW + by && y <= VIEW + by;
}

describe('views', () => {
  it('the whole view shows every point, at any quarter turn and from any distance', () => {
    fc.assert(
      fc.property(
        length,
        length,
        share,
        share,
        fc.integer({ min: 0, max: 3 }),
        (width, height, x, y, turns) => {
          const p = { x: x * width, y: y * height };
          expect(shows(wholeView({ width, height }, 1, turns), p)).toBe(true);
          expect(shows(wholeView({ width, height }, 1.8), p)).toBe(true);
        },
      ),
    );
  });

  it('every point of a picture is in a tile', () => {
    fc.assert(
      fc.property(length, length, share, share, (width, height, x, y) => {
        const p = { x: x * width, y: y * height };
        expect(tileViews({ width, height }).some((view) => shows(view, p))).toBe(true);
      }),
    );
  });

  it('tiles are smaller than the picture and few, however long it is', () => {
    fc.assert(
      fc.property(length, length, (width, height) => {
        const tiles = tileViews({ width, height });
        expect(tiles.length).toBeLessThanOrEqual(30);
        // A tile has a pixel at least.
        fc.pre(Math.max(width, height) > 1);
        for (const tile of tiles) expect(tile.a * VIEW).toBeLessThan(Math.max(width, height));
      }),
    );
  });

  it('a face of a third of the shorter side, wherever it is, lies wholly in one tile', () => {
    fc.assert(
      fc.property(share, share, (x, y) => {
        const [width, height, half] = [1600, 1200, 150];
        const middle = { x: half + x * (width - 2 * half), y: half + y * (height - 2 * half) };
        const corners = [-half, half].flatMap((dx) =>
          [-half, half].map((dy) => ({ x: middle.x + dx, y: middle.y + dy })),
        );
        expect(
          tileViews({ width, height }).some((view) => corners.every((corner) => shows(view, corner))),
        ).toBe(true);
      }),
    );
  });
});
