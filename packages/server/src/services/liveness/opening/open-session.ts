import { randomBytes } from 'node:crypto';
import type { CreateSessionRequest } from '@wajah/contract';
import { uuidv7 } from 'uuidv7';
import type { LivenessSessionRecord } from '../../../store/session-store.ts';
import type { Caller } from '../../caller.ts';
import type { ServiceDependencies } from '../../dependencies.ts';
import { drawSteps } from '../challenge.ts';
import { drawLights, showsLights } from '../light/draw-lights.ts';
import { historyWindow, type Opening, openingForClient, openingForSubject } from './opening-policy.ts';

type Dependencies = Pick<ServiceDependencies, 'store' | 'config' | 'sessionVault' | 'drawSteps'>;

/**
 * Opens a session, or finds the open one of the same subject.
 * @throws Refusal `malformed` where lights are requested and switched off, `tooManyRequests` with the time of the next try
 */
export async function openSession(deps: Dependencies, caller: Caller, request: CreateSessionRequest) {
  const { store, config } = deps;
  const now = new Date();
  const limits = config.sessions;
  const subject = subjectOf(deps, caller, request);
  const binding = { galleryId: request.facegalleryId ?? null, userId: request.userId ?? null };
  const light = showsLights(limits.light, request.light);
  const history = { clientId: caller.clientId, subject, ...historyWindow(subject !== null, now, limits) };
  const { opening, create } = await store.sessions.open(history, (earlier) => {
    const decided =
      subject === null
        ? openingForClient(earlier, request.steps, limits, now)
        : openingForSubject(earlier, { ...binding, light }, request.steps, limits, now);
    const challenge = challengeOf(decided, deps, light, now);
    if (!challenge) return { opening: decided };
    const nonce = randomBytes(16).toString('base64url');
    const record: LivenessSessionRecord = {
      id: uuidv7(),
      clientId: caller.clientId,
      subject,
      nonce,
      ...binding,
      ...challenge,
    };
    return { opening: decided, create: record };
  });
  if (opening.kind === 'refused') throw opening.refusal;
  const session = create ?? (opening.kind === 'new' ? undefined : opening.session);
  if (!session) throw new Error('a new session is stored');
  return { session, again: opening.kind === 'again', expiresIn: secondsUntil(session.expiresAt, now) };
}

/** @returns undefined when no session is to be stored */
function challengeOf(opening: Opening, deps: Dependencies, light: boolean, now: Date) {
  switch (opening.kind) {
    case 'new': {
      const steps = opening.steps ?? (deps.drawSteps ?? drawSteps)(opening.count);
      const expiresAt = new Date(now.getTime() + deps.config.sessions.seconds * 1000);
      return { steps, lights: light ? drawLights() : null, createdAt: now, expiresAt };
    }
    case 'same steps': {
      const { steps, lights, expiresAt } = opening.session;
      return { steps, lights: light ? (lights ?? drawLights()) : null, createdAt: now, expiresAt };
    }
    default:
      return undefined;
  }
}

/** Null when the request names nobody. */
function subjectOf(
  { sessionVault }: Dependencies,
  { clientId }: Caller,
  { subject, facegalleryId, userId }: CreateSessionRequest,
): Uint8Array | null {
  if (subject !== undefined) return sessionVault.digestSubject(clientId, ['subject', subject]);
  if (facegalleryId === undefined || userId === undefined) return null;
  return sessionVault.digestSubject(clientId, ['user', facegalleryId, userId]);
}

function secondsUntil(until: Date, now: Date): number {
  return Math.ceil((until.getTime() - now.getTime()) / 1000);
}
