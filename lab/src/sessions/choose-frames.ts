import type { Parameter } from '@wajah/contract';
import type { Random } from '../recapture/random.ts';
import type { FilmFrame } from './film.ts';

/** The random steps of a challenge. */
export const ACTIONS = [
  'face left',
  'face right',
  'face up',
  'face down',
  'eyes closed',
  'mouth open',
] as const satisfies readonly Parameter[];

/** Angle that a cooperative person turns to, degrees: clearly beyond the limit of 12°. */
const TURNED = 24;
/** Least angle of a frame that shows a turn, and largest of a frontal one, degrees. */
const LEAST_TURN = 15;
const LARGEST_FRONT = 9;

/**
 * How well a frame shows a step, the most 0; undefined when it does not show it clearly.
 * A capture page takes a frame as soon as it sees the step, so the best turn is a moderate one.
 */
function fitOf({ face: { pose, eyes, mouth } }: FilmFrame, step: Parameter): number | undefined {
  if (!pose) return undefined;
  const { yaw, pitch } = pose;
  if (step === 'eyes closed' || step === 'mouth open') {
    const shown =
      step === 'mouth open'
        ? mouth?.state === 'open' && mouth.score > 0.8
        : eyes?.left.state === 'closed' && eyes.right.state === 'closed';
    return shown && Math.hypot(yaw, pitch) < LEAST_TURN ? -Math.hypot(yaw, pitch) : undefined;
  }
  if (step === 'face front') {
    const turn = Math.max(Math.abs(yaw), Math.abs(pitch));
    return turn <= LARGEST_FRONT ? -turn : undefined;
  }
  const sideways = step === 'face left' || step === 'face right';
  const [along, across] = sideways ? [yaw, pitch] : [pitch, yaw];
  const towards = step === 'face left' || step === 'face up' ? along : -along;
  if (towards < LEAST_TURN || towards < Math.abs(across) + 3) return undefined;
  return -Math.abs(towards - TURNED) - 0.5 * Math.abs(across);
}

/** The actions that a film shows. */
export function actionsOf(film: readonly FilmFrame[]): (typeof ACTIONS)[number][] {
  return ACTIONS.filter((step) => film.some((frame) => fitOf(frame, step) !== undefined));
}

/**
 * Draws a challenge as the service does, out of some of the actions: the front, `count` actions, the front; no step twice
 * in a row, and at least one turn to a side where the film shows one.
 * @param actions at least two, one of them a turn
 */
export function drawFrom(actions: readonly Parameter[], count: number, random: Random): Parameter[] {
  const sideways = actions.filter((action) => action === 'face left' || action === 'face right');
  const turns = sideways.length > 0 ? sideways : actions.filter((action) => action.startsWith('face '));
  for (;;) {
    const steps: Parameter[] = ['face front'];
    while (steps.length <= count) {
      const others = actions.filter((action) => action !== steps.at(-1));
      steps.push(others[Math.floor(random.between(0, others.length))]!);
    }
    if (steps.slice(1).some((step) => turns.includes(step))) return [...steps, 'face front'];
  }
}

/** Frames of a step: the best one, and its successor where it shows the step too. */
const FRAMES_PER_STEP = 2;
const SUCCESSOR_SECONDS = 0.6;

/** A moment of a film that was sent for a step. */
export interface UsedMoment {
  readonly step: Parameter;
  /** Seconds from the beginning of the film. */
  readonly at: number;
}

/** Least time between frames that show the same, seconds: a person is asked for the front again after other steps. */
const APART = 1;

/**
 * The frames that best show the steps, no frame for two of them; those of equal steps lie at least a second apart.
 * @param used moments that were sent in an earlier session
 * @returns the frames of each step; undefined when the film cannot answer
 */
export function chooseFrames(
  film: readonly FilmFrame[],
  steps: readonly Parameter[],
  used: readonly UsedMoment[] = [],
): FilmFrame[][] | undefined {
  const taken = [...used];
  const isFree = ({ at }: FilmFrame, step: Parameter) =>
    taken.every((before) => Math.abs(at - before.at) >= (before.step === step ? APART : 1e-3));
  const chosen: FilmFrame[][] = [];
  for (const step of steps) {
    const free = film
      .filter((frame) => isFree(frame, step))
      .flatMap((frame) => {
        const fit = fitOf(frame, step);
        return fit === undefined ? [] : { frame, fit };
      })
      .sort((a, b) => b.fit - a.fit);
    const [best] = free;
    if (!best) return undefined;
    const after = free
      .map(({ frame }) => frame)
      .filter(({ at }) => at > best.frame.at && at - best.frame.at < SUCCESSOR_SECONDS)
      .sort((a, b) => a.at - b.at);
    const frames = [best.frame, ...after].slice(0, FRAMES_PER_STEP);
    taken.push(...frames.map(({ at }) => ({ step, at })));
    chosen.push(frames);
  }
  return chosen;
}
