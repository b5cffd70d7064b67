import { expect, it } from 'vitest';
import { drawSteps } from './challenge.ts';

it('are drawn evenly: every ask at every place, and no order that cannot be', () => {
  const orders = new Map<string, number>();
  for (let i = 0; i < 5600; i++) {
    const steps = drawSteps(2);
    expect([steps[0], steps[3]]).toEqual(['face front', 'face front']);
    expect(steps[1]).not.toBe(steps[2]);
    orders.set(steps.join(), (orders.get(steps.join()) ?? 0) + 1);
  }
  // 6 × 5 orders of two asks, less the two in which the head does not turn.
  expect(orders.size).toBe(28);
  for (const count of orders.values()) expect(Math.abs(count - 200)).toBeLessThan(90);
});
