/** A job that runs periodically. */
export interface PeriodicJob {
  /** Runs it now, unless it is running. */
  run(): void;
  /** Stops the job, after the current run has ended. */
  stop(): Promise<void>;
}

/** Receives a line when a run fails; the job runs again at its next time. */
export interface PeriodicLog {
  warn(fields: object, message: string): void;
}

/**
 * Runs `work` now and every `everyMs` milliseconds, one run at a time.
 * @param failed message of the log when a run fails
 */
export function periodically(
  work: () => Promise<unknown>,
  everyMs: number,
  log: PeriodicLog,
  failed: string,
): PeriodicJob {
  let running: Promise<void> | null = null;
  let stopped = false;
  const once = async () => {
    try {
      await work();
    } catch (error) {
      log.warn({ reason: String(error) }, failed);
    }
    running = null;
  };
  const run = () => {
    if (!stopped) running ??= once();
  };
  run();
  const timer = setInterval(run, everyMs).unref();
  return {
    run,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * @param freshMs milliseconds
 * @returns `measure`, whose last result is used again for that time
 */
export function onceIn<T>(measure: () => Promise<T>, freshMs = 1000): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > freshMs) last = { at: now, value: measure() };
    return last.value;
  };
}

/** Does the work when it is first asked for, and once. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  return onceIn(work, Number.POSITIVE_INFINITY);
}
