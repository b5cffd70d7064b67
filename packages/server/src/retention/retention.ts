import type { Config } from '../config/config.ts';
import type { ClockJump } from '../lib/clock-jump.ts';
import { type PeriodicJob, type PeriodicLog, periodically } from '../lib/periodic.ts';
import { dayMs, hourMs, minuteMs } from '../lib/time.ts';
import type { Matcher } from '../matching/ports.ts';
import { minutesKeptMs } from '../services/activity/activity.ts';
import { steps } from '../services/activity/activity-recorder.ts';
import type { AuditChain, GalleryStore, Store } from '../store/ports.ts';
import { frameHours } from '../store/session-store.ts';

/** How long delivered and given up events of webhooks are kept, days: their receivers may ask what happened. */
const webhookDays = 7;

/** Erases what is older than the settings allow, now and periodically. */
export function startRetention(
  stores: Pick<Store, 'audit' | 'activity' | 'sessions' | 'webhooks'>,
  chain: AuditChain,
  { auditDays, eventDays }: Pick<Config, 'auditDays' | 'eventDays'>,
  log: PeriodicLog,
  clock: Pick<ClockJump, 'heldSince'>,
): Pick<PeriodicJob, 'stop'> {
  const { audit, activity, sessions, webhooks } = stores;
  const pruneWebhooks = () => webhooks.prune(new Date(Date.now() - webhookDays * dayMs));
  const pruneAudit = async () => {
    if (await clock.heldSince()) return;
    const before = auditDays === 0 ? null : new Date(Date.now() - auditDays * dayMs);
    await audit.prune(before, chain);
  };
  const pruneActivity = () => {
    const now = Date.now();
    // With 0 days nothing is kept, not even the current time step.
    const before = new Date(eventDays === 0 ? now + dayMs : now - eventDays * dayMs);
    const minutes = new Date(Math.max(before.getTime(), now - minutesKeptMs));
    return activity.prune(
      [
        { seconds: steps.minute, before: minutes },
        { seconds: steps.hour, before },
      ],
      before,
    );
  };
  // A session is kept for an hour after it expired: a late submission is refused as expired, not as unknown.
  const pruneSessions = () => {
    const now = Date.now();
    const before = { sessions: new Date(now - hourMs), frames: new Date(now - frameHours * hourMs) };
    return sessions.prune(new Date(now), before);
  };
  const jobs = [
    periodically(pruneAudit, 6 * hourMs, log, 'old audit records were not removed'),
    periodically(pruneActivity, hourMs, log, 'old activity was not removed'),
    // Templates of sessions must not outlive their tokens by more than this interval.
    periodically(pruneSessions, minuteMs, log, 'old sessions were not removed'),
    periodically(pruneWebhooks, hourMs, log, 'old webhook events were not removed'),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/**
 * Frees the memory of galleries that another server erased. No call reaches them, but their templates would stay
 * until the memory is needed.
 */
export function evictErasedGalleries(
  matcher: Pick<Matcher, 'cachedGalleries' | 'evict'>,
  galleries: Pick<GalleryStore, 'findErased'>,
  log: PeriodicLog,
): PeriodicJob {
  const evict = async () => {
    const held = matcher.cachedGalleries();
    if (held.length === 0) return;
    for (const gallery of await galleries.findErased(held)) matcher.evict(gallery);
  };
  return periodically(evict, minuteMs, log, 'erased galleries were not evicted');
}
