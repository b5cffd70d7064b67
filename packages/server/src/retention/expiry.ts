import { Gauge, type Registry } from 'prom-client';
import { textOf } from '../config/finding.ts';
import { clockAhead } from '../config/findings.ts';
import type { ClockJump } from '../lib/clock-jump.ts';
import { type PeriodicJob, type PeriodicLog, periodically } from '../lib/periodic.ts';
import { dayMs, minuteMs } from '../lib/time.ts';
import type { FaceEraser } from '../services/faces/ports.ts';
import type { PersonStore } from '../store/ports/people.ts';

const sweepMs = 10 * minuteMs;

/** How long before an erasure people are counted as expiring, days. */
const noticeDays = 30;
/** More are not counted. */
const maxCounted = 10_000;

interface ExpiryLog extends PeriodicLog {
  info(fields: object, message: string): void;
}

/**
 * Erases people whose retention or consent has ended, now and periodically, unless the clock has jumped. Says in a metric, and once a day in the
 * log, how many follow.
 */
export function startExpiry(
  eraser: Pick<FaceEraser, 'eraseExpired'>,
  store: Pick<PersonStore, 'expiring'>,
  registry: Registry,
  log: ExpiryLog,
  clock: ClockJump,
): PeriodicJob {
  const gauge = new Gauge({
    name: 'wajah_people_expiring',
    help: `People who will be erased within ${noticeDays} days, because their retention or consent ends`,
    registers: [registry],
  });
  let noticedAt = Number.NEGATIVE_INFINITY;
  let isHeld = false;
  const erase = async () => {
    const last = await clock.heldSince();
    if (last && !isHeld) log.warn({ event: 'erasures_held' }, textOf(clockAhead(last)));
    isHeld = last !== null;
    if (last) return;
    await eraser.eraseExpired();
    await clock.swept();
  };
  const sweep = async () => {
    await erase();
    const until = new Date(Date.now() + noticeDays * dayMs);
    const { length } = await store.expiring({ until, limit: maxCounted });
    gauge.set(length);
    if (length === 0 || Date.now() - noticedAt < dayMs) return;
    noticedAt = Date.now();
    const fields = { event: 'people_expiring', people: length, within_days: noticeDays };
    log.info(fields, 'people will be erased soon: wajah person expiring lists them');
  };
  return periodically(sweep, sweepMs, log, 'expired people were not erased');
}
