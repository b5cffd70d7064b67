import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Parameter } from '@wajah/contract';
import {
  captureFaults,
  compareSkins,
  type Face,
  flatnessOf,
  MIN_TURN_DEGREES,
  SITTING,
  type Stillness,
  sittingChange,
  stillnessOf,
} from '@wajah/engine';
import { formatSimilarity } from '../recognition/format-similarity.ts';
import type { LivenessContext } from './context.ts';
import { createReason, type Reason } from './reasons.ts';

/** A frame that represents a step. */
interface StepFrame {
  /** Its name in diagnostics, such as `frames[2]`. */
  readonly name: string;
  readonly step: Parameter;
  readonly face: Face;
}

/**
 * Computes what the checks compare, a few milliseconds in each turn of the event loop.
 * @param sitting of `checkSitting`
 * @param turning of `measureStillness`
 */
export async function compareInTurns(
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
export function checkCapture(frames: readonly StepFrame[]): Reason[] {
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
export function checkHeadTurn(faces: readonly Face[], stillness: Stillness | undefined): Reason[] {
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
 * `face front`; the shading only where eyes and mouth were not requested to change.
 */
export function checkSitting([first, ...later]: readonly StepFrame[]): Reason[] {
  return later.flatMap(({ name, step, face }) => {
    const change = sittingChange(first!.face, face);
    const shadingChanged = change && step === 'face front' && change.shading > SITTING.maxShading;
    if (!change || (change.correlation >= SITTING.minCorrelation && !shadingChanged)) return [];
    const figures = `correlation ${formatSimilarity(Math.max(0, change.correlation))}, change of shading ${change.shading.toFixed(3)}`;
    return [createReason('person', `${name} was not taken in one sitting with ${first!.name}`, figures)];
  });
}

/** Fewest frames with a verdict that decide on spoof, at least half of all: unclear ones must not silence the check. */
const MIN_CLEAR_FRAMES = 2;

/**
 * The mean over the steps, because the error rates of a single frame are too high. Unclear frames do not count; where too few
 * are left, the session asks for better ones. A threshold of 1 switches the check off.
 */
export function checkSpoof({ thresholds }: LivenessContext, faces: readonly Face[]): Reason[] {
  if (thresholds.spoof >= 1 || faces.length === 0) return [];
  const scores = faces.flatMap(({ spoof }) =>
    spoof && thresholds.spoofVerdict(spoof) !== 'unclear' ? spoof.score : [],
  );
  const needed = Math.max(MIN_CLEAR_FRAMES, Math.ceil(faces.length / 2));
  if (scores.length < Math.min(needed, faces.length)) {
    const reasons = new Set(faces.flatMap(({ spoof }) => spoof?.unclear ?? []));
    return [createReason('quality', `too few frames allow a verdict on spoof: ${[...reasons].join(', ')}`)];
  }
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const threshold = thresholds.spoofOfMean(scores.length);
  if (!(mean >= threshold)) return [];
  const figures = `mean spoof_score ${formatSimilarity(mean)}, threshold ${formatSimilarity(threshold)}`;
  return [createReason('spoof', 'the frames look taken of a picture or a mask', figures)];
}

/**
 * Evidence of a still picture that software animates: each of its frames may pass as bona fide. A spoof threshold of 1
 * switches the check off; other thresholds do not change its limit, which is of its own.
 * @param faces of the steps that require an angle
 */
export function measureStillness(
  { thresholds }: LivenessContext,
  faces: readonly Face[],
): Stillness | undefined {
  return thresholds.spoof >= 1 ? undefined : stillnessOf(faces);
}

export function checkAnimatedStill(stillness: Stillness | undefined): Reason[] {
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
