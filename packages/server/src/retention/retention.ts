import type { Config } from '../config/config.ts';
import type { ClockJump } from '../lib/clock-jump.ts';
import { type PeriodicJob, type PeriodicLog, periodically } from '../lib/periodic.ts';
import { dayMs, hourMs, keptSince, minuteMs } from '../lib/time.ts';
import type { Matcher } from '../matching/ports.ts';
import type { AuditChain } from '../store/ports/audit.ts';
import type { GalleryStore } from '../store/ports/galleries.ts';
import type { Store } from '../store/ports/store.ts';
import { frameHours } from '../store/session-store.ts';

/** Erases what is older than the settings allow, now and periodically. */
export function startRetention(
  stores: Pick<Store, 'audit' | 'scores' | 'sessions' | 'damage'>,
  chain: AuditChain,
  { auditDays, eventDays }: Pick<Config, 'auditDays' | 'eventDays'>,
  log: PeriodicLog,
  clock: Pick<ClockJump, 'heldSince'>,
): Pick<PeriodicJob, 'stop'> {
  const { audit, scores, sessions, damage } = stores;
  const pruneAudit = async () => {
    if (await clock.heldSince()) return;
    const before = auditDays === 0 ? null : new Date(Date.now() - auditDays * dayMs);
    await audit.prune(before, chain);
  };
  // A session is kept for an hour after it expired: a late submission is refused as expired, not as unknown.
  const pruneSessions = () => {
    const now = Date.now();
    const before = { sessions: new Date(now - hourMs), frames: new Date(now - frameHours * hourMs) };
    return sessions.prune(new Date(now), before);
  };
  const jobs = [
    periodically(pruneAudit, 6 * hourMs, log, 'old audit records were not removed'),
    periodically(
      () => scores.prune(keptSince(eventDays)),
      hourMs,
      log,
      'old counts of scores were not removed',
    ),
    // Templates of sessions must not outlive their tokens by more than this interval.
    periodically(pruneSessions, minuteMs, log, 'old sessions were not removed'),
    periodically(damage.heal, hourMs, log, 'the people of galleries were not counted'),
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
