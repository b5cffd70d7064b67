import { expect, it } from 'vitest';
import { mapStatistics } from './map-statistics.ts';

it('gives the mean and the deviation of each channel', () => {
  const map = Float32Array.of(1, 10, 3, 10, 5, 10, 7, 10);
  expect([...mapStatistics(map, 2)]).toEqual([4, 10, expect.closeTo(Math.sqrt(5), 6), 0]);
});
