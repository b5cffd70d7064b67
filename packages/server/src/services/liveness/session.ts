import type { RequestOf, SessionRequest, Step } from '@wajah/contract';
import type { AnalyzeRequest } from '@wajah/engine';
import { unjudgedDetail } from '../../config/findings.ts';
import { Refusal } from '../../errors.ts';
import { faceDigest, livenessTokenLifetime } from '../../security/tokens/liveness-tokens.ts';
import type { Alongside } from '../../store/database/session.ts';
import type { EarlierSession, LivenessSessionRecord, SessionStore } from '../../store/ports/sessions.ts';
import type { Store } from '../../store/ports/store.ts';
import { currentTry } from '../../store/session-store.ts';
import type { Caller } from '../caller.ts';
import { byArea, templateOf } from '../faces/main-face.ts';
import { decode, imageField } from '../faces/pictures.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';
import { keepsCrops } from '../galleries/lookup.ts';
import type { EnrolledPerson } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { assignSteps, timeProblem } from './challenge.ts';
import {
  type AnalyzedFrame,
  createLivenessContext,
  type LivenessContext,
  type LivenessDependencies,
} from './context.ts';
import { frontAngle, verify } from './findings.ts';
import { analyzeEarly, analyzeFrames, createEarlyFrames, type EarlyFrames, requireEarly } from './frames.ts';
import { createHintMeasuring } from './hints.ts';
import { createSessionAuthentication, hostedPage, redirectOf, triesOf } from './hosted.ts';
import { judge } from './judge.ts';
import { beginSession, type OpeningDependencies, openSession, openWaiting } from './opening.ts';
import type { EnrolmentOf, LivenessSessionService, SessionState, StepResult } from './ports.ts';
import { createReason, diagnosticsOf, type Reason, reasonTexts } from './reasons.ts';
import type { Replays } from './replays.ts';

type SessionDependencies = LivenessDependencies &
  OpeningDependencies &
  ServiceParts<'livenessTokens'> & {
    readonly replays: Replays;
    readonly features: readonly { readonly enrolmentOf?: EnrolmentOf }[];
  };

type SessionContext = LivenessContext & SessionDependencies;

/** Liveness sessions: the server draws the steps of a challenge, and judges the submitted frames once. */
export function createLivenessSessions(deps: SessionDependencies): LivenessSessionService {
  const context: SessionContext = { ...createLivenessContext(deps), ...deps };
  const { store } = deps;
  const early = createEarlyFrames();
  return {
    authenticate: createSessionAuthentication(store),
    ...createOpening(context),
    get: createReading(deps),
    hint: createHints(deps),

    async sendFrame(caller, { sessionId, image, step }) {
      const session = await findOpen(store, caller, sessionId);
      if (session.steps.length === 0) throw new Refusal('sessionWaits');
      return analyzeEarly(context, caller, early, session, { image, step });
    },

    async submit(caller, request) {
      const session = await claim(store, caller, request);
      try {
        requireEarly(early, session, request);
        if (session.keepFrame) requireFrontal(request);
        const judgement = await judgeSession(context, caller, session, request, early);
        early.drop(session);
        return { ...judgement, ...pageAnswer(caller, session, judgement.liveness === 'passed') };
      } catch (error) {
        // Not judged: busy, aborted or a defect. The client may submit again.
        try {
          await store.frames.forget(session);
        } finally {
          await store.sessions.release(caller.clientId, session.id);
        }
        throw error;
      }
    },
  };
}

/** Opens sessions, and begins those that wait. */
function createOpening(context: SessionContext) {
  const { store, config, events } = context;
  const shown = (session: LivenessSessionRecord, expiresIn: number) => {
    const { id: sessionId, expiresAt, keepFrame } = session;
    const steps = session.steps as Step[];
    return { sessionId, steps, expiresAt, expiresIn, frontAngle, keepFrame: keepFrame === true };
  };
  return {
    async open(caller, request) {
      const person = await context.personOf(caller, request);
      const page = hostedPage(request, caller, config.publicUrl);
      const waits = request.hosted || request.wait;
      const opened = await (waits
        ? openWaiting(context, caller, request, page.stored)
        : openSession(context, caller, request));
      const { session, again, expiresIn } = opened;
      const steps = session.steps.length;
      events.observe('session_opened', caller, { steps, verification: person !== undefined, again });
      return { ...shown(session, expiresIn), nonce: session.nonce, page: page.shownFor(session.id) };
    },

    async begin(caller, { sessionId }) {
      const waiting = await findOpen(store, caller, sessionId);
      const { session, expiresIn } = await beginSession(context, waiting);
      const facts = { steps: session.steps.length, verification: session.userId !== null };
      events.observe('session_opened', caller, { ...facts, again: waiting.steps.length > 0 });
      return shown(session, expiresIn);
    },
  } satisfies Partial<LivenessSessionService>;
}

function createReading(deps: SessionDependencies) {
  const { store, livenessTokens } = deps;
  return async (caller: Caller, { sessionId }: SessionRequest) => {
    const now = new Date();
    const found = await store.sessions.get(caller.clientId, ownId(caller, sessionId));
    if (!found) throw new Refusal('sessionNotFound');
    const session = currentTry(found, now);
    const { id, nonce, expiresAt, reasons } = session;
    const state = stateOf(session, now);
    const isOver = state !== 'waiting' && state !== 'open';
    const tries = triesOf(session, isOver);
    const common = { sessionId: id, state, expiresAt, ...tries, reasons: reasons ?? [] };
    if (caller.sessionId !== undefined) {
      const redirectUrl = session.passed === null ? undefined : redirectOf(session);
      const enrols = isOver ? undefined : await enrolmentBy(deps, id);
      return { ...common, token: undefined, redirectUrl, ...(enrols && { enrols }) };
    }
    const passed = session.passed && (await store.sessions.passedParts(caller.clientId, id, now));
    const expiresIn = passed ? Math.ceil((passed.until.getTime() - now.getTime()) / 1000) : 0;
    const token = passed ? await issueToken(livenessTokens, session, passed.template, expiresIn) : undefined;
    return { ...common, nonce, token, redirectUrl: undefined };
  };
}

/** What the page of a link says before the person begins: a link that was swapped is noticed by the name. */
async function enrolmentBy(
  { store, config, features }: SessionDependencies,
  sessionId: string,
): Promise<SessionState['enrols']> {
  for (const { enrolmentOf } of features) {
    const found = await enrolmentOf?.(sessionId);
    const gallery = found && (await store.galleries.get(found.clientId, found.galleryId));
    if (!gallery) continue;
    const { userName, galleryId: facegalleryId } = found;
    return { userName, facegalleryId, keepsCrop: keepsCrops(config, gallery) };
  }
  return undefined;
}

function createHints({ store, pictures }: SessionDependencies) {
  const hints = createHintMeasuring();
  return async (
    caller: Caller,
    { sessionId, image, attributes = ['pose', 'eyes', 'mouth'] }: RequestOf<'hintLivenessFrame'>,
  ) => {
    const session = await findOpen(store, caller, sessionId);
    const bytes = pictures.decode(imageField, image);
    const analyze = (asked: AnalyzeRequest) => pictures.analyze(imageField, bytes, asked, caller);
    const hint = await hints.measure(session, attributes, analyze);
    return { ...hint, faces: hint.faces.toSorted(byArea) };
  };
}

/** What is told of a hosted session that was judged: where its page leads the person, once no other try may begin. */
function pageAnswer({ sessionId }: Caller, session: LivenessSessionRecord, passed: boolean) {
  const tries = triesOf(session, passed);
  if (sessionId === undefined) return tries;
  return { ...tries, redirectUrl: tries.triesLeft === 0 ? redirectOf(session) : undefined };
}

async function claim(
  store: Pick<Store, 'sessions'>,
  caller: Caller,
  { sessionId, nonce }: RequestOf<'submitLivenessSession'>,
): Promise<LivenessSessionRecord> {
  const { clientId } = caller;
  const claimed = await store.sessions.claim(clientId, ownId(caller, sessionId), new Date());
  const session = openOrThrow(claimed);
  if (nonce === undefined || nonce === session.nonce) return session;
  await store.sessions.release(clientId, sessionId);
  throw new Refusal('nonceMismatch');
}

/** The session of a call. @throws Refusal `sessionNotFound` when its page asks for another one */
function ownId({ sessionId: own }: Caller, sessionId: string): string {
  if (own === undefined || own === sessionId) return sessionId;
  throw new Refusal('sessionNotFound');
}

function stateOf({ passed, claimedAt, waits, steps, expiresAt }: EarlierSession, now: Date) {
  if (passed !== null) return passed ? ('passed' as const) : ('failed' as const);
  if (waits?.ended) return 'ended' as const;
  if (claimedAt === null && expiresAt <= now) return 'expired' as const;
  return steps.length === 0 ? ('waiting' as const) : ('open' as const);
}

/** @throws Refusal `malformed` when a frontal frame is only a digest */
function requireFrontal({ frames }: RequestOf<'submitLivenessSession'>): void {
  const index = frames.findIndex(({ step, image }) => step === 'face front' && image === undefined);
  if (index >= 0) throw new Refusal('frontalNeedsImage', { index });
}

const refusals = {
  unknown: 'sessionNotFound',
  judged: 'sessionJudged',
  expired: 'sessionExpired',
  ended: 'sessionEnded',
  waiting: 'sessionWaits',
} as const;

function openOrThrow(session: Awaited<ReturnType<SessionStore['claim']>>): LivenessSessionRecord {
  if (typeof session === 'string') throw new Refusal(refusals[session]);
  return session;
}

/** The session of a call, which waits or is open. @throws Refusal */
async function findOpen({ sessions }: Pick<Store, 'sessions'>, caller: Caller, sessionId: string) {
  return openOrThrow(await sessions.find(caller.clientId, ownId(caller, sessionId), new Date()));
}

async function judgeSession(
  context: SessionContext,
  caller: Caller,
  session: LivenessSessionRecord,
  request: RequestOf<'submitLivenessSession'>,
  held: EarlyFrames,
) {
  const { frames } = request;
  const user = { facegalleryId: session.galleryId ?? undefined, userId: session.userId ?? undefined };
  const person = await context.personOf(caller, user);
  const places = assignSteps(frames, session.steps);
  const analyzed = await analyzeFrames(context, caller, frames, {
    inOrder: places !== undefined,
    early: (digest, needed) => held.find(session, digest, needed),
  });
  const judgement = await judgeFrames(context, session, frames, analyzed, places);
  const { results, reasons, failed, reference } = judgement;
  const template = reference && templateOf(reference);
  const verified = person && reference && verify(person, reference, context.thresholds);
  if (verified?.reason) reasons.push(verified.reason);
  const passing = reasons.length === 0 && template !== undefined;
  const compared = results.flatMap(({ frame }) => frame ?? []);
  reasons.push(...(await context.replays.check(session, analyzed, compared, passing)));
  const passed = passing && reasons.length === 0;
  const sealed = passed
    ? sealPassed(context, session, template, frontal(context, session, request, results))
    : null;
  await reportJudged(context, caller, session, analyzed, { sealed, person, reasons });
  const token = sealed
    ? await issueToken(context.livenessTokens, session, sealed.template, livenessTokenLifetime)
    : undefined;
  const liveness = passed ? ('passed' as const) : ('failed' as const);
  return {
    liveness,
    verified,
    reasons: reasonTexts(reasons),
    ...(reasons.some(({ name }) => name === 'networks') && { detail: unjudgedDetail }),
    diagnostics: diagnosticsOf(reasons),
    failed,
    results,
    token,
  };
}

/** Records the outcome of the session together with the event that tells it. */
async function reportJudged(
  { events, store }: SessionContext,
  caller: Caller,
  session: LivenessSessionRecord,
  analyzed: readonly AnalyzedFrame[],
  judged: { sealed: SealedPass | null; person: EnrolledPerson | undefined; reasons: readonly Reason[] },
): Promise<void> {
  const { id: sessionId, clientId, galleryId, userId, nonce } = session;
  const { sealed, person } = judged;
  const passed = sealed !== null;
  const found = Math.max(0, ...analyzed.map(({ result }) => ('found' in result ? result.found : 0)));
  const facts = { passed, images: analyzed.length, verification: person !== undefined, found };
  const reasons = [...new Set(judged.reasons.map(({ name }) => name))];
  const write = async (alongside: Alongside) => {
    if (!sealed)
      return store.sessions.markFailed(clientId, sessionId, alongside, reasonTexts(judged.reasons));
    if (!(await store.sessions.storeTemplate(clientId, sessionId, sealed, alongside)))
      throw new Refusal('sessionEnded');
  };
  await events.observe(
    'liveness_judged',
    caller,
    { way: 'session', ...facts, ...person?.facts },
    { galleryId, userId, sessionId, nonce, ...triesOf(session, passed), reasons, write },
  );
}

/** Steps are judged only when the frames follow them. */
async function judgeFrames(
  context: LivenessContext,
  session: LivenessSessionRecord,
  frames: RequestOf<'submitLivenessSession'>['frames'],
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
  return { reasons: [createReason('order', finding), ...times], failed: [], results, reference: undefined };
}

type SealedPass = ReturnType<typeof sealPassed>;

/** What is stored of a session that passed, for as long as its token is valid. */
function sealPassed(
  { engine, sessionVault }: SessionContext,
  { id: sessionId, clientId }: LivenessSessionRecord,
  template: Float32Array,
  frame: Uint8Array | undefined,
) {
  const embeddingSpec = embeddingSpecText(engine.embeddingSpec);
  return {
    template: sessionVault.seal({ clientId, sessionId, embeddingSpec }, template),
    frame: frame ? sessionVault.sealFrame(clientId, sessionId, frame) : null,
    until: new Date(Date.now() + livenessTokenLifetime * 1000),
  };
}

/** The most frontal picture of the frontal steps, where the session keeps it. */
function frontal(
  { config }: SessionContext,
  { keepFrame }: LivenessSessionRecord,
  { frames }: RequestOf<'submitLivenessSession'>,
  results: readonly StepResult[],
): Uint8Array | undefined {
  if (!keepFrame) return undefined;
  const turned = ({ yaw = 90, pitch = 90 }: StepResult) => Math.hypot(yaw, pitch);
  const [best] = results
    .filter(({ step }) => step === 'face front')
    .toSorted((one, other) => turned(one) - turned(other));
  const image = frames[best?.frame ?? -1]?.image;
  return image === undefined ? undefined : decode(imageField, image, config.limits.imageBytes);
}

/** @param expiresIn seconds */
async function issueToken(
  tokens: SessionDependencies['livenessTokens'],
  { id: sessionId, clientId, nonce }: Pick<LivenessSessionRecord, 'id' | 'clientId' | 'nonce'>,
  template: Uint8Array,
  expiresIn: number,
) {
  const text = await tokens.issue({ clientId, sessionId, nonce, face: faceDigest(template) });
  return { text, expiresIn };
}
