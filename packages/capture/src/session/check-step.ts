import type { DetectAttribute, DetectedFace, Detection, Step } from '../transport/protocol.ts';

/** Light in which a frame may not be judged. */
export type LightWarning = 'too-dark' | 'too-bright' | 'glare';

/** Why a step is not detected, or a frame may not be judged. */
export type Hint =
  | LightWarning
  /** The server does not answer. */
  | 'offline'
  /** It has too much to do. */
  | 'busy'
  | 'no-face'
  | 'too-far'
  | 'too-close'
  | 'off-centre'
  | 'several-faces'
  | 'masked'
  | 'covered'
  | 'other-way'
  | 'further'
  | 'straight';

/** Whether a frame shows a step. */
export interface StepCheck {
  readonly seen: boolean;
  readonly hint?: Hint | undefined;
  /** What the face does instead of the step. */
  readonly sees?: Step | undefined;
  readonly warning?: LightWarning | undefined;
}

/**
 * The face attributes that decide a step; at the front also whether the eyes are covered.
 * @param after the step before, which it must not show any longer
 */
export function attributesFor(step: Step, after: Step = step): readonly DetectAttribute[] {
  const atFront = step === 'face front' ? (['eyes'] as const) : [];
  return [...new Set([attributeOf(step), ...atFront, attributeOf(after)])];
}

function attributeOf(step: Step): DetectAttribute {
  if (step.startsWith('eyes')) return 'eyes';
  return step.startsWith('mouth') ? 'mouth' : 'pose';
}

/** Limits of a face's width, as shares of the picture's shorter side: of a wider one the server sees too little around the head. */
const WIDTH = { least: 0.2, most: 0.6 } as const;
/** From this share of the first face's width on, a second face may be confused with it. */
const SECOND_FACE = 0.6;
/** Safety margins, because the server judges the larger picture: degrees, degrees at the front, probability. */
const MARGIN = { degrees: 2.5, front: 1.5, score: 0.6 } as const;

/**
 * Checks a detection against a step, with a safety margin.
 * @param frontAngle degrees below which the server takes a head as frontal
 * @param after the step before, which it must not show any longer
 */
export function checkStep(
  step: Step,
  { faces, image }: Detection,
  frontAngle: number,
  after?: Step,
): StepCheck {
  const [face, second] = faces;
  if (!face) return { seen: false, hint: 'no-face' };
  if (second && second.box.width > SECOND_FACE * face.box.width)
    return { seen: false, hint: 'several-faces' };
  // Of no use wherever the face is: who moves to the right place first only learns then that it was in vain.
  if (face.mouth === 'masked') return { seen: false, hint: 'masked' };
  const hint = distanceHint(face.box.width / Math.min(image.width, image.height));
  if (hint) return { seen: false, hint };
  if (isOffCentre(face, image)) return { seen: false, hint: 'off-centre' };
  if (face.left_eye === 'covered') return { seen: false, hint: 'covered' };
  if (after !== undefined && shows(after, face, frontAngle)) return { seen: false, sees: after };
  if (shows(step, face, frontAngle)) return { seen: true };
  return { seen: false, hint: turnHint(step, face, frontAngle), sees: stateOf(step, face, frontAngle) };
}

function distanceHint(width: number): Hint | undefined {
  if (width > WIDTH.most) return 'too-close';
  return width < WIDTH.least ? 'too-far' : undefined;
}

/** What the face does, by the rule of the server and thus without the margin; undefined when it is the step. */
function stateOf(step: Step, face: DetectedFace, frontAngle: number): Step | undefined {
  const state = step.startsWith('face') ? poseOf(face, frontAngle) : otherState(step);
  return state === step ? undefined : state;
}

function otherState(step: Step): Step {
  if (step.startsWith('eyes')) return step === 'eyes closed' ? 'eyes open' : 'eyes closed';
  return step === 'mouth open' ? 'mouth closed' : 'mouth open';
}

function poseOf({ yaw, pitch }: DetectedFace, frontAngle: number): Step | undefined {
  if (yaw === undefined || pitch === undefined) return undefined;
  if (Math.max(Math.abs(yaw), Math.abs(pitch)) < frontAngle) return 'face front';
  if (Math.abs(yaw) >= Math.abs(pitch)) return yaw > 0 ? 'face left' : 'face right';
  return pitch > 0 ? 'face up' : 'face down';
}

const opposites: Partial<Record<Step, Step>> = {
  'face left': 'face right',
  'face right': 'face left',
  'face up': 'face down',
  'face down': 'face up',
};

/** The hint for a head that is turned, but not in the pose of the step. */
function turnHint(step: Step, face: DetectedFace, frontAngle: number): Hint | undefined {
  if (step === 'face front') return 'straight';
  const opposite = opposites[step];
  if (!opposite) return undefined;
  if (shows(opposite, face, frontAngle)) return 'other-way';
  return shows(step, face, frontAngle / 2) ? 'further' : undefined;
}

function isOffCentre({ box }: DetectedFace, image: Detection['image']): boolean {
  const [x, y] = [(box.x + box.width / 2) / image.width, (box.y + box.height / 2) / image.height];
  return x < 0.2 || x > 0.8 || y < 0.15 || y > 0.85;
}

function shows(step: Step, face: DetectedFace, frontAngle: number): boolean {
  const { yaw, pitch } = face;
  const [kind, state] = step.split(' ') as [string, string];
  if (kind === 'eyes') {
    const isCertain = Math.min(face.left_eye_score ?? 1, face.right_eye_score ?? 1) >= MARGIN.score;
    return face.left_eye === state && face.right_eye === state && isCertain;
  }
  if (kind === 'mouth') return face.mouth === state && (face.mouth_score ?? 1) >= MARGIN.score;
  if (yaw === undefined || pitch === undefined) return false;
  const beyond = frontAngle + MARGIN.degrees;
  switch (state) {
    case 'left':
      return yaw >= beyond && yaw > Math.abs(pitch) + MARGIN.degrees;
    case 'right':
      return -yaw >= beyond && -yaw > Math.abs(pitch) + MARGIN.degrees;
    case 'up':
      return pitch >= beyond && pitch > Math.abs(yaw) + MARGIN.degrees;
    case 'down':
      return -pitch >= beyond && -pitch > Math.abs(yaw) + MARGIN.degrees;
    default:
      return Math.max(Math.abs(yaw), Math.abs(pitch)) <= frontAngle - MARGIN.front;
  }
}
