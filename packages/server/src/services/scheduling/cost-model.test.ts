import { expect, it } from 'vitest';
import { CostModel } from './cost-model.ts';

/** A model of work that has taken 100 ms so far. */
function steady(): CostModel {
  const costs = new CostModel();
  for (let call = 0; call < 30; call++) costs.add('verify', 100);
  return costs;
}

it('a stall of the machine changes hardly what is expected', () => {
  const costs = steady();
  costs.add('verify', 10_000);
  expect(costs.expected('verify')).toBeLessThan(120);
  expect(costs.cautious('verify')).toBeLessThan(150);
});

it('work that has become slower or faster is expected to take so long after some ten calls', () => {
  const costs = steady();
  for (let call = 0; call < 12; call++) costs.add('verify', 500);
  expect(costs.cautious('verify')).toBeGreaterThan(500);
  for (let call = 0; call < 12; call++) costs.add('verify', 100);
  expect(costs.expected('verify')).toBeLessThan(250);
});

it('work that was never measured is expected to take as long as all work', () => {
  expect(steady().expected('identify')).toBe(100);
  expect(new CostModel().expected('verify')).toBe(100);
});
