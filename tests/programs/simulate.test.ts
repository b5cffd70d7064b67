import { expect, it } from 'vitest';
import { type Load, logNormal, seeded, simulate } from '../../lab/src/bench/simulate/fleet.ts';

/** Exponential service times: the case that has a formula. */
const load = (rate: number): Load => ({
  rate,
  service: (random) => -Math.log(1 - random()) * 10,
  databaseMs: 0,
});
const endless = Number.POSITIVE_INFINITY;

it('agrees with the formula for one core (M/M/1): half wait less than ln 2 ÷ (service − arrivals)', () => {
  const {
    p50,
    p99,
    utilisation: busy,
  } = simulate({ servers: 1, cores: 1, queue: endless }, load(50), 400_000, seeded(3));
  expect(p50 / (Math.LN2 * 20)).toBeCloseTo(1, 1);
  expect(p99 / (Math.log(100) * 20)).toBeCloseTo(1, 1);
  expect(busy).toBeCloseTo(0.5, 2);
});

it('distributes calls over servers, and refuses calls when the queue is full', () => {
  const two = simulate({ servers: 2, cores: 1, queue: endless }, load(100), 400_000, seeded(4));
  expect(two.p50 / (Math.LN2 * 20)).toBeCloseTo(1, 1);
  // M/M/1/2 at twice its capacity: a call finds both places taken with probability ρ²(1 − ρ)/(1 − ρ³) = 4/7.
  const full = simulate({ servers: 1, cores: 1, queue: 1 }, load(200), 400_000, seeded(5));
  expect(full.refused).toBeCloseTo(4 / 7, 2);
  // Cores of one server share a queue, so nobody waits while one is free (M/M/2 at half load waits 1/3 of the time).
  const shared = simulate({ servers: 1, cores: 2, queue: endless }, load(100), 400_000, seeded(6));
  expect(shared.p99).toBeLessThan(two.p99);
});

it('draws service times with the given mean', () => {
  const random = seeded(7);
  const draw = logNormal(40, 0.5);
  const drawn = Array.from({ length: 200_000 }, () => draw(random));
  const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  expect(mean).toBeGreaterThan(39);
  expect(mean).toBeLessThan(41);
});
