import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import { faceDigest, livenessTokenLifetime } from '../../security/tokens/liveness-tokens.ts';
import type { LivenessSessionRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { contractText } from '../galleries/lookup.ts';
import type { EnrolledPerson } from '../recognition/enrolled-person.ts';
import { shown } from '../recognition/thresholds.ts';
import type { Caller, LivenessSessionService, Parameter, SessionVerdict } from '../services.ts';
import { drawSteps } from './challenge.ts';
import { stepsOf, timeProblem } from './frame-order.ts';
import { replays, tracesOf } from './replays.ts';
import { judge, lookAtFrames, templateOfReference } from './session-judge.ts';
import { createLivenessTools, type LivenessTools, type NamedUser } from './single.ts';

type Submission = Parameters<LivenessSessionService['submit']>[1];

/** Liveness by a challenge that the server holds: it says what to do, and judges once whether it was done. */
export function createLivenessSessions(deps: ServiceDependencies): LivenessSessionService {
  const tools = createLivenessTools(deps);
  const { store, config, events } = deps;
  return {
    async open(caller, { user, steps }) {
      await tools.personOf(caller, user);
      const now = Date.now();
      const session: LivenessSessionRecord = {
        id: uuidv7(),
        clientId: caller.clientId,
        steps: drawSteps(steps),
        nonce: randomBytes(16).toString('base64url'),
        galleryId: user?.galleryId ?? null,
        userId: user?.userId ?? null,
        createdAt: new Date(now),
        expiresAt: new Date(now + config.sessions.seconds * 1000),
      };
      await store.sessions.create(session);
      events.sessionOpened(caller, { steps: session.steps.length, verification: user !== undefined });
      const { id: sessionId, nonce, expiresAt } = session;
      const { frontAngle } = config.thresholds;
      const expiresIn = config.sessions.seconds;
      return { sessionId, steps: session.steps as Parameter[], nonce, expiresAt, expiresIn, frontAngle };
    },

    async submit(caller, submission) {
      const session = await claim(deps, caller, submission);
      try {
        return await verdict(tools, caller, session, submission);
      } catch (error) {
        // Nothing was judged: busy, given up by the caller, or a defect. The frames may come once more.
        await store.sessions.release(caller.clientId, session.id);
        throw error;
      }
    },
  };
}

async function claim(
  { store }: ServiceDependencies,
  { clientId }: Caller,
  { sessionId, nonce }: Submission,
): Promise<LivenessSessionRecord> {
  const session = await store.sessions.claim(clientId, sessionId, new Date());
  switch (session) {
    case 'unknown':
      throw new Refusal('sessionNotFound', 'session_id: you have no session of this name; open one first');
    case 'judged':
      throw new Refusal('sessionJudged', 'session_id: the session was judged already; open another one');
    case 'expired':
      throw new Refusal('sessionExpired', 'session_id: its time is over; open another one');
  }
  if (nonce === undefined || nonce === session.nonce) return session;
  await store.sessions.release(clientId, sessionId);
  throw new Refusal('malformed', 'nonce: it is not the one of this session; send that, or none');
}

async function verdict(
  tools: LivenessTools,
  caller: Caller,
  session: LivenessSessionRecord,
  { frames }: Submission,
): Promise<SessionVerdict> {
  const person = await tools.personOf(caller, userOf(session));
  const seen = await lookAtFrames(tools, caller, frames);
  const judged = await judgedInOrder(tools, session, frames, seen);
  judged.reasons.push(...(await replayed(tools, session, seen)));
  const template = templateOfReference(judged);
  const verified = person && template && verificationOf(tools, person, template);
  if (verified && !verified.holds) {
    judged.reasons.push(
      `user: the face is not that of user_id (similarity ${shown(verified.similarity)}, threshold ${shown(verified.threshold)})`,
    );
  }
  const passed = judged.reasons.length === 0 && template !== undefined;
  const token = passed ? await tokenFor(tools.deps, session, template) : undefined;
  const found = Math.max(0, ...seen.map(({ look }) => ('found' in look ? look.found : 0)));
  const facts = { passed, images: frames.length, verification: person !== undefined, found };
  tools.deps.events.livenessJudged(caller, { way: 'session', ...facts });
  const liveness = passed ? 'passed' : 'failed';
  return { liveness, verified, reasons: judged.reasons, results: judged.results, token };
}

/** Frames that do not follow the steps are not judged step by step. */
async function judgedInOrder(
  tools: LivenessTools,
  session: LivenessSessionRecord,
  frames: Submission['frames'],
  seen: Awaited<ReturnType<typeof lookAtFrames>>,
) {
  const places = stepsOf(frames, session.steps);
  const late = timeProblem(frames, (Date.now() - session.createdAt.getTime()) / 1000);
  const times = late === undefined ? [] : [`time: ${late}`];
  if (places) {
    const judged = judge(tools, session, seen, places);
    return { ...judged, reasons: [...times, ...judged.reasons] };
  }
  const asked = session.steps.join(', ');
  const order = `order: the frames do not follow the steps; asked were ${asked}, in this order and all of them`;
  const results = session.steps.map((step) => ({ step: step as Parameter, match: false }));
  return { reasons: [order, ...times], results, reference: undefined };
}

/** Remembers the frames, whatever the verdict, and says which of them were seen in another session. */
async function replayed(
  tools: LivenessTools,
  { clientId, id }: LivenessSessionRecord,
  seen: Awaited<ReturnType<typeof lookAtFrames>>,
): Promise<string[]> {
  const { store, config, sessionVault } = tools.deps;
  const since = new Date(Date.now() - config.sessions.frameHours * 60 * 60 * 1000);
  const mask = sessionVault.hashMask(clientId);
  const earlier = await store.sessions.recordFrames(clientId, id, tracesOf(seen, mask), since);
  return (await replays(seen, earlier, mask)).map((says) => `replay: ${says}`);
}

function verificationOf({ measure }: LivenessTools, person: EnrolledPerson, template: Float32Array) {
  const similarity = person.similarity(template);
  const threshold = measure.thresholds.verification(person.gallery);
  return { holds: similarity >= threshold, similarity, threshold };
}

async function tokenFor(deps: ServiceDependencies, session: LivenessSessionRecord, template: Float32Array) {
  const { id: sessionId, clientId, nonce } = session;
  const contract = contractText(deps.engine.embeddingSpec);
  const sealed = deps.sessionVault.seal({ clientId, sessionId, embeddingSpec: contract }, template);
  const until = new Date(Date.now() + livenessTokenLifetime * 1000);
  await deps.store.sessions.storeTemplate(clientId, sessionId, sealed, until);
  const claims = { clientId, sessionId, nonce, face: faceDigest(sealed) };
  return { text: await deps.livenessTokens.issue(claims), expiresIn: livenessTokenLifetime };
}

function userOf({ galleryId, userId }: LivenessSessionRecord): NamedUser | undefined {
  return galleryId === null || userId === null ? undefined : { galleryId, userId };
}
