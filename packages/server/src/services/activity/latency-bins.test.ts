import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latencyBin, latencyBins, percentiles } from './latency-bins.ts';

function counted(latencies: readonly number[]): number[] {
  const counts = Array.from({ length: latencyBins }, () => 0);
  for (const ms of latencies) counts[latencyBin(ms)]! += 1;
  return counts;
}

it('a percentile is exact to one bin', () => {
  const latencies = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1), (given, share) => {
      const sorted = given.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
      const found = percentiles(counted(given), [share])[0]!;
      expect(found / exact).toBeGreaterThan(0.83);
      expect(found / exact).toBeLessThan(1.2);
    }),
  );
});

it('percentiles are monotonic, and null without latencies', () => {
  const counts = counted([0, 3, 3, 40, 900, 1e9]);
  const found = percentiles(counts, [0, 0.2, 0.5, 0.9, 1]) as number[];
  expect(found).toHaveLength(5);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(percentiles(counted([]), [0.5])[0]).toBeNull();
});
