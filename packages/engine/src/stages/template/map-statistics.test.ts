import { expect, it } from 'vitest';
import { mapStatistics } from './template.ts';

it('gives mean and deviation of each channel in the upper four rows and in the others', () => {
  // 7 × 7 places of two channels: the first is the number of the row, the second is 1 on the left.
  const map = Float32Array.from({ length: 98 }, (_, i) =>
    i % 2 === 0 ? Math.floor(i / 14) : Number(Math.floor(i / 2) % 7 === 0),
  );
  const left = Math.sqrt(1 / 7 - 1 / 49);
  const expected = [1.5, 1 / 7, Math.sqrt(1.25), left, 5, 1 / 7, Math.sqrt(2 / 3), left];
  expect([...mapStatistics(map, 2)]).toEqual(expected.map((value) => expect.closeTo(value, 6)));
});
