import type { Step } from '../transport/protocol.ts';
import type { Hint, StepCheck } from './check-step.ts';

/** Milliseconds of a step after which the person is told what is seen, and shown the movement. */
export const HELP_AFTER = { sight: 5000, movement: 12_000 } as const;

/** What a person is told about a step that is not detected. */
export interface Guidance {
  /** What is in the way; said at once. */
  readonly hint?: Hint;
  /** What the face does instead of the step; said after a while. */
  readonly sees?: Step;
}

export interface HelpListener {
  guide(guidance: Guidance): void;
  /** The movement of the step should be shown. */
  demonstrate(): void;
}

/** Hints about the movement itself, which what is seen replaces. */
const MOVEMENT: ReadonlySet<Hint> = new Set(['other-way', 'further', 'straight']);

/** Help with one step, more of it the longer the step takes. */
export function createStepHelp(listener: HelpListener) {
  let latest: StepCheck | undefined;
  let late = false;
  const show = () => listener.guide(guidanceOf(latest, late));
  const timers = [
    setTimeout(() => {
      late = true;
      show();
    }, HELP_AFTER.sight),
    setTimeout(() => listener.demonstrate(), HELP_AFTER.movement),
  ];
  return {
    /** @param check of the latest frame; undefined when nothing is known */
    update(check: StepCheck | undefined) {
      latest = check;
      show();
    },
    /** Whether the step takes so long that a frame in bad light is taken as well. */
    isLate: () => late,
    end() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** What a person is told about a frame: what is in the way, before light that may be bad. @param late whether the step takes long */
export function guidanceOf(check: StepCheck | undefined, late: boolean): Guidance {
  if (!check) return {};
  const { hint, sees, warning } = check;
  const inTheWay = hint !== undefined && !MOVEMENT.has(hint);
  // A face is often not found because it is dark.
  const unlit = warning !== undefined && warning !== 'glare';
  if (unlit && (!inTheWay || hint === 'no-face')) return { hint: warning };
  if (inTheWay) return { hint };
  if (warning !== undefined && !late) return { hint: warning };
  if (late && sees !== undefined) return { sees };
  return hint === undefined ? {} : { hint };
}
