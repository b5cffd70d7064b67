import type {
  CreateSessionRequest,
  Parameter,
  SendFrameRequest,
  SubmitSessionRequest,
} from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { faceDigest, livenessTokenLifetime } from '../../security/tokens/liveness-tokens.ts';
import type { LivenessSessionRecord, SessionStore } from '../../store/session-store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';
import { templateOf } from '../pictures/main-face.ts';
import type { EnrolledPerson } from '../recognition/enrolled-person.ts';
import { formatSimilarity } from '../recognition/format-similarity.ts';
import { assignSteps, timeProblem } from './challenge.ts';
import { createLivenessContext, type LivenessContext } from './context.ts';
import { analyzeEarly, requireEarly } from './frames/analyze-early.ts';
import { type AnalyzedFrame, analyzeFrames, completeFrames } from './frames/analyze-frames.ts';
import { createEarlyFrames, type EarlyFrames } from './frames/early-frames.ts';
import { checkReplays } from './frames/replays.ts';
import { judge, representatives, type StepResult } from './judge.ts';
import { checkLight } from './light/check-light.ts';
import { shownLights } from './light/draw-lights.ts';
import { openSession } from './opening/open-session.ts';
import { createReason, diagnosticsOf, type Reason, reasonTexts } from './reasons.ts';
import { recordingOf } from './recorded-session.ts';

export type LivenessSessionService = ReturnType<typeof createLivenessSessions>;

/** Liveness sessions: the server draws the steps of a challenge, and judges the submitted frames once. */
export function createLivenessSessions(deps: ServiceDependencies) {
  const context = createLivenessContext(deps);
  const { store, config, events } = deps;
  const early = createEarlyFrames();
  return {
    /**
     * Opens a session, or answers the open one of the same subject.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `denied` | `tooManyRequests` | `malformed`
     */
    async open(caller: Caller, request: CreateSessionRequest) {
      const person = await context.personOf(caller, request);
      deps.frameIndex.warm();
      const { session, again, expiresIn } = await openSession(deps, caller, request);
      const { id: sessionId, nonce, expiresAt } = session;
      const steps = session.steps as Parameter[];
      events.sessionOpened(caller, { steps: steps.length, verification: person !== undefined, again });
      const { frontAngle } = config.thresholds;
      const light = shownLights(session.lights);
      const lightRequired = config.sessions.light === 'required';
      return { sessionId, steps, light, lightRequired, nonce, expiresAt, expiresIn, frontAngle };
    },

    /**
     * Analyses a frame of an open session before its submission.
     * @returns SHA-256 of the picture, hexadecimal; nothing about what it shows
     * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired` | `malformed` | `busy`, of the picture
     */
    async sendFrame(caller: Caller, { sessionId, image }: SendFrameRequest): Promise<string> {
      const session = openOrThrow(await store.sessions.find(caller.clientId, sessionId, new Date()));
      return analyzeEarly(context, caller, early, session, image);
    },

    /**
     * Judges a session, once.
     * @throws Refusal `sessionNotFound` | `sessionJudged` | `sessionExpired` | `malformed`
     */
    async submit(caller: Caller, request: SubmitSessionRequest) {
      const session = await claim(deps, caller, request);
      try {
        requireEarly(early, request);
        const judgement = await judgeSession(context, caller, session, request, early);
        early.drop(session.id);
        return judgement;
      } catch (error) {
        // Not judged: busy, aborted or a defect. The client may submit again.
        try {
          await store.frames.forget(caller.clientId, session.id);
        } finally {
          await store.sessions.release(caller.clientId, session.id);
        }
        throw error;
      }
    },
  };
}

async function claim(
  { store }: ServiceDependencies,
  { clientId }: Caller,
  { sessionId, nonce }: SubmitSessionRequest,
): Promise<LivenessSessionRecord> {
  const session = openOrThrow(await store.sessions.claim(clientId, sessionId, new Date()));
  if (nonce === undefined || nonce === session.nonce) return session;
  await store.sessions.release(clientId, sessionId);
  throw new Refusal('malformed', 'nonce: it is not the one of this session; send that, or none');
}

function openOrThrow(session: Awaited<ReturnType<SessionStore['claim']>>): LivenessSessionRecord {
  switch (session) {
    case 'unknown':
      throw new Refusal('sessionNotFound', 'session_id: you have no session of this name; open one first');
    case 'judged':
      throw new Refusal('sessionJudged', 'session_id: the session was judged already; open another one');
    case 'expired':
      throw new Refusal('sessionExpired', 'session_id: it has expired; open another one');
    default:
      return session;
  }
}

async function judgeSession(
  context: LivenessContext,
  caller: Caller,
  session: LivenessSessionRecord,
  request: SubmitSessionRequest,
  held: EarlyFrames,
) {
  const { frames } = request;
  const user = { facegalleryId: session.galleryId ?? undefined, userId: session.userId ?? undefined };
  const person = await context.personOf(caller, user);
  const places = assignSteps(frames, session.steps);
  const early = (digest: string) => held.find(session.id, digest);
  const first = await analyzeFrames(context, caller, frames, { places, early });
  const chosen = places ? representatives(context, session, first, places) : [];
  const analyzed = await completeFrames(context, caller, frames, first, chosen);
  const { results, reasons, reference } = await judgeFrames(context, session, frames, analyzed, places);
  const light = await checkLight(context, caller, session, request.lightFrames, reference);
  reasons.push(...light.reasons);
  const template = reference && templateOf(reference);
  const verified = person && template && verify(context, person, template);
  if (verified && !verified.holds) {
    const figures = `similarity ${formatSimilarity(verified.similarity)}, threshold ${formatSimilarity(verified.threshold)}`;
    reasons.push(createReason('user', 'the face is not that of user_id', figures));
  }
  const passing = reasons.length === 0 && template !== undefined;
  const judgedFrames = results.flatMap(({ frame }) => frame ?? []);
  reasons.push(...(await checkReplays(context.deps, session, analyzed, judgedFrames, passing)));
  const passed = passing && reasons.length === 0;
  const token = passed ? await issueToken(context.deps, session, template) : undefined;
  await reportJudged(context, caller, session, analyzed, { passed, person, reasons });
  const liveness = passed ? ('passed' as const) : ('failed' as const);
  const diagnostics = diagnosticsOf(reasons);
  if (request.consent) {
    const similarity = verified?.similarity;
    const judged = { passed, diagnostics, results, similarity, light: light.verdict };
    context.deps.recordings.record(recordingOf(context, session, request, analyzed, judged));
  }
  return {
    liveness,
    verified,
    reasons: reasonTexts(reasons),
    diagnostics,
    results,
    light: light.verdict,
    token,
  };
}

/** Records that the session failed together with the event that tells it. */
async function reportJudged(
  { deps }: LivenessContext,
  caller: Caller,
  { id: sessionId, clientId, galleryId, userId }: LivenessSessionRecord,
  analyzed: readonly AnalyzedFrame[],
  judged: { passed: boolean; person: EnrolledPerson | undefined; reasons: readonly Reason[] },
): Promise<void> {
  const { passed, person } = judged;
  const found = Math.max(0, ...analyzed.map(({ result }) => ('found' in result ? result.found : 0)));
  const facts = { passed, images: analyzed.length, verification: person !== undefined, found };
  const reasons = [...new Set(judged.reasons.map(({ name }) => name))];
  await deps.events.livenessJudged(
    caller,
    { way: 'session', ...facts, ...person?.facts },
    reasons,
    { galleryId, userId, sessionId },
    (row) => deps.store.sessions.markFailed(clientId, sessionId, row),
  );
}

/** Steps are judged only when the frames follow them. */
async function judgeFrames(
  context: LivenessContext,
  session: LivenessSessionRecord,
  frames: SubmitSessionRequest['frames'],
  analyzed: readonly AnalyzedFrame[],
  places: readonly number[] | undefined,
) {
  const problem = timeProblem(frames, (Date.now() - session.createdAt.getTime()) / 1000);
  const times = problem === undefined ? [] : [createReason('time', problem)];
  if (places) {
    const judgement = await judge(context, session, analyzed, places);
    return { ...judgement, reasons: [...times, ...judgement.reasons] };
  }
  const steps = session.steps.join(', ');
  const finding = `the frames do not follow the steps; required are ${steps}, in this order and all of them`;
  const results = session.steps.map((step): StepResult => ({ step: step as Parameter, match: false }));
  return { reasons: [createReason('order', finding), ...times], results, reference: undefined };
}

function verify({ thresholds }: LivenessContext, person: EnrolledPerson, template: Float32Array) {
  const similarity = person.similarity(template);
  const threshold = thresholds.verification(person.gallery);
  return { holds: similarity >= threshold, similarity, threshold };
}

async function issueToken(deps: ServiceDependencies, session: LivenessSessionRecord, template: Float32Array) {
  const { id: sessionId, clientId, nonce } = session;
  const embeddingSpec = embeddingSpecText(deps.engine.embeddingSpec);
  const sealed = deps.sessionVault.seal({ clientId, sessionId, embeddingSpec }, template);
  const until = new Date(Date.now() + livenessTokenLifetime * 1000);
  await deps.store.sessions.storeTemplate(clientId, sessionId, sealed, until);
  const claims = { clientId, sessionId, nonce, face: faceDigest(sealed) };
  return { text: await deps.livenessTokens.issue(claims), expiresIn: livenessTokenLifetime };
}
