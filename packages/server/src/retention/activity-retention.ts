import { minutesKeptMs } from '../services/activity/activity.ts';
import { steps } from '../services/activity/activity-recorder.ts';
import type { ActivityStore } from '../store/activity-store.ts';
import { type PeriodicLog, periodically } from './periodically.ts';

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 60 * 60 * 1000;

/**
 * Forgets what was called longer ago than it is to be kept: now, and while the server runs.
 * @param days 0: all of it
 */
export function startActivityRetention(
  activity: Pick<ActivityStore, 'prune'>,
  days: number,
  log: PeriodicLog,
): { stop(): Promise<void> } {
  const prune = () => {
    const [now, kept] = [Date.now(), days * dayMs];
    // With 0 days nothing is left, not even the step of time that has begun.
    const before = new Date(days === 0 ? now + dayMs : now - kept);
    const minutes = new Date(Math.max(before.getTime(), now - minutesKeptMs));
    return activity.prune(
      [
        { seconds: steps.minute, before: minutes },
        { seconds: steps.hour, before },
      ],
      before,
    );
  };
  return periodically(prune, everyMs, log, 'old activity was not removed');
}
