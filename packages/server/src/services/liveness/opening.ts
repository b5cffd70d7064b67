import { randomBytes } from 'node:crypto';
import { linkMinutes, linkTries, sessionSteps } from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import { minuteMs } from '../../lib/time.ts';
import type { EarlierSession, LivenessSessionRecord } from '../../store/ports/sessions.ts';
import { currentTry } from '../../store/session-store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import { sessionSubjects } from '../session-subjects.ts';
import { drawSteps } from './challenge.ts';
import type { OpeningRequest } from './ports.ts';

export interface OpeningDependencies extends ServiceParts<'store' | 'config' | 'sessionVault'> {
  /** Replace limits, for tests. */
  readonly openingLimits?: Partial<OpeningLimits> | undefined;
  /** Draws the steps of a challenge with this number of random steps; absent: at random. */
  readonly drawSteps?: ((count: number) => string[]) | undefined;
}

/**
 * Opens a session, or finds the open one of the same subject.
 * @throws Refusal `tooManyRequests` with the time of the next try
 */
export async function openSession(deps: OpeningDependencies, caller: Caller, request: OpeningRequest) {
  const now = new Date();
  const record = recordOf(deps, caller, request);
  const { opening, create } = await deps.store.sessions.open(historyOf(deps, record, now), (earlier) => {
    const decided = decide(deps, earlier, record, request.steps, now);
    if ('again' in decided) return { opening: decided };
    return { opening: decided, create: { ...record, ...challengeOf(decided, deps, now) } };
  });
  const again = 'again' in opening;
  const session = again ? opening.again : create!;
  return { session, again, expiresIn: secondsUntil(session.expiresAt, now) };
}

/** Opens a session that waits for its beginning, and ends the others of its subject: its challenge is drawn then. @param more of a hosted page */
export async function openWaiting(
  deps: OpeningDependencies,
  caller: Caller,
  request: OpeningRequest,
  more: Pick<LivenessSessionRecord, 'secret' | 'redirectUrl'>,
) {
  const now = new Date();
  const minutes = request.validMinutes ?? linkMinutes.byDefault;
  const record = recordOf(deps, caller, request);
  const own = () => deps.sessionVault.digestSubject(caller.clientId, sessionSubjects.link(record.id));
  const session: LivenessSessionRecord = {
    ...record,
    // The limits of a subject hold for a link that names none: tries that are not judged are without number else.
    subject: record.subject ?? (request.hosted ? own() : null),
    steps: [],
    createdAt: now,
    expiresAt: new Date(now.getTime() + minutes * minuteMs),
    waits: { steps: request.steps, ...(request.hosted && { tries: linkTries }) },
    ...more,
  };
  const { clientId, subject } = session;
  await deps.store.sessions.open({ clientId, subject, since: now, limit: 0 }, () => ({ create: session }));
  return { session, again: false, expiresIn: secondsUntil(session.expiresAt, now) };
}

/**
 * Begins a session that waits, or the next try of its link, by the rules of `openSession`: the former try goes to a session
 * of its own, which counts for the subject. The others of the subject end, and count too if they had begun. What has begun
 * stays as it is; a try of a link does so for half of its time, after which another begins with the whole.
 * @throws Refusal `tooManyRequests` with the time of the next try, `sessionExpired` when a newer link has ended it
 */
export async function beginSession(deps: OpeningDependencies, waiting: LivenessSessionRecord) {
  const now = new Date();
  const history = { ...historyOf(deps, waiting, now), begins: waiting.id };
  type Beginning = {
    readonly begun?: EarlierSession;
    readonly begin?: LivenessSessionRecord;
    readonly create?: EarlierSession;
  };
  const { begun, begin } = await deps.store.sessions.open<Beginning>(history, (earlier, own) => {
    if (!own) throw new Refusal('sessionNotFound');
    const half = new Date(now.getTime() + limitsOf(deps).seconds * 500);
    const isLate = own.claimedAt === null && own.expiresAt > now && own.expiresAt < half;
    const former = isLate ? { ...own, expiresAt: now } : own;
    const { waits, ...current } = currentTry(former, now);
    if (waits?.ended) throw new Refusal('sessionEnded');
    if (!waits || current.steps.length > 0) return { begun: own };
    const others =
      waiting.subject === null
        ? earlier
        : earlier.map((one) => ({ ...one, waits: { ended: true } as const }));
    const decided = decide(deps, others, waiting, waits.steps, now) as NewChallenge;
    const { steps, tries = 1, until = current.expiresAt.getTime() } = waits;
    const challenge = challengeOf(decided, deps, now);
    const left = { steps, tries: tries - 1, until: Math.max(until, challenge.expiresAt.getTime()) };
    return {
      begin: { ...current, ...challenge, waits: waiting.secret ? left : null },
      ...(own.steps.length > 0 && { create: { ...former, id: uuidv7(), secret: null, waits: null } }),
    };
  });
  const session = begin ?? begun!;
  return { session, expiresIn: secondsUntil(session.expiresAt, now) };
}

/** @throws Refusal `tooManyRequests` with the time of the next try */
function decide(
  deps: OpeningDependencies,
  earlier: readonly EarlierSession[],
  session: Pick<LivenessSessionRecord, 'subject' | 'galleryId' | 'userId'>,
  requested: number | undefined,
  now: Date,
): Opening {
  const limits = limitsOf(deps);
  if (session.subject === null) return openingForClient(earlier, requested, limits, now);
  return openingForSubject(earlier, session, requested, limits, now);
}

function challengeOf({ steps, expiresAt }: NewChallenge, deps: OpeningDependencies, now: Date) {
  const { seconds } = limitsOf(deps);
  const draw = deps.drawSteps ?? ((count) => drawSteps(count, deps.config.sessions));
  return {
    steps: typeof steps === 'number' ? draw(steps) : steps,
    createdAt: now,
    expiresAt: expiresAt ?? new Date(now.getTime() + seconds * 1000),
  };
}

/** A new session without its challenge. */
function recordOf(deps: OpeningDependencies, caller: Caller, request: OpeningRequest) {
  return {
    id: uuidv7(),
    clientId: caller.clientId,
    subject: subjectOf(deps, caller, request),
    nonce: randomBytes(16).toString('base64url'),
    galleryId: request.facegalleryId ?? null,
    userId: request.userId ?? null,
    keepFrame: request.keepFrame === true,
    minFace: request.minFace ?? null,
  };
}

/** Null when the request names nobody. */
function subjectOf(
  { sessionVault }: OpeningDependencies,
  { clientId }: Caller,
  { subject, subjectName, facegalleryId, userId }: OpeningRequest,
): Uint8Array | null {
  if (subjectName !== undefined) return sessionVault.digestSubject(clientId, subjectName);
  if (subject !== undefined) return sessionVault.digestSubject(clientId, sessionSubjects.given(subject));
  if (facegalleryId === undefined || userId === undefined) return null;
  return sessionVault.digestSubject(clientId, sessionSubjects.user(facegalleryId, userId));
}

function secondsUntil(until: Date, now: Date): number {
  return Math.ceil((until.getTime() - now.getTime()) / 1000);
}

/** What limits the opening of sessions. */
export interface OpeningLimits {
  /** Lifetime of a session. */
  readonly seconds: number;
  /** Sessions of a subject that may fail or expire in an hour, since the last passed one, before a pause. */
  readonly failures: number;
  /** Length of that pause, from the last failure. */
  readonly pauseMinutes: number;
  /** Open sessions without a subject of a client. */
  readonly open: number;
}

/**
 * 500 open sessions of half a minute are 1,000 people a minute; opening one reads them all, about 1 ms for each hundred.
 */
const openingLimits = { failures: 5, pauseMinutes: 10, open: 500 } as const;

function limitsOf({ config, openingLimits: others }: OpeningDependencies): OpeningLimits {
  return { ...openingLimits, seconds: config.sessions.seconds, ...others };
}

/** What a repeated request must agree in to get the same session again. */
export type Binding = Pick<LivenessSessionRecord, 'galleryId' | 'userId'>;

/** Steps to ask for, or the number of random ones to draw; undefined `expiresAt`: the lifetime of a session from now. */
interface NewChallenge {
  readonly steps: number | readonly string[];
  readonly expiresAt?: Date;
}

/** What create-session does: it answers the open session of the subject again, or opens one. */
export type Opening = { readonly again: EarlierSession } | NewChallenge;

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

/** The earlier sessions that `decide` needs. */
function historyOf(
  deps: OpeningDependencies,
  { clientId, subject }: Pick<LivenessSessionRecord, 'clientId' | 'subject'>,
  now: Date,
) {
  const { failures, open } = limitsOf(deps);
  const since = new Date(now.getTime() - (subject === null ? clientWindowMs : failureWindowMs));
  // Passed sessions end the count of failures, and open ones come besides.
  const limit = subject === null ? open : failures + maxOpenOfSubject + 1;
  return { clientId, subject, since, limit };
}

/**
 * Decides what create-session does for a subject. While a session of it is open, its challenge comes again, so that
 * opening sessions until the steps suit an attacker is useless; a failed or expired session makes the next challenge one
 * step longer, and several cause a pause.
 * @param earlier sessions of the subject, the newest first
 * @param requested number of random steps
 * @throws Refusal `tooManyRequests`
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
    ({ galleryId, userId }) => galleryId === binding.galleryId && userId === binding.userId,
  );
  if (same) return { again: same };
  const failed = failuresSincePass(earlier, now);
  const [latest] = failed;
  if (latest && failed.length >= limits.failures) {
    const until = new Date(endOf(latest).getTime() + limits.pauseMinutes * minuteMs);
    if (until > now) throw paused('sessionsFailed', failed.length, until, now);
  }
  if (open.length >= maxOpenOfSubject) {
    throw paused('sessionsOpenOfSubject', open.length, firstExpiry(open), now);
  }
  return open[0]
    ? { steps: open[0].steps, expiresAt: open[0].expiresAt }
    : { steps: stepCount(requested, failed.length) };
}

/**
 * Decides for a client that names no subject, whose tries cannot be told apart. Sessions that are opened within one
 * period of a session's lifetime get the same steps until one of them is submitted; the periods are fixed, so that the
 * steps change also when sessions are opened without a break. A client that opens many sessions and answers few gets
 * longer challenges, and the number of open sessions is limited.
 * @param earlier sessions of the client without a subject, the newest first, at most `limits.open`
 * @throws Refusal `tooManyRequests`
 */
export function openingForClient(
  earlier: readonly EarlierSession[],
  requested: number | undefined,
  limits: OpeningLimits,
  now: Date,
): NewChallenge {
  const open = earlier.filter((session) => isOpen(session, now));
  if (open.length >= limits.open) throw paused('sessionsOpen', open.length, firstExpiry(open), now);
  const unanswered = earlier.filter(({ claimedAt }) => claimedAt === null).length;
  const mostUnanswered = unanswered > earlier.length - unanswered;
  const more = mostUnanswered ? Math.floor(unanswered / unansweredForStep) : 0;
  const count = stepCount(requested, more);
  const periodOf = (date: Date) => Math.floor(date.getTime() / (limits.seconds * 1000));
  const alike = open.find(
    ({ steps, createdAt }) => steps.length === count + frontalSteps && periodOf(createdAt) === periodOf(now),
  );
  return { steps: alike?.steps ?? count };
}

function stepCount(requested: number = sessionSteps.byDefault, more: number) {
  return Math.min(sessionSteps.most, requested + more);
}

function isOpen({ claimedAt, expiresAt, waits }: EarlierSession, now: Date): boolean {
  return claimedAt === null && expiresAt > now && !waits?.ended;
}

/** Those that were judged, are being judged, expired, or were ended after they had begun. */
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
