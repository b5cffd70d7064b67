import type { SessionStore } from './store/store.ts';

const hourMs = 60 * 60 * 1000;
/** Templates must not outlive their tokens by more. */
const everyMs = 60 * 1000;

/** What this says to whom: that forgetting failed. It is tried again a minute later. */
interface Log {
  warn(fields: object, message: string): void;
}

/**
 * Forgets liveness sessions: templates when their tokens are over, sessions an hour after they expired (until then
 * a late submission is told so), frames after `frameHours`. Now, and every minute.
 * @returns `stop` ends it, once what runs is done
 */
export function keepSessionsShort(
  sessions: Pick<SessionStore, 'forget'>,
  { frameHours }: { readonly frameHours: number },
  log: Log,
): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const forget = () => {
    const now = Date.now();
    const before = { sessions: new Date(now - hourMs), frames: new Date(now - frameHours * hourMs) };
    running = sessions
      .forget(new Date(now), before)
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'old sessions were not removed'));
  };
  forget();
  const timer = setInterval(forget, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
