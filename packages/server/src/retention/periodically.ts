/** What this says to whom: that the work failed. It is tried again at its next time. */
export interface PeriodicLog {
  warn(fields: object, message: string): void;
}

/**
 * Does something now and every `everyMs` milliseconds, never twice at once.
 * @param failed what the log says when it fails
 * @returns `stop` ends it, once what runs is done
 */
export function periodically(
  work: () => Promise<unknown>,
  everyMs: number,
  log: PeriodicLog,
  failed: string,
): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const once = async () => {
    try {
      await work();
    } catch (error) {
      log.warn({ reason: String(error) }, failed);
    }
    running = null;
  };
  const begin = () => {
    running ??= once();
  };
  begin();
  const timer = setInterval(begin, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
