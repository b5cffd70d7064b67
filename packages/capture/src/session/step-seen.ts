import type { DetectAttribute, DetectedFace, Detection, Step } from '../transport/protocol.ts';

/** What keeps a step from being seen, other than that it is not done yet. */
export type Hint =
  | 'no-face'
  | 'too-far'
  | 'too-close'
  | 'off-centre'
  | 'several-faces'
  | 'masked'
  | 'other-way'
  | 'further'
  | 'straight';

/** What a picture says about a step. */
export interface Look {
  readonly seen: boolean;
  readonly hint?: Hint;
}

/** Attributes that tell whether the step is done. */
export function attributesFor(step: Step): readonly DetectAttribute[] {
  if (step.startsWith('eyes')) return ['eyes'];
  return step.startsWith('mouth') ? ['mouth'] : ['pose'];
}

/** Shares of the picture's shorter side that a face's width should be between. */
const WIDTH = { least: 0.2, most: 0.85 } as const;
/** A second face of this share of the first one's width may be taken for it. */
const RIVAL = 0.6;
/** The server's judgement of the larger picture may differ a little: degrees and probability on the safe side. */
const MARGIN = { degrees: 2.5, front: 1.5, score: 0.6 } as const;

/**
 * Whether the picture shows what the step asks for, with a little to spare.
 * @param frontAngle degrees below which the server takes a head as facing the front
 */
export function lookFor(step: Step, { faces, image }: Detection, frontAngle: number): Look {
  const [face, second] = faces;
  if (!face) return { seen: false, hint: 'no-face' };
  if (second && second.box.width > RIVAL * face.box.width) return { seen: false, hint: 'several-faces' };
  const share = face.box.width / Math.min(image.width, image.height);
  if (share < WIDTH.least) return { seen: false, hint: 'too-far' };
  if (share > WIDTH.most) return { seen: false, hint: 'too-close' };
  if (isOffCentre(face, image)) return { seen: false, hint: 'off-centre' };
  if (face.mouth === 'masked') return { seen: false, hint: 'masked' };
  if (shows(step, face, frontAngle)) return { seen: true };
  const hint = turnHint(step, face, frontAngle);
  return hint === undefined ? { seen: false } : { seen: false, hint };
}

const opposites: Partial<Record<Step, Step>> = {
  'face left': 'face right',
  'face right': 'face left',
  'face up': 'face down',
  'face down': 'face up',
};

/** What to tell who turns the head, but not as asked. */
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
    const sure = Math.min(face.left_eye_score ?? 1, face.right_eye_score ?? 1) >= MARGIN.score;
    return face.left_eye === state && face.right_eye === state && sure;
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
