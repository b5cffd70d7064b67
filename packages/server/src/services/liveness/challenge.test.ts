import type { Parameter } from '@wajah/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignSteps, drawSteps, timeProblem } from './challenge.ts';

it('steps are drawn evenly: every action at every position, and no invalid order', () => {
  const orders = new Map<string, number>();
  for (let i = 0; i < 3600; i++) {
    const steps = drawSteps(2);
    expect([steps[0], steps[3]]).toEqual(['face front', 'face front']);
    expect(steps[1]).not.toBe(steps[2]);
    orders.set(steps.join(), (orders.get(steps.join()) ?? 0) + 1);
  }
  // 6 × 5 orders of two random steps, less the 4 × 3 in which the head does not turn to a side.
  expect(orders.size).toBe(18);
  for (const count of orders.values()) expect(Math.abs(count - 200)).toBeLessThan(90);
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
