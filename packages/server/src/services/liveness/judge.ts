import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Step } from '@wajah/contract';
import {
  captureFaults,
  compareSkins,
  type Face,
  flatnessOf,
  innerProduct,
  isOneSitting,
  MIN_TURN_DEGREES,
  meanSpoofScore,
  type Stillness,
  sittingChange,
  stillnessOf,
} from '@wajah/engine';
import type { LivenessSessionRecord } from '../../store/session-store.ts';
import { quickTemplateOf } from '../faces/main-face.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';
import { requiredState } from './challenge.ts';
import type { AnalyzedFrame, LivenessContext, PictureError } from './context.ts';
import {
  attributesOf,
  type Findings,
  findingsOf,
  type JudgedAttributes,
  type Requirements,
  withRequiredStates,
} from './findings.ts';
import { createReason, createStepReason, createUnjudgedReason, type Reason } from './reasons.ts';
import { checkSeries, type Frame, findRepeats, mostFrontal } from './series.ts';

/** The result of a step, in the names of the wire. */
export interface StepResult extends JudgedAttributes {
  step: Step;
  match: boolean;
  frame?: number;
  error?: PictureError;
}

/**
 * @param places for each frame the index of its step
 * @returns indices of the frames that represent the steps
 */
export function representatives(
  context: LivenessContext,
  { steps }: LivenessSessionRecord,
  frames: readonly AnalyzedFrame[],
  places: readonly number[],
): number[] {
  return bestFrames(context, steps, frames, places).flatMap(({ result }) => result.frame ?? []);
}

function bestFrames(
  context: LivenessContext,
  steps: readonly string[],
  frames: readonly AnalyzedFrame[],
  places: readonly number[],
): BestFrame[] {
  return steps.map((step, place) => {
    const own = frames.flatMap((frame, index) => (places[index] === place ? { ...frame, index } : []));
    return bestFrame(context, step as Step, own);
  });
}

/**
 * @param frames with the details of the `representatives`
 * @param places for each frame the index of its step
 * @returns `reasons` why the session is not passed; `reference`: the most frontal of the faces that represent a step
 */
export async function judge(
  context: LivenessContext,
  { steps }: LivenessSessionRecord,
  frames: readonly AnalyzedFrame[],
  places: readonly number[],
) {
  const best = bestFrames(context, steps, frames, places);
  const judged = new Set(best.map(({ result }) => result.frame));
  const series = frames.flatMap(({ name, digest, result }, index): Frame[] => {
    if (!('face' in result)) return [];
    const picture = { name, digest: digest.toString('hex'), face: result.face };
    return [{ ...picture, parameter: `step ${places[index]}`, judged: judged.has(index) }];
  });
  const faces = best.flatMap(({ face }) => face ?? []);
  const turning = best.flatMap(({ face, result }) => (face && requiredState(result.step).angle ? face : []));
  const sitting = best.filter(({ result }) => result.match).flatMap(nameOf);
  await compareInTurns(context, sitting, turning);
  const stillness = measureStillness(context, turning);
  const unmatched = best.flatMap(({ result }, i) => (result.match ? [] : unmatchedStep(result, i)));
  return {
    results: best.map(({ result }) => result),
    reasons: [
      ...unmatched,
      ...findRepeats(context.engine, series, 'steps'),
      ...checkSeries(series, context.engine, turning),
      ...checkCapture(best.flatMap(nameOf)),
      ...(unmatched.length === 0 ? checkHeadTurn(turning, stillness) : []),
      ...checkIdentity(context, best),
      ...checkSitting(sitting),
      ...checkSpoof(context, faces),
      ...checkAnimatedStill(stillness),
    ],
    reference: mostFrontal(faces, (face) => face),
  };
}

interface BestFrame {
  readonly result: StepResult;
  readonly face?: Face | undefined;
}

function nameOf({ face, result }: BestFrame) {
  return face ? [{ name: `frames[${result.frame}]`, step: result.step, face }] : [];
}

/** The frame that matches a step best, if possible one that can be judged. */
function bestFrame(
  { thresholds }: LivenessContext,
  step: Step,
  frames: readonly (AnalyzedFrame & { readonly index: number })[],
): BestFrame {
  const required: Requirements = { ...requiredState(step), spoofDetection: true };
  const judged = frames.flatMap(({ result, index }) => {
    if (!('face' in result)) return [];
    const findings = findingsOf(result.face, required, thresholds);
    const { face, faults } = result;
    return { face, index, findings, match: stateFinding(findings), faults };
  });
  const [best] = judged.sort(
    (a, b) =>
      Number(b.match.holds) - Number(a.match.holds) ||
      a.faults - b.faults ||
      b.match.evidence - a.match.evidence,
  );
  if (best) {
    const { face, index, findings } = best;
    const attributes = attributesOf(withRequiredStates(face, required), findings);
    return { face, result: { step, match: best.match.holds, frame: index, ...attributes } };
  }
  const failed = frames.map(({ result }) => result).find((result) => 'error' in result);
  return { result: { step, match: false, ...(failed && { error: failed.error }) } };
}

function stateFinding({ angle, eyes, mouth }: Findings) {
  return angle ?? eyes ?? mouth ?? { holds: false, evidence: 0 };
}

function unmatchedStep({ step, error }: StepResult, place: number): Reason {
  const where = `steps[${place}]`;
  if (!error) {
    const hint = `do ${JSON.stringify(step)} clearly and hold it for a moment`;
    return createStepReason(where, hint, `no frame shows ${JSON.stringify(step)}`);
  }
  const hint = `no frame could be judged (${error.status_message}); keep the face in view, close and in good light`;
  return createStepReason(where, hint, error.detail);
}

/** Angles up to which a turned head is as similar to its front as a frontal one, degrees. */
const resembling = { yaw: 40, pitch: 25 } as const;

/**
 * Compares the frames with the first one, which is frontal, at the threshold of verification; eyes, mouth and a turn of up
 * to `resembling` hardly change the similarity. On `dev`, 0 of 112 genuine pairs of one sitting (eyes, mouth and glasses
 * differ) and 0 of 288 pairs with a turned frame fall below it, and 1,342 of 1,344 and 99 % of the impostor pairs: by whole
 * templates; by those of one crop, again 0 of 112, and of all impostor pairs no more (`frames/analyze-frames.ts`).
 */
function checkIdentity({ engine, thresholds }: LivenessContext, best: readonly BestFrame[]): Reason[] {
  const [first, ...later] = best.filter(({ face, result }) => {
    const { yaw = 0, pitch = 0 } = face?.pose ?? {};
    return result.match && Math.abs(yaw) < resembling.yaw && Math.abs(pitch) < resembling.pitch;
  });
  const needed = thresholds.verification();
  return later.flatMap(({ face, result }) => {
    const similarity = engine.similarity(quickTemplateOf(first!.face!), quickTemplateOf(face!));
    if (similarity >= needed) return [];
    const names = `frames[${result.frame}] shows a face that does not match frames[${first!.result.frame}]`;
    const figures = `similarity ${formatSimilarity(similarity)}, at least ${formatSimilarity(needed)} is needed`;
    return [createReason('person', names, figures)];
  });
}

/** A frame that represents a step. */
interface StepFrame {
  /** Its name in diagnostics, such as `frames[2]`. */
  readonly name: string;
  readonly step: Step;
  readonly face: Face;
}

/**
 * Computes what the checks compare, a few milliseconds in each turn of the event loop.
 * @param sitting of `checkSitting`
 * @param turning of `measureStillness`
 */
async function compareInTurns(
  { thresholds }: LivenessContext,
  [first, ...later]: readonly StepFrame[],
  turning: readonly Face[],
): Promise<void> {
  for (const { face } of later) {
    sittingChange(first!.face, face);
    await nextTurn();
  }
  if (thresholds.spoof >= 1) return;
  for (const _ of compareSkins(turning)) await nextTurn();
}

/** Frames that are too small, blurred, dark or noisy would pass the other checks unseen. */
function checkCapture(frames: readonly StepFrame[]): Reason[] {
  return frames.flatMap(({ name, face }) =>
    captureFaults(face).map((fault) => {
      const figures = `${fault.value.toFixed(2)}, the limit is ${fault.limit}`;
      return createReason('quality', `${name} cannot be judged: ${fault.name}`, figures);
    }),
  );
}

/**
 * Every challenge turns the head; the landmarks of a tilted print or screen do not move like a turned head's.
 * @param faces of the steps that require an angle; each step is matched
 */
function checkHeadTurn(faces: readonly Face[], stillness: Stillness | undefined): Reason[] {
  const { turn } = flatnessOf(faces);
  if (turn < MIN_TURN_DEGREES) {
    const figures = `by ${turn.toFixed(1)}° at most, ${MIN_TURN_DEGREES}° are needed`;
    return [createReason('flat', 'the head hardly turned', figures)];
  }
  if (stillness === undefined || stillness.pairs > 0) return [];
  return [createReason('quality', 'no two frames show the same side of the face')];
}

/**
 * Frontal frames of one session show one face in one light: pictures of several occasions do not, nor films that are
 * filmed again from a screen with changing reflections. Each frame is compared with the first, which is of a step
 * `face front`; the shading only where eyes and mouth were not requested to change. Who moves with the phone changes the
 * light, but not the face: templates as alike as those of one sitting decide, unless the skin without its light stays the
 * same, as on a picture that is lit anew.
 */
function checkSitting([first, ...later]: readonly StepFrame[]): Reason[] {
  return later.flatMap(({ name, step, face }) => {
    const change = sittingChange(first!.face, face);
    if (!change) return [];
    const product = innerProduct(quickTemplateOf(first!.face), quickTemplateOf(face));
    if (isOneSitting(change, product, step === 'face front')) return [];
    const figures = `correlation ${formatSimilarity(Math.max(0, change.correlation))}, change of shading ${change.shading.toFixed(3)}, without light ${change.unlit.toFixed(2)}, templates ${product.toFixed(2)}`;
    return [createReason('person', `${name} was not taken in one sitting with ${first!.name}`, figures)];
  });
}

/** Fewest frames with a verdict that decide on spoof, at least half of all: unclear ones must not silence the check. */
const MIN_CLEAR_FRAMES = 2;

/**
 * The mean over the steps, because the error rates of a single frame are too high. Unclear frames do not count; where too few
 * are left, the session asks for better ones. Frames that no network judged fail it, unless the operator accepts them; a
 * threshold of 1 switches off what networks judge.
 */
export function checkSpoof(
  { thresholds }: Pick<LivenessContext, 'thresholds'>,
  faces: readonly Face[],
): Reason[] {
  const estimates = faces.flatMap(({ spoof }) => spoof ?? []);
  if (estimates.some(thresholds.isUnjudged)) return [createUnjudgedReason()];
  if (thresholds.spoof >= 1 || !estimates.some(({ networks }) => networks.length > 0)) return [];
  const clear = faces.flatMap(({ spoof }) =>
    spoof && thresholds.spoofVerdict(spoof) !== 'unclear' ? spoof : [],
  );
  const needed = Math.max(MIN_CLEAR_FRAMES, Math.ceil(faces.length / 2));
  if (clear.length < Math.min(needed, faces.length)) {
    const reasons = new Set(faces.flatMap(({ spoof }) => spoof?.unclear ?? []));
    return [createReason('quality', `too few frames allow a verdict on spoof: ${[...reasons].join(', ')}`)];
  }
  const mean = meanSpoofScore(clear);
  const threshold = thresholds.spoofOfMean(clear.length);
  if (mean < threshold) return [];
  const figures = `mean spoof_score ${formatSimilarity(mean)}, threshold ${formatSimilarity(threshold)}`;
  return [createReason('spoof', 'the frames look taken of a picture or a mask', figures)];
}

/**
 * Evidence of a still picture that software animates: each of its frames may pass as bona fide. A spoof threshold of 1
 * switches the check off; other thresholds do not change its limit, which is of its own.
 * @param faces of the steps that require an angle
 */
function measureStillness({ thresholds }: LivenessContext, faces: readonly Face[]): Stillness | undefined {
  return thresholds.spoof >= 1 ? undefined : stillnessOf(faces);
}

function checkAnimatedStill(stillness: Stillness | undefined): Reason[] {
  if (stillness === undefined) return [];
  const { probability, correlation, unlit, shading, atRest, gaze, signals } = stillness;
  if (probability <= 0.5) return [];
  const figures = [
    `correlation ${formatSimilarity(correlation)}, without light ${formatSimilarity(unlit)}, change of shading ${shading.toFixed(3)}`,
    atRest &&
      `${formatSimilarity(atRest.correlation)} and ${atRest.shading.toFixed(3)} between frontal frames`,
    gaze !== undefined && `log likelihood ratio of fixed irises ${gaze.toFixed(1)}`,
  ];
  const text = figures.filter(Boolean).join('; ');
  const found = signals.length > 0 ? signals.map((signal) => stillFindings[signal]) : [stillFindings.all];
  return found.map((finding) => createReason('spoof', finding, text));
}

const stillFindings = {
  detail: 'the detail of the skin does not change while the head turns, as in an animated still',
  unlit: 'the skin without the light on it does not change while the head turns, as in an animated still',
  shading: 'the shading of the face does not change while the head turns, as in an animated still',
  rest: 'the skin changes without a turn about as much as with one, as in an animated still',
  gaze: 'the irises keep their place in the eyes while the head turns, as in an animated still',
  pair: 'two frames at different angles have the same skin and shading, as frames of one animated picture do',
  all: 'skin, shading and irises hardly change while the head turns, as in an animated still',
} as const;
