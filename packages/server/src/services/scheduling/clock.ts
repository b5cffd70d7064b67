/** Time, for measurements that run faster than it. */
export interface Clock {
  /** Milliseconds from any origin; never goes back. */
  now(): number;
  /** Calls `action` after so many milliseconds. @returns cancels it */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
