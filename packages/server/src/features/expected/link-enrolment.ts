import { Refusal } from '../../errors.ts';
import type { EventSubscriber, Keeping, SubscribedEvent } from '../../events/ports.ts';
import type { FeatureCore } from '../../feature.ts';
import { type PeriodicLog, periodically } from '../../lib/periodic.ts';
import { minuteMs } from '../../lib/time.ts';
import type { Caller } from '../../services/caller.ts';
import type { ExpectedStore, JudgedLink } from './ports.ts';

interface Parts extends Pick<FeatureCore, 'events' | 'enrolment' | 'livenessSessions'> {
  readonly expected: ExpectedStore;
  readonly log: PeriodicLog;
}

/** Enrols whoever passes a link. */
export interface LinkEnrolment extends Required<Pick<EventSubscriber, 'keepingOf'>> {
  /** Resolves when no enrolment is under way. */
  stop(): Promise<void>;
}

/**
 * Enrols the kept frame of a session of a link at once when it has passed: it is kept as long as the liveness token is
 * valid, five minutes. What a busy server, another one or one that ended has left is enrolled within a minute.
 */
export function startLinkEnrolment(parts: Parts): LinkEnrolment {
  const { expected, log } = parts;
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const start = (sessionId: string, passed: boolean) => {
    if (running.has(sessionId) || stopping.signal.aborted) return;
    const work = settle(parts, sessionId, passed, stopping.signal)
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'a link was not enrolled'))
      .finally(() => running.delete(sessionId));
    running.set(sessionId, work);
  };
  const resume = async () => {
    for (const sessionId of await expected.passed()) start(sessionId, true);
  };
  const resuming = periodically(resume, minuteMs, log, 'links were not enrolled');
  return {
    keepingOf: (event) => keepingOf(event, start),
    async stop() {
      await resuming.stop();
      await Promise.all(running.values());
      stopping.abort();
    },
  };
}

/** Nothing is kept: a session that has passed, or whose last try has failed, is looked at once that is durable. */
function keepingOf(
  { name, facts, detail }: SubscribedEvent,
  start: (sessionId: string, passed: boolean) => void,
): Keeping | undefined {
  if (name !== 'liveness_judged') return undefined;
  const { sessionId, triesLeft } = detail as { sessionId?: string; triesLeft?: number };
  const passed = facts['passed'] === true;
  if (sessionId === undefined || triesLeft !== 0) return undefined;
  const nothing = async () => {};
  return { write: nothing, keep: nothing, written: () => start(sessionId, passed) };
}

async function settle(parts: Parts, sessionId: string, passed: boolean, signal: AbortSignal): Promise<void> {
  const { expected, events } = parts;
  const link = await expected.linkOf(sessionId);
  if (!link) return;
  if (!passed) return expected.settle(link, 'liveness');
  const caller = { clientId: link.clientId, trxId: sessionId, signal };
  try {
    await enrol(parts, caller, link);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 'busy') throw error;
    const facts = { facegallery_id: link.galleryId, error: error.code };
    events.observe('expected_refused', caller, facts);
    return expected.settle(link, error.code);
  }
  return expected.settle(link, null);
}

/** With the checks of an enrolment, and that the face is nobody else's of the gallery. */
async function enrol(
  { enrolment, livenessSessions }: Parts,
  caller: Caller,
  { sessionId, userId, userName, galleryId, consent }: JudgedLink,
): Promise<void> {
  const { token } = await livenessSessions.get(caller, { sessionId });
  if (!token) throw new Refusal('livenessTokenSpent');
  await enrolment.enrol(caller, {
    facegalleryId: galleryId,
    userId,
    userName,
    livenessToken: token.text,
    useSessionFrame: true,
    ifExists: 'refuse',
    checkDuplicate: true,
    checkQuality: false,
    forceRegister: false,
    replace: false,
    append: false,
    ...(consent && {
      consentReference: consent.reference,
      consentPurpose: consent.purpose ?? undefined,
      consentGivenAt: consent.givenAt.toISOString(),
      consentUntil: consent.until?.toISOString(),
    }),
  });
}
