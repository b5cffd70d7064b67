import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Step } from '@wajah/contract';
import {
  captureFaults,
  type Face,
  type Flatness,
  innerProduct,
  isOneSitting,
  MIN_TURN_DEGREES,
  meanSpoofScore,
  type Stillness,
  sittingChange,
} from '@wajah/engine';
import { quickTemplateOf } from '../faces/main-face.ts';
import { samePersonLimit } from '../faces/several-pictures.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';
import { requiredState } from './challenge.ts';
import type { LivenessContext } from './context.ts';
import { angleOf } from './findings.ts';
import type { StepResult } from './ports.ts';
import { createReason, createStepReason, type Reason } from './reasons.ts';
import { checkFlatness, type Frame, findIdentityChanges, findRepeats } from './series.ts';

/** A step with the frame that shows it best. */
export interface BestFrame {
  readonly result: StepResult;
  readonly face?: Face | undefined;
}

/** A frame that represents a step. */
export interface StepFrame {
  /** Its name in diagnostics, such as `frames[2]`. */
  readonly name: string;
  readonly step: Step;
  readonly face: Face;
}

/** What the checks see of a session whose frames follow its steps. */
export interface SessionFrames extends Pick<LivenessContext, 'engine' | 'thresholds'> {
  /** Least size of the face, pixels. */
  readonly minFace: number;
  /** One entry for each step, in order. */
  readonly best: readonly BestFrame[];
  /** All frames with a face. */
  readonly series: readonly Frame[];
  /** The frames that represent a step. */
  readonly chosen: readonly StepFrame[];
  /** Of these, those that show their step; the first one is frontal. */
  readonly matched: readonly StepFrame[];
  /** Of the faces of the steps that require an angle. */
  readonly flatness: Flatness;
  /** Of the same faces; undefined where a spoof threshold of 1 switches it off. */
  readonly stillness: Stillness | undefined;
}

/** A check of a session. */
interface Check {
  /** Its name in measurements. The reasons that it gives have names of their own, which several checks share. */
  readonly name: string;
  /** Attack species that it was written for. */
  readonly stops: string;
  /** Why the session is not passed; empty: the check has no objection. */
  find(session: SessionFrames): Reason[] | Promise<Reason[]>;
}

/**
 * The checks of a session in the order of their reasons. Each decides some attack alone (docs/dev/measuring-liveness.md);
 * the figures of each are in lab/results/liveness-checks.json, the attacks that pass all in sessions-{dev,test}.json.
 */
export const checks: readonly Check[] = [
  { name: 'steps', stops: 'pictures that cannot do what is asked', find: findUnmatchedSteps },
  {
    name: 'repeats',
    stops: 'one picture for several steps',
    find: ({ engine, series }) => findRepeats(engine, series, 'steps'),
  },
  { name: 'person', stops: 'frames of two people', find: checkPerson },
  { name: 'plane', stops: 'print or screen that is tilted', find: checkPlane },
  { name: 'capture', stops: 'frames degraded to hide an attack', find: checkCapture },
  { name: 'sitting', stops: 'pictures of several occasions, films filmed from a screen', find: checkSitting },
  { name: 'networks', stops: 'prints, screens and masks', find: checkSpoof },
  { name: 'still', stops: 'animated stills', find: checkAnimatedStill },
];

function findUnmatchedSteps({ best }: SessionFrames): Reason[] {
  return best.flatMap((frame, place) => (frame.result.match ? [] : unmatchedStep(frame, place)));
}

/** Where a step asks for one side and a frame shows the other, the pictures may be mirrored, as previews of cameras are. */
function unmatchedStep({ result: { step, error }, face }: BestFrame, place: number): Reason {
  const where = `steps[${place}]`;
  if (!error) {
    const asked = JSON.stringify(step);
    const pose = requiredState(step).angle && face?.pose;
    const seen = pose && angleOf(pose);
    const mirrored =
      seen && seen === otherSides[step]
        ? `; ${JSON.stringify(seen)} was seen: the pictures may be mirrored`
        : '';
    const hint = `do ${asked} clearly and hold it for a moment${mirrored}`;
    const figures = pose && `yaw ${pose.yaw.toFixed(1)}°, pitch ${pose.pitch.toFixed(1)}°`;
    return createStepReason(where, hint, `no frame shows ${asked}${mirrored}`, figures);
  }
  const hint = `no frame could be judged (${error.status_message}); keep the face in view, close and in good light`;
  return createStepReason(where, hint, error.detail);
}

const otherSides: Partial<Record<Step, Step>> = { 'face left': 'face right', 'face right': 'face left' };

/** Angles up to which a turned head is as similar to its front as a frontal one, degrees. */
const resembling = { yaw: 40, pitch: 25 } as const;

/**
 * The frames that the steps are judged by must match at the threshold of verification where they are turned by up to
 * `resembling`: eyes, mouth and such a turn hardly change the similarity. On `dev`, 0 of 112 genuine pairs of one sitting
 * (eyes, mouth and glasses differ) and 0 of 288 pairs with a turned frame fall below it, and 1,342 of 1,344 and 99 % of the
 * impostor pairs: by whole templates; by those of one crop, again 0 of 112, and of all impostor pairs no more
 * (`frames.ts`). Two people who resemble each other pass the limit of all others.
 */
function checkPerson({ engine, thresholds, series }: SessionFrames): Reason[] {
  return findIdentityChanges(series, engine, ({ judged, face: { pose } }) => {
    const { yaw = 0, pitch = 0 } = pose ?? {};
    const resembles = Math.abs(yaw) < resembling.yaw && Math.abs(pitch) < resembling.pitch;
    return judged && resembles ? thresholds.verification() : samePersonLimit;
  });
}

/**
 * Every challenge turns the head: where it hardly turns, nothing tells it from a picture. Where a step is not matched,
 * that is the reason.
 */
function checkPlane({ best, flatness }: SessionFrames): Reason[] {
  if (flatness.turn >= MIN_TURN_DEGREES || !areMatched(best)) return checkFlatness(flatness);
  const figures = `by ${flatness.turn.toFixed(1)}° at most, ${MIN_TURN_DEGREES}° are needed`;
  return [createReason('flat', 'the head hardly turned', figures)];
}

const areMatched = (best: readonly BestFrame[]) => best.every(({ result }) => result.match);

/** Frames that are too small, blurred, dark, bright or noisy would pass the other checks unseen. */
function checkCapture({ chosen, minFace }: SessionFrames): Reason[] {
  return chosen.flatMap(({ name, face }) =>
    captureFaults(face, minFace).map((fault) =>
      createReason('quality', `${name} cannot be judged: ${fault}`),
    ),
  );
}

/**
 * Frontal frames of one session show one face in one light: pictures of several occasions do not, nor films that are
 * filmed again from a screen with changing reflections. Each frame is compared with the first, which is of a step
 * `face front`; the shading only where eyes and mouth were not requested to change. Who moves with the phone changes the
 * light, but not the face: templates as alike as those of one sitting decide, unless the skin without its light stays the
 * same, as on a picture that is lit anew.
 */
async function checkSitting({ matched: [first, ...later] }: SessionFrames): Promise<Reason[]> {
  const found: Reason[] = [];
  for (const { name, step, face } of later) {
    await nextTurn();
    const change = sittingChange(first!.face, face);
    if (!change) continue;
    const product = innerProduct(quickTemplateOf(first!.face), quickTemplateOf(face));
    if (isOneSitting(change, product, step === 'face front')) continue;
    const figures = `correlation ${formatSimilarity(Math.max(0, change.correlation))}, change of shading ${change.shading.toFixed(3)}, without light ${change.unlit.toFixed(2)}, templates ${product.toFixed(2)}`;
    found.push(createReason('person', `${name} was not taken in one sitting with ${first!.name}`, figures));
  }
  return found;
}

/** Fewest frames with a verdict that decide on spoof, at least half of all: unclear ones must not silence the check. */
const MIN_CLEAR_FRAMES = 2;

/**
 * The mean over the steps, because the error rates of a single frame are too high. Unclear frames do not count; where too few
 * are left, the session asks for room around the head: `checkCapture` says what else is unclear. Frames that no network
 * judged fail it, unless the operator accepts them; a threshold of 1 switches off what networks judge.
 */
function checkSpoof({ thresholds, chosen }: SessionFrames): Reason[] {
  const estimates = chosen.flatMap(({ face }) => face.spoof ?? []);
  if (estimates.some(thresholds.isUnjudged)) {
    return [createReason('networks', 'no PAD networks are installed')];
  }
  if (thresholds.spoof >= 1 || !estimates.some(({ networks }) => networks.length > 0)) return [];
  const clear = estimates.filter((estimate) => thresholds.spoofVerdict(estimate) !== 'unclear');
  const needed = Math.max(MIN_CLEAR_FRAMES, Math.ceil(chosen.length / 2));
  if (clear.length < Math.min(needed, chosen.length)) {
    const unclear = new Set(estimates.flatMap((estimate) => estimate.unclear));
    const finding = `too few frames allow a verdict on spoof: ${[...unclear].join(', ')}`;
    return [createReason(unclear.has('tight') ? 'room' : 'quality', finding)];
  }
  const mean = meanSpoofScore(clear);
  const threshold = thresholds.spoofOfMean(clear.length);
  if (mean < threshold) return [];
  const figures = `mean spoof_score ${formatSimilarity(mean)}, threshold ${formatSimilarity(threshold)}`;
  return [createReason('spoof', 'the frames look taken of a picture or a mask', figures)];
}

/** A still picture that software animates: each of its frames may pass as bona fide. Some two must be comparable. */
function checkAnimatedStill({ best, flatness, stillness }: SessionFrames): Reason[] {
  if (stillness === undefined) return [];
  if (stillness.pairs === 0 && flatness.turn >= MIN_TURN_DEGREES && areMatched(best)) {
    return [createReason('quality', 'no two frames show the same side of the face')];
  }
  const { probability, correlation, unlit, shading, gaze, leastDifference } = stillness;
  if (probability <= 0.5) return [];
  const figures = [
    `correlation ${formatSimilarity(correlation)}, without light ${formatSimilarity(unlit)}, change of shading ${shading.toFixed(3)}`,
    `least difference of two frames ${leastDifference.toFixed(1)}`,
    gaze !== undefined && `log likelihood ratio of fixed irises ${gaze.toFixed(1)}`,
  ];
  const finding = 'skin, shading and irises hardly change while the head turns, as in an animated still';
  return [createReason('spoof', finding, figures.filter(Boolean).join('; '))];
}
