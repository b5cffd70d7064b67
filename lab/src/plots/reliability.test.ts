import { expect, it } from 'vitest';
import { binsOf, calibrationError, type JudgedState, reliabilityPlot } from './reliability.ts';

const judged = (score: number, right: number, count: number): JudgedState[] =>
  Array.from({ length: count }, (_, i) => ({ score, right: i < right }));

it('sorts judgements into steps, the surest included', () => {
  const steps = binsOf([...judged(0.6, 6, 10), ...judged(1, 4, 4), ...judged(0.99, 1, 1)]);
  expect(steps).toEqual([
    { reported: expect.closeTo(0.6, 6), right: 6, count: 10 },
    { reported: expect.closeTo(0.998, 6), right: 5, count: 5 },
  ]);
});

it('is zero where the claimed share is right, and large where none is', () => {
  expect(calibrationError([...judged(0.6, 6, 10), ...judged(0.9, 9, 10)])).toBeCloseTo(0, 9);
  expect(calibrationError(judged(0.9, 0, 10))).toBeCloseTo(0.9, 9);
});

it('draws intervals without names, and omits values that are not finite', () => {
  const svg = reliabilityPlot('t', { eyes: judged(0.97, 9, 10), mouth: [] });
  expect(svg).toContain('eyes (10)');
  expect(svg).toContain('perfect calibration');
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});
