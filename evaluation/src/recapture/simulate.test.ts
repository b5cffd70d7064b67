import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds } from '../../../packages/server/test/support/long.ts';
import { recapture, simulateFramedBonaFide } from './simulate.ts';

/** Size of a picture, of a face over its shorter side, and where the face is between its edges. */
const pictured = fc.record({
  width: fc.integer({ min: 120, max: 500 }),
  height: fc.integer({ min: 120, max: 500 }),
  share: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
  seed: fc.string(),
});

it('frames a bona fide picture like a recapture, with the face in it', () => {
  fc.assert(
    fc.property(pictured, ({ width, height, share, x, y, seed }) => {
      const side = share * Math.min(width, height);
      const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => (i * 7) & 255);
      const box = { x: x * (width - side), y: y * (height - side), width: side, height: side };
      const { pixels: picture, box: face } = simulateFramedBonaFide({ data, width, height }, box, seed);
      const ratio = picture.width / picture.height;
      expect(Math.max(picture.width, picture.height)).toBe(560);
      expect(ratio > 0.49 && (ratio < 0.81 || Math.abs(ratio - 4 / 3) < 0.01)).toBe(true);
      const middle = { x: face.x + face.width / 2, y: face.y + face.height / 2 };
      expect(middle.x > 0 && middle.x < picture.width).toBe(true);
      expect(middle.y > 0 && middle.y < picture.height).toBe(true);
      expect(face.width / Math.min(picture.width, picture.height)).toBeGreaterThan(0.24);
    }),
    { numRuns: rounds(5, 50) },
  );
});

it('is deterministic by picture and seed', () => {
  const data = Uint8Array.from({ length: 3 * 200 * 150 }, (_, i) => (i * 11) & 255);
  const pixels = { data, width: 200, height: 150 };
  const box = { x: 60, y: 40, width: 50, height: 60 };
  for (const make of [
    (seed: string) => simulateFramedBonaFide(pixels, box, seed),
    (seed: string) => recapture(pixels, box, 'screen', seed),
  ]) {
    const [first, again, other] = [make('a'), make('a'), make('b')];
    const bytes = ({ pixels: { data } }: typeof first) => Buffer.from(data);
    expect(again.box).toEqual(first.box);
    expect(bytes(again).equals(bytes(first))).toBe(true);
    expect(bytes(other).equals(bytes(first))).toBe(false);
  }
});
