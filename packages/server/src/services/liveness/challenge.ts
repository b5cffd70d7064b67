import { randomInt } from 'node:crypto';
import type { Parameter, RequestOf } from '@wajah/contract';

const sideways: readonly Parameter[] = ['face left', 'face right'];
const turns: readonly Parameter[] = [...sideways, 'face up', 'face down'];
const expressions: readonly Parameter[] = ['eyes closed', 'mouth open'];

/** How a challenge is drawn. */
export interface Drawing {
  /** Whether expressions are asked for. */
  readonly expression: boolean;
  /** The actions to draw among, at least two; default: all. */
  readonly among?: readonly Parameter[];
  /** An integer below `count`; default: of a cryptographic source. */
  readonly random?: (count: number) => number;
}

/**
 * Draws the steps of a challenge: the front, `count` random actions, the front again. No two successive steps are equal.
 * At least one action turns the head to a side, because a turning head shows that it is not flat, and its eyes that it is
 * not a still; at least one is an expression, because a mask has none. Eyes open and mouth closed are left out, because
 * every face shows them.
 * @param count at least 1, with expressions 2
 */
export function drawSteps(
  count: number,
  { expression, among, random = (below) => randomInt(below) }: Drawing,
): Parameter[] {
  const all = expression ? [...turns, ...expressions] : turns;
  const actions = among ? all.filter((action) => among.includes(action)) : all;
  const required = expression ? [sideways, expressions] : [sideways];
  if (!required.every((kind) => actions.some((action) => kind.includes(action)))) {
    throw new Error(`no challenge can be drawn among ${actions.join(', ')}`);
  }
  for (;;) {
    const drawn: Parameter[] = ['face front'];
    while (drawn.length <= count) {
      const others = actions.filter((action) => action !== drawn.at(-1));
      drawn.push(others[random(others.length)]!);
    }
    const has = (kind: readonly Parameter[]) => drawn.some((step) => kind.includes(step));
    if (required.every(has)) return [...drawn, 'face front'];
  }
}

/** The state that a parameter of a batch or a step of a session requires. */
export function requiredState(
  parameter: Parameter,
): Pick<RequestOf<'verifyLiveness'>['faceParameters'], 'angle' | 'eyes' | 'mouth'> {
  switch (parameter) {
    case 'eyes open':
      return { eyes: 'open' };
    case 'eyes closed':
      return { eyes: 'closed' };
    case 'mouth open':
      return { mouth: 'open' };
    case 'mouth closed':
      return { mouth: 'closed' };
    default:
      return { angle: parameter };
  }
}

/** Step and time of a submitted frame. */
type TimedFrame = Pick<RequestOf<'submitLivenessSession'>['frames'][number], 'step' | 'capturedAt'>;

/**
 * Assigns each frame to a step. Successive steps differ, so a change of the name starts the next step.
 * @returns indices into `steps`, or undefined when the frames do not follow the steps
 */
export function assignSteps(frames: readonly TimedFrame[], steps: readonly string[]): number[] | undefined {
  let at = -1;
  const places: number[] = [];
  for (const [i, { step }] of frames.entries()) {
    if (i === 0 || step !== frames[i - 1]!.step) at++;
    if (steps[at] !== step) return undefined;
    places.push(at);
  }
  return at === steps.length - 1 ? places : undefined;
}

/** Tolerated difference in speed of two clocks over a session, seconds. */
const clockTolerance = 1;

/**
 * Checks the times of the frames against each other; the client's clock may differ from the server's.
 * @param seconds since the session was opened
 * @returns what is wrong, in a sentence
 */
export function timeProblem(frames: readonly TimedFrame[], seconds: number): string | undefined {
  const times = frames.flatMap(({ capturedAt }, index) =>
    capturedAt === undefined ? [] : { index, at: Date.parse(capturedAt) },
  );
  for (const [i, { index, at }] of times.entries()) {
    const before = times[i - 1];
    if (before && at < before.at) {
      return `frames[${index}] was taken ${(before.at - at) / 1000} s before frames[${before.index}]`;
    }
  }
  const [first, last] = [times[0], times.at(-1)];
  const span = first && last ? (last.at - first.at) / 1000 : 0;
  if (span <= seconds + clockTolerance) return undefined;
  return `the frames were taken over ${span} s, but the session was opened ${seconds.toFixed(1)} s ago`;
}
