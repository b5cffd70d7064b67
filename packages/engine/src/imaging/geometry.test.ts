import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point } from '../types.ts';
import {
  type Affine,
  apply,
  compose,
  fitSimilarity,
  invert,
  mirrored,
  overlap,
  scaleOf,
  squareCrop,
} from './geometry.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const point = fc.record({ x: number(-2000, 2000), y: number(-2000, 2000) });
const similarity = fc
  .record({ angle: number(-3.14, 3.14), scale: number(0.01, 50), x: number(-500, 500), y: number(-500, 500) })
  .map(({ angle, scale, x, y }): Affine => {
    const a = Math.cos(angle) * scale;
    const c = Math.sin(angle) * scale;
    return { a, b: -c, tx: x, c, d: a, ty: y };
  });
const box = fc.record({
  x: number(-50, 50),
  y: number(-50, 50),
  width: number(0.1, 80),
  height: number(0.1, 80),
});

function close(p: Point, q: Point, by = 1e-6): void {
  const size = 1 + Math.hypot(p.x, p.y);
  expect(Math.hypot(p.x - q.x, p.y - q.y) / size).toBeLessThan(by);
}

describe('transforms', () => {
  it('an inverse brings every point back', () => {
    fc.assert(fc.property(similarity, point, (m, p) => close(apply(invert(m), apply(m, p)), p)));
  });

  it('a composition applies one after the other', () => {
    fc.assert(
      fc.property(similarity, similarity, point, (m, n, p) =>
        close(apply(compose(m, n), p), apply(m, apply(n, p))),
      ),
    );
  });

  it('a transform without an inverse is refused', () => {
    expect(() => invert({ a: 1, b: 1, tx: 0, c: 1, d: 1, ty: 0 })).toThrow(RangeError);
  });

  it('the similarity between moved points is found again', () => {
    const points = fc.array(point, { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(similarity, points, (m, from) => {
        fc.pre(from.some((p) => Math.hypot(p.x - from[0]!.x, p.y - from[0]!.y) > 1));
        const found = fitSimilarity(
          from,
          from.map((p) => apply(m, p)),
        );
        for (const p of from) close(apply(found, p), apply(m, p), 1e-5);
      }),
    );
  });

  it('points that are all the same fix no similarity', () => {
    const same = [
      { x: 3, y: 4 },
      { x: 3, y: 4 },
    ];
    expect(() => fitSimilarity(same, same)).toThrow(RangeError);
  });
});

describe('squareCrop', () => {
  it('has its middle at the centre and the wanted side, at any angle', () => {
    fc.assert(
      fc.property(
        point,
        number(1, 3000),
        number(-7, 7),
        fc.integer({ min: 8, max: 256 }),
        (centre, side, angle, size) => {
          const m = squareCrop(centre, side, angle, size);
          close(apply(m, { x: size / 2, y: size / 2 }), centre);
          expect(scaleOf(m) * size).toBeCloseTo(side, 6);
          const along = apply(m, { x: size, y: size / 2 });
          close(along, {
            x: centre.x + (Math.cos(angle) * side) / 2,
            y: centre.y + (Math.sin(angle) * side) / 2,
          });
        },
      ),
    );
  });

  it('in a mirror keeps its middle column and swaps its sides', () => {
    fc.assert(
      fc.property(similarity, number(0, 64), number(0, 64), (m, x, y) => {
        close(apply(mirrored(m, 64), { x, y }), apply(m, { x: 64 - x, y }));
      }),
    );
  });
});

describe('overlap', () => {
  it('is symmetric, within 0…1, and 1 of a box with itself', () => {
    fc.assert(
      fc.property(box, box, (p, q) => {
        expect(overlap(p, q)).toBe(overlap(q, p));
        expect(overlap(p, q)).toBeGreaterThanOrEqual(0);
        expect(overlap(p, q)).toBeLessThanOrEqual(1 + 1e-9);
        expect(overlap(p, p)).toBeCloseTo(1, 9);
      }),
    );
  });
});
