import type { Parameter } from '@wajah/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignSteps, drawSteps, timeProblem } from './challenge.ts';

describe('drawSteps', () => {
  const isSideways = (step: string) => /left|right/.test(step);
  const isExpression = (step: string) => /eyes|mouth/.test(step);

  /** How often each order is drawn. */
  function drawMany(draws: number, count: number, expression: boolean): Map<string, number> {
    const orders = new Map<string, number>();
    for (let i = 0; i < draws; i++) {
      const steps = drawSteps(count, { expression });
      expect([steps[0], steps.at(-1), steps.length]).toEqual(['face front', 'face front', count + 2]);
      expect(steps.slice(1).every((step, at) => step !== steps[at])).toBe(true);
      expect(steps.some(isSideways)).toBe(true);
      expect(steps.some(isExpression)).toBe(expression);
      orders.set(steps.join(), (orders.get(steps.join()) ?? 0) + 1);
    }
    return orders;
  }

  it('every challenge has a turn to a side and an expression, every valid order is drawn evenly', () => {
    const orders = drawMany(1600, 2, true);
    // 2 × 2 pairs of a turn to a side and an expression, in 2 orders.
    expect(orders.size).toBe(8);
    for (const count of orders.values()) expect(Math.abs(count - 200)).toBeLessThan(90);
    // 6 × 5 × 5 orders, less 4 × 3 × 3 without either kind, and 2 without both counted twice.
    expect(drawMany(4000, 3, true).size).toBe(80);
    drawMany(200, 5, true);
  });

  it('without expressions draws turns alone', () => {
    // 4 × 3 orders, less up and down in 2 orders.
    expect(drawMany(1000, 2, false).size).toBe(10);
    expect(drawMany(2000, 3, false).size).toBe(34);
  });

  it('refuses to draw among actions that hold no challenge', () => {
    expect(() => drawSteps(2, { expression: false, among: ['face up', 'face down'] })).toThrow(/face up/);
    expect(() => drawSteps(2, { expression: true, among: ['face left', 'face up'] })).toThrow(/face left/);
  });
});

const frame = (step: string, second?: number) => ({
  step: step as Parameter,
  capturedAt: second === undefined ? undefined : new Date(1e12 + second * 1000).toISOString(),
});
const steps = ['front', 'left', 'front', 'up', 'front'];

describe('assignSteps', () => {
  it('returns the step of each frame, for any number of frames a step', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 5 }), (counts) => {
        const places = counts.flatMap((count, place) => Array<number>(count).fill(place));
        expect(
          assignSteps(
            places.map((place) => frame(steps[place]!)),
            steps,
          ),
        ).toEqual(places);
      }),
    );
  });

  it('returns undefined for another order, missing steps or further steps', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('front', 'left', 'up'), { maxLength: 8 }), (names) => {
        const runs = names.filter((name, i) => name !== names[i - 1]);
        const found = assignSteps(
          names.map((name) => frame(name)),
          steps,
        );
        expect(found !== undefined).toBe(runs.join() === steps.join());
      }),
    );
    expect(assignSteps([], steps)).toBeUndefined();
  });
});

describe('timeProblem', () => {
  it('accepts ascending times, and frames without a time', () => {
    expect(timeProblem([frame('a', 0), frame('a'), frame('b', 0), frame('c', 9)], 9)).toBeUndefined();
    expect(timeProblem([frame('a'), frame('b')], 0)).toBeUndefined();
    expect(timeProblem([], 0)).toBeUndefined();
  });

  it('names the frame that was taken before an earlier one', () => {
    const times = [frame('a', 5), frame('b'), frame('c', 3.5)];
    expect(timeProblem(times, 60)).toBe('frames[2] was taken 1.5 s before frames[0]');
  });

  it('refuses frames that span more time than has passed', () => {
    expect(timeProblem([frame('a', 0), frame('b', 30)], 12.34)).toMatch(/over 30 s, .* opened 12\.3 s ago/);
  });
});
