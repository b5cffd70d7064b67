import { expect, it } from 'vitest';
import { octaves } from './surroundings.ts';

const SIDE = 64;
const wave = (period: number) =>
  Float32Array.from(
    { length: SIDE * SIDE },
    (_, i) => 128 + 20 * Math.sin((2 * Math.PI * (i % SIDE)) / period),
  );

it('a plane without detail has none', () => {
  expect(octaves(new Float32Array(SIDE * SIDE).fill(90), SIDE, 3)).toEqual([
    expect.closeTo(0, 6),
    expect.closeTo(0, 6),
    expect.closeTo(0, 6),
  ]);
});

it('detail is in the octave of its size', () => {
  const [fine, middle] = octaves(wave(3), SIDE, 2);
  expect(fine!).toBeGreaterThan(10 * middle!);
  const [coarseFine, coarseMiddle] = octaves(wave(12), SIDE, 2);
  expect(coarseMiddle!).toBeGreaterThan(coarseFine!);
});
