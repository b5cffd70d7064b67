import { dayMs, hourMs } from './time.ts';

/** A clock that is so far ahead of the last sweep is wrong, or no server ran for as long. */
export const jumpMs = 3 * dayMs;
/** How long nothing is erased by such a clock: time to set it. */
export const heldHours = 4;

/** Whether what is erased for good by its time may be erased now. */
export interface ClockJump {
  /** @returns null: it may; else the time of the last sweep */
  heldSince(): Promise<Date | null>;
  /** Records a sweep. */
  swept(): Promise<void>;
}

/** Stored value that holds the time of the last sweep, milliseconds since 1970. */
export const sweptAtName = 'swept_at';

/**
 * Holds erasures back after a jump of the clock, in this process and the next ones.
 * @param meta named values of the store
 * @param elapsed a clock that is never set, milliseconds
 */
export function createClockJump(
  meta: { get(name: string): Promise<string | null>; set(name: string, value: string): Promise<void> },
  elapsed = () => performance.now(),
): ClockJump {
  let seenAt: number | null = null;
  return {
    async heldSince() {
      const last = new Date(Number((await meta.get(sweptAtName)) ?? Date.now()));
      // What is no time, as somebody has changed it, is no jump.
      if (!(Date.now() - last.getTime() > jumpMs)) {
        seenAt = null;
        return null;
      }
      seenAt ??= elapsed();
      return elapsed() - seenAt < heldHours * hourMs ? last : null;
    },
    swept: () => meta.set(sweptAtName, String(Date.now())),
  };
}
