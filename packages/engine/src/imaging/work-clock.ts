import { EngineError } from '../errors.ts';

/** Limits the time that is spent on one picture. */
export interface WorkClock {
  /**
   * @throws EngineError `imageBroken` when the picture alone has taken more than it may; `deadline` when the time of its
   * call is over
   */
  check(): void;
  /** Milliseconds until `check` throws, 0 or more. */
  remaining(): number;
}

/**
 * Starts the clock when the work on a picture starts. A call that is late because it waited is to be repeated; a picture
 * that is too expensive by itself is not, so its own work is measured apart: the processor time of this process, and no
 * more than the time that has passed, as other threads may work meanwhile.
 * @param maxMs most milliseconds of work
 * @param deadline when the call ends, milliseconds since the epoch
 */
export function startWorkClock(maxMs: number, deadline: number): WorkClock {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const passed = () => performance.now() - startedAt;
  const worked = () => {
    const { user, system } = process.cpuUsage(cpuAtStart);
    return Math.min(passed(), (user + system) / 1000);
  };
  return {
    check() {
      // The system call takes longer than the clock.
      if (passed() >= maxMs && worked() >= maxMs) {
        throw new EngineError(
          'imageBroken',
          `The picture alone takes more than the ${maxMs} ms that one may take; send a smaller or simpler one, or ask for fewer faces.`,
        );
      }
      if (Date.now() >= deadline) throw new EngineError('deadline', 'The call was not done by its deadline.');
    },
    remaining: () => Math.max(0, Math.min(maxMs - worked(), deadline - Date.now())),
  };
}

/** A clock that never stops the work. */
export const noWorkLimit: WorkClock = { check: () => undefined, remaining: () => Number.POSITIVE_INFINITY };
