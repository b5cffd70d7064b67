import type { CreateSessionRequest, SendFrameRequest, Step, SubmitSessionRequest } from '@wajah/contract';
import { type Engine, type Face, meanSpoofScore, SPOOF_THRESHOLD } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Events } from '../../events.ts';
import type { FrameIndex } from '../../matching/frames/frame-index.ts';
import type { LivenessTokens } from '../../security/tokens/liveness-tokens.ts';
import { faceDigest, livenessTokenLifetime } from '../../security/tokens/liveness-tokens.ts';
import type { FrameVault, SessionVault } from '../../security/vaults/row-vaults.ts';
import type { LivenessSessionRecord, SessionStore } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import { templateOf } from '../faces/main-face.ts';
import type { EnrolledPerson } from '../galleries/comparisons.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';
import type { SessionRecorder, SessionToRecord } from '../recordings/recorder.ts';
import { assignSteps, shownLights, timeProblem } from './challenge.ts';
import {
  type AnalyzedFrame,
  createLivenessContext,
  type LivenessContext,
  type LivenessDependencies,
} from './context.ts';
import {
  analyzeEarly,
  analyzeFrames,
  completeFrames,
  createEarlyFrames,
  type EarlyFrames,
  requireEarly,
} from './frames.ts';
import { judge, representatives, type StepResult } from './judge.ts';
import { checkLight } from './light.ts';
import { type OpeningDependencies, openSession } from './opening.ts';
import { createReason, diagnosticsOf, type Reason, reasonTexts } from './reasons.ts';
import { checkReplays } from './replays.ts';

type SessionDependencies = Omit<LivenessDependencies, 'events' | 'frameIndex'> &
  OpeningDependencies & {
    readonly store: Pick<Store, 'sessions' | 'frames'>;
    readonly events: Pick<Events, 'livenessJudged' | 'sessionOpened'>;
    readonly frameIndex: FrameIndex;
    readonly frameVault: FrameVault;
    readonly sessionVault: Pick<SessionVault, 'seal'>;
    readonly livenessTokens: Pick<LivenessTokens, 'issue'>;
    readonly recordings: Pick<SessionRecorder, 'record'>;
  };

type SessionContext = LivenessContext & SessionDependencies;

export type LivenessSessionService = ReturnType<typeof createLivenessSessions>;

/** Liveness sessions: the server draws the steps of a challenge, and judges the submitted frames once. */
export function createLivenessSessions(deps: SessionDependencies) {
  const context: SessionContext = { ...createLivenessContext(deps), ...deps };
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
      const steps = session.steps as Step[];
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
      const session = await claim(store, caller, request);
      try {
        requireEarly(early, request);
        const judgement = await judgeSession(context, caller, session, request, early);
        early.drop(session.id);
        if (request.consent) deps.recordings.record(recordingOf(context, session, request, judgement));
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
  store: Pick<Store, 'sessions'>,
  { clientId }: Caller,
  { sessionId, nonce }: SubmitSessionRequest,
): Promise<LivenessSessionRecord> {
  const session = openOrThrow(await store.sessions.claim(clientId, sessionId, new Date()));
  if (nonce === undefined || nonce === session.nonce) return session;
  await store.sessions.release(clientId, sessionId);
  throw new Refusal('nonceMismatch');
}

function openOrThrow(session: Awaited<ReturnType<SessionStore['claim']>>): LivenessSessionRecord {
  switch (session) {
    case 'unknown':
      throw new Refusal('sessionNotFound');
    case 'judged':
      throw new Refusal('sessionJudged');
    case 'expired':
      throw new Refusal('sessionExpired');
    default:
      return session;
  }
}

async function judgeSession(
  context: SessionContext,
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
  reasons.push(...(await checkReplays(context, session, analyzed, judgedFrames, passing)));
  const passed = passing && reasons.length === 0;
  const token = passed ? await issueToken(context, session, template) : undefined;
  await reportJudged(context, caller, session, analyzed, { passed, person, reasons });
  const liveness = passed ? ('passed' as const) : ('failed' as const);
  return {
    liveness,
    verified,
    reasons: reasonTexts(reasons),
    diagnostics: diagnosticsOf(reasons),
    results,
    light: light.verdict,
    token,
    analyzed,
  };
}

/** Records that the session failed together with the event that tells it. */
async function reportJudged(
  { events, store }: SessionContext,
  caller: Caller,
  { id: sessionId, clientId, galleryId, userId }: LivenessSessionRecord,
  analyzed: readonly AnalyzedFrame[],
  judged: { passed: boolean; person: EnrolledPerson | undefined; reasons: readonly Reason[] },
): Promise<void> {
  const { passed, person } = judged;
  const found = Math.max(0, ...analyzed.map(({ result }) => ('found' in result ? result.found : 0)));
  const facts = { passed, images: analyzed.length, verification: person !== undefined, found };
  const reasons = [...new Set(judged.reasons.map(({ name }) => name))];
  await events.livenessJudged(
    caller,
    { way: 'session', ...facts, ...person?.facts },
    reasons,
    { galleryId, userId, sessionId },
    (row) => store.sessions.markFailed(clientId, sessionId, row),
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
  const results = session.steps.map((step): StepResult => ({ step: step as Step, match: false }));
  return { reasons: [createReason('order', finding), ...times], results, reference: undefined };
}

function verify({ thresholds }: LivenessContext, person: EnrolledPerson, template: Float32Array) {
  const similarity = person.similarity(template);
  const threshold = thresholds.verification(person.gallery);
  return { holds: similarity >= threshold, similarity, threshold };
}

async function issueToken(deps: SessionContext, session: LivenessSessionRecord, template: Float32Array) {
  const { id: sessionId, clientId, nonce } = session;
  const embeddingSpec = embeddingSpecText(deps.engine.embeddingSpec);
  const sealed = deps.sessionVault.seal({ clientId, sessionId, embeddingSpec }, template);
  const until = new Date(Date.now() + livenessTokenLifetime * 1000);
  await deps.store.sessions.storeTemplate(clientId, sessionId, sealed, until);
  const claims = { clientId, sessionId, nonce, face: faceDigest(sealed) };
  return { text: await deps.livenessTokens.issue(claims), expiresIn: livenessTokenLifetime };
}

type LightFrame = NonNullable<SubmitSessionRequest['lightFrames']>[number];

/** What is recorded of a judged session, where the person agreed. */
function recordingOf(
  { engine, thresholds }: LivenessContext,
  session: LivenessSessionRecord,
  { frames, lightFrames = [], device }: SubmitSessionRequest,
  { liveness, diagnostics, results, verified, light, analyzed }: Awaited<ReturnType<typeof judgeSession>>,
): SessionToRecord {
  const representatives = new Set(results.flatMap(({ frame }) => frame ?? []));
  const judged = [...representatives].flatMap((index) => spoofOf(analyzed[index]!) ?? []);
  return {
    id: session.id,
    clientId: session.clientId,
    at: new Date(),
    subject: session.subject,
    owners: ownersOf(session),
    images: [...frames, ...lightFrames].map(({ image = '' }) => image),
    judgement: {
      pack: scorerOf(engine),
      steps: session.steps,
      device: device ?? null,
      passed: liveness === 'passed',
      reasons: diagnostics.map(({ name, detail }) => `${name}: ${detail}`),
      spoofScore: engine.padPack === null || judged.length === 0 ? null : meanSpoofScore(judged),
      spoofThreshold: thresholds.spoofOfMean(judged.length),
      similarity: verified?.similarity ?? null,
      light: light ?? null,
      lights: session.lights,
      frames: [
        ...analyzed.map((frame, index) => ({
          step: frames[index]!.step,
          capturedAt: frames[index]!.capturedAt ?? null,
          representative: representatives.has(index),
          ...measured(frame),
        })),
        ...lightFrames.map(lightFrame),
      ],
    },
  };
}

/** The default threshold differs between releases whose scores are not comparable. */
function scorerOf({ embeddingSpec: { pack, version }, padPack }: Engine): string {
  return `${pack} ${version}${padPack === null ? '' : ` with ${padPack}`}, default threshold ${formatSimilarity(SPOOF_THRESHOLD)}`;
}

/** A user is also found by the name alone, as a subject of the same name. */
function ownersOf({ clientId, galleryId, userId }: LivenessSessionRecord): SessionToRecord['owners'] {
  if (galleryId === null || userId === null) return [];
  return [
    { clientId, subject: userId },
    { clientId, galleryId },
    { clientId, galleryId, userId },
  ];
}

/** Its picture is not judged as that of a step is. */
function lightFrame({ light, capturedAt }: LightFrame, index: number) {
  const judged = { representative: false, spoofScore: null, faceSize: null, pose: null, error: null };
  return { step: `light ${light ?? index}`, capturedAt: capturedAt ?? null, ...judged };
}

function measured({ result }: AnalyzedFrame) {
  if ('error' in result) return { spoofScore: null, faceSize: null, pose: null, error: result.error.detail };
  const { box, pose, spoof } = result.face;
  const faceSize = Math.round(Math.min(box.width, box.height));
  return { spoofScore: spoof?.score ?? null, faceSize, pose: pose ?? null, error: null };
}

function spoofOf({ result }: AnalyzedFrame): Face['spoof'] {
  return 'face' in result ? result.face.spoof : undefined;
}
