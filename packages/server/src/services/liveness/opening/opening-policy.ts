import { sessionSteps } from '@wajah/contract';
import type { Config } from '../../../config/config.ts';
import { Refusal } from '../../../errors.ts';
import { minuteMs } from '../../../lib/time.ts';
import type { EarlierSession, LivenessSessionRecord } from '../../../store/session-store.ts';

/** The settings that limit the opening of sessions. */
export type OpeningLimits = Pick<
  Config['sessions'],
  'seconds' | 'minSteps' | 'failures' | 'pauseMinutes' | 'open'
>;

/** What a repeated request must agree in to get the same session again. */
export interface Binding extends Pick<LivenessSessionRecord, 'galleryId' | 'userId'> {
  /** Whether the session shows lights. */
  readonly light: boolean;
}

/**
 * What create-session does:
 * - `again`: answers an open session of the subject
 * - `same steps`: opens a session with the steps and the deadline of the open one, which is bound to another user, or
 *   shows lights where the other one does not
 * - `new`: opens a session with `steps`, or draws `count` of them
 */
export type Opening =
  | { readonly kind: 'again'; readonly session: EarlierSession }
  | { readonly kind: 'same steps'; readonly session: EarlierSession }
  | { readonly kind: 'new'; readonly count: number; readonly steps?: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Failures older than this are forgotten; sessions are kept longer. */
const failureWindowMs = 60 * minuteMs;
/** Sessions without a subject are counted over this time. */
const clientWindowMs = 10 * minuteMs;
/** The first and the last step. */
const frontalSteps = 2;
/** Open sessions of one subject, for different users. */
const maxOpenOfSubject = 3;
/** Sessions without a subject that may stay unanswered before challenges get longer, and for each further step. */
const unansweredForStep = 10;

/** The earlier sessions that `openingFor` needs. */
export function historyWindow(hasSubject: boolean, now: Date, { open, failures }: OpeningLimits) {
  const since = new Date(now.getTime() - (hasSubject ? failureWindowMs : clientWindowMs));
  // Passed sessions end the count of failures, and open ones come besides.
  return { since, limit: hasSubject ? failures + maxOpenOfSubject + 1 : open };
}

/**
 * Decides what create-session does for a subject. While a session of it is open, its challenge comes again, so that
 * opening sessions until the steps suit an attacker is useless; a failed or expired session makes the next challenge one
 * step longer, and several cause a pause.
 * @param earlier sessions of the subject, the newest first
 * @param requested number of random steps
 */
export function openingForSubject(
  earlier: readonly EarlierSession[],
  binding: Binding,
  requested: number | undefined,
  limits: OpeningLimits,
  now: Date,
): Opening {
  const open = earlier.filter((session) => isOpen(session, now));
  const same = open.find(
    ({ galleryId, userId, lights }) =>
      galleryId === binding.galleryId && userId === binding.userId && (lights !== null) === binding.light,
  );
  if (same) return { kind: 'again', session: same };
  const failed = failuresSincePass(earlier, now);
  const [latest] = failed;
  if (latest && failed.length >= limits.failures) {
    const until = endOf(latest).getTime() + limits.pauseMinutes * minuteMs;
    const refusal = paused('sessionsFailed', failed.length, new Date(until), now);
    if (until > now.getTime()) return { kind: 'refused', refusal };
  }
  if (open.length >= maxOpenOfSubject) {
    const refusal = paused('sessionsOpenOfSubject', open.length, firstExpiry(open), now);
    return { kind: 'refused', refusal };
  }
  if (open[0]) return { kind: 'same steps', session: open[0] };
  return { kind: 'new', count: stepCount(requested, failed.length, limits) };
}

/**
 * Decides for a client that names no subject, whose tries cannot be told apart. Sessions that are opened within one
 * period of a session's lifetime get the same steps until one of them is submitted; the periods are fixed, so that the
 * steps change also when sessions are opened without a break. A client that opens many sessions and answers few gets
 * longer challenges, and the number of open sessions is limited.
 * @param earlier sessions of the client without a subject, the newest first, at most `limits.open`
 */
export function openingForClient(
  earlier: readonly EarlierSession[],
  requested: number | undefined,
  limits: OpeningLimits,
  now: Date,
): Opening {
  const open = earlier.filter((session) => isOpen(session, now));
  if (open.length >= limits.open) {
    return { kind: 'refused', refusal: paused('sessionsOpen', open.length, firstExpiry(open), now) };
  }
  const unanswered = earlier.filter(({ claimedAt }) => claimedAt === null).length;
  const mostUnanswered = unanswered > earlier.length - unanswered;
  const more = mostUnanswered ? Math.floor(unanswered / unansweredForStep) : 0;
  const count = stepCount(requested, more, limits);
  const periodOf = (date: Date) => Math.floor(date.getTime() / (limits.seconds * 1000));
  const alike = open.find(
    ({ steps, createdAt }) => steps.length === count + frontalSteps && periodOf(createdAt) === periodOf(now),
  );
  return { kind: 'new', count, ...(alike && { steps: alike.steps }) };
}

function stepCount(requested: number = sessionSteps.byDefault, more: number, { minSteps }: OpeningLimits) {
  return Math.min(sessionSteps.most, Math.max(requested, minSteps) + more);
}

function isOpen({ claimedAt, expiresAt }: EarlierSession, now: Date): boolean {
  return claimedAt === null && expiresAt > now;
}

/** Those that were judged, are being judged, or expired. */
function failuresSincePass(earlier: readonly EarlierSession[], now: Date): EarlierSession[] {
  const passed = earlier.findIndex((session) => session.passed === true);
  return earlier.slice(0, passed < 0 ? undefined : passed).filter((session) => !isOpen(session, now));
}

function endOf({ claimedAt, expiresAt }: EarlierSession): Date {
  return claimedAt ?? expiresAt;
}

function firstExpiry(open: readonly EarlierSession[]): Date {
  return new Date(Math.min(...open.map(({ expiresAt }) => expiresAt.getTime())));
}

function paused(
  code: 'sessionsFailed' | 'sessionsOpenOfSubject' | 'sessionsOpen',
  count: number,
  until: Date,
  now: Date,
): Refusal {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new Refusal(code, { count, at: until.toISOString(), seconds }, { retry_after: seconds });
}
