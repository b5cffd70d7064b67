import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StepCheck } from './check-step.ts';
import { createStepHelp, type Guidance, HELP_AFTER } from './step-help.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is said about a frame, at once and when the step takes long. */
function said(check: StepCheck): [Guidance | undefined, Guidance | undefined] {
  const heard: Guidance[] = [];
  const help = createStepHelp({ guide: (guidance) => heard.push(guidance), demonstrate: () => undefined });
  help.update(check);
  const atOnce = heard.at(-1);
  vi.advanceTimersByTime(HELP_AFTER.sight);
  help.end();
  return [atOnce, heard.at(-1)];
}

describe('help with a step', () => {
  it.each<[string, Omit<StepCheck, 'seen'>, Guidance, Guidance]>([
    ['a step that is not begun', { sees: 'face front' }, {}, { sees: 'face front' }],
    [
      'a turn the other way',
      { hint: 'other-way', sees: 'face right' },
      { hint: 'other-way' },
      { sees: 'face right' },
    ],
    ['a turn within the margin', { hint: 'further' }, { hint: 'further' }, { hint: 'further' }],
    ['a face that is far', { hint: 'too-far' }, { hint: 'too-far' }, { hint: 'too-far' }],
    [
      'two faces in the dark',
      { hint: 'several-faces', warning: 'too-dark' },
      { hint: 'several-faces' },
      { hint: 'several-faces' },
    ],
    [
      'no face in the dark',
      { hint: 'no-face', warning: 'too-dark' },
      { hint: 'too-dark' },
      { hint: 'too-dark' },
    ],
    ['a dark face', { sees: 'eyes open', warning: 'too-dark' }, { hint: 'too-dark' }, { hint: 'too-dark' }],
    ['a mask below a lamp', { hint: 'masked', warning: 'glare' }, { hint: 'masked' }, { hint: 'masked' }],
    [
      'glasses that mirror',
      { sees: 'eyes open', warning: 'glare' },
      { hint: 'glare' },
      { sees: 'eyes open' },
    ],
  ])('%s', (_, check, atOnce, later) => {
    expect(said({ seen: false, ...check })).toEqual([atOnce, later]);
  });

  it('ends with the step', () => {
    const movement = vi.fn();
    const help = createStepHelp({ guide: () => undefined, demonstrate: movement });
    help.end();
    vi.advanceTimersByTime(2 * HELP_AFTER.movement);
    expect(movement).not.toHaveBeenCalled();
  });
});
