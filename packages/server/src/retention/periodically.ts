/** A job that runs periodically. */
export interface PeriodicJob {
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
  const run = async () => {
    try {
      await work();
    } catch (error) {
      log.warn({ reason: String(error) }, failed);
    }
    running = null;
  };
  const start = () => {
    running ??= run();
  };
  start();
  const timer = setInterval(start, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
