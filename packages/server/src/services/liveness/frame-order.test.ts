import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepsOf, type TimedFrame, timeProblem } from './frame-order.ts';

const frame = (step: string, second?: number): TimedFrame => ({
  step,
  capturedAt: second === undefined ? undefined : new Date(1e12 + second * 1000),
});
const steps = ['front', 'left', 'front', 'up', 'front'];

describe('stepsOf', () => {
  it('finds the step of each frame, however many a step has', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 5 }), (counts) => {
        const places = counts.flatMap((count, place) => Array<number>(count).fill(place));
        expect(
          stepsOf(
            places.map((place) => frame(steps[place]!)),
            steps,
          ),
        ).toEqual(places);
      }),
    );
  });

  it('finds none in any other order, with less, or with more', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('front', 'left', 'up'), { maxLength: 8 }), (names) => {
        const runs = names.filter((name, i) => name !== names[i - 1]);
        const found = stepsOf(
          names.map((name) => frame(name)),
          steps,
        );
        expect(found !== undefined).toBe(runs.join() === steps.join());
      }),
    );
    expect(stepsOf([], steps)).toBeUndefined();
  });
});

describe('timeProblem', () => {
  it('takes times that do not go back, and frames without one', () => {
    expect(timeProblem([frame('a', 0), frame('a'), frame('b', 0), frame('c', 9)], 9)).toBeUndefined();
    expect(timeProblem([frame('a'), frame('b')], 0)).toBeUndefined();
    expect(timeProblem([], 0)).toBeUndefined();
  });

  it('names the frame that was taken before an earlier one', () => {
    const times = [frame('a', 5), frame('b'), frame('c', 3.5)];
    expect(timeProblem(times, 60)).toBe('frames[2] was taken 1.5 s before frames[0]');
  });

  it('knows when more time is claimed than has passed', () => {
    expect(timeProblem([frame('a', 0), frame('b', 30)], 12.34)).toMatch(/over 30 s, .* opened 12\.3 s ago/);
  });
});
