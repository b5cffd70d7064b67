import type { Parameter } from '@wajah/contract';
import type { FilmFrame } from './film.ts';

/** What the films show: not one of them has an expression on request. */
const TURNS = ['face left', 'face right', 'face up', 'face down'] as const satisfies readonly Parameter[];

/** Angle that a cooperative person turns to, degrees: clearly beyond the limit of 12°. */
const TURNED = 24;
/** Least angle of a frame that shows a turn, and largest of a frontal one, degrees. */
const LEAST_TURN = 15;
const LARGEST_FRONT = 9;

/**
 * How well a frame shows a step, the most 0; undefined when it does not show it clearly.
 * A capture page takes a frame as soon as it sees the step, so the best turn is a moderate one.
 */
function fitOf({ face: { pose } }: FilmFrame, step: Parameter): number | undefined {
  if (!pose || !step.startsWith('face ')) return undefined;
  const { yaw, pitch } = pose;
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

/** The turns that a film shows. */
export function turnsOf(film: readonly FilmFrame[]): (typeof TURNS)[number][] {
  return TURNS.filter((step) => film.some((frame) => fitOf(frame, step) !== undefined));
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
