import { expect, it } from 'vitest';
import { mirrorPoint } from './mean-face.ts';

it('pairs the corners of eyes and mouth, and leaves the middle of the face where it is', () => {
  const pairs = [
    [33, 263],
    [133, 362],
    [61, 291],
    [78, 308],
    [234, 454],
  ] as const;
  for (const [right, left] of pairs) expect([mirrorPoint(right), mirrorPoint(left)]).toEqual([left, right]);
  for (const middle of [1, 10, 13, 14, 152]) expect(mirrorPoint(middle)).toBe(middle);
});

it('is its own inverse', () => {
  for (let point = 0; point < 468; point++) expect(mirrorPoint(mirrorPoint(point))).toBe(point);
});
