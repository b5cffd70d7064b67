import type { AuditStore } from './store/store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 6 * 60 * 60 * 1000;

/** What this says to whom: that pruning failed. It is tried again later. */
interface Log {
  warn(fields: object, message: string): void;
}

/**
 * Forgets audit records that are older than they are to be kept: now, and while the server runs.
 * @param days 0: none is ever forgotten
 * @returns `stop` ends it, once what runs is done
 */
export function keepAuditShort(audit: AuditStore, days: number, log: Log): { stop(): Promise<void> } {
  if (days === 0) return { stop: async () => {} };
  let running = Promise.resolve();
  const prune = () => {
    running = audit.prune(new Date(Date.now() - days * dayMs)).then(
      () => {},
      (error: unknown) => log.warn({ reason: String(error) }, 'old audit records were not removed'),
    );
  };
  prune();
  const timer = setInterval(prune, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
