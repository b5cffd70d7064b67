import type { SessionStore } from '../store/store.ts';
import { type PeriodicLog, periodically } from './periodically.ts';

const hourMs = 60 * 60 * 1000;
/** Templates must not outlive their tokens by more. */
const everyMs = 60 * 1000;

/**
 * Forgets liveness sessions: templates when their tokens are over, sessions an hour after they expired (until then
 * a late submission is told so), frames after `frameHours`. Now, and every minute.
 */
export function startSessionRetention(
  sessions: Pick<SessionStore, 'prune'>,
  { frameHours }: { readonly frameHours: number },
  log: PeriodicLog,
): { stop(): Promise<void> } {
  const forget = () => {
    const now = Date.now();
    const before = { sessions: new Date(now - hourMs), frames: new Date(now - frameHours * hourMs) };
    return sessions.prune(new Date(now), before);
  };
  return periodically(forget, everyMs, log, 'old sessions were not removed');
}
