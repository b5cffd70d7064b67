/** A frame as it was sent. */
export interface TimedFrame {
  readonly step: string;
  readonly capturedAt: Date | undefined;
}

/**
 * Which step each frame belongs to. No two steps in a row are alike, so a change of the step's name is a new step.
 * @returns indices into `steps`, or undefined when the frames do not follow the steps
 */
export function stepsOf(frames: readonly TimedFrame[], steps: readonly string[]): number[] | undefined {
  let at = -1;
  const places: number[] = [];
  for (const [i, { step }] of frames.entries()) {
    if (i === 0 || step !== frames[i - 1]!.step) at++;
    if (steps[at] !== step) return undefined;
    places.push(at);
  }
  return at === steps.length - 1 ? places : undefined;
}

/**
 * What is wrong with the times that were sent, in a sentence. Only differences count: clocks of phones are not those
 * of servers.
 * @param seconds since the session was opened
 */
export function timeProblem(frames: readonly TimedFrame[], seconds: number): string | undefined {
  const times = frames.flatMap(({ capturedAt }, index) => (capturedAt ? { index, at: +capturedAt } : []));
  for (const [i, { index, at }] of times.entries()) {
    const before = times[i - 1];
    if (before && at < before.at) {
      return `frames[${index}] was taken ${(before.at - at) / 1000} s before frames[${before.index}]`;
    }
  }
  const [first, last] = [times[0], times.at(-1)];
  const span = first && last ? (last.at - first.at) / 1000 : 0;
  if (span <= seconds + tolerance) return undefined;
  return `the frames were taken over ${span} s, but the session was opened ${seconds.toFixed(1)} s ago`;
}

/** Clocks may run a little differently, seconds. */
const tolerance = 1;
