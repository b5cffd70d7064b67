import type { Parameter } from '@wajah/contract';
import type { Canvas } from '../recapture/canvas.ts';
import type { Random } from '../recapture/random.ts';
import { closeEyes, type LidMethod, moveIrises, openMouth } from './expression.ts';
import { type Relief, turned } from './relief.ts';
import type { Still } from './still.ts';

/** Degrees by which a head is turned for a step at effort 1: a little over the limit of a turned head. */
const TURN = 18;

/** Degrees by which a head leans at steps without a turn, at effort 1. */
const WOBBLE = 7;
/** Radians; multiples of it are spread evenly. */
const GOLDEN_ANGLE = 2.4;

const directions: Readonly<Partial<Record<Parameter, { yaw: number; pitch: number }>>> = {
  'face left': { yaw: TURN, pitch: 0 },
  'face right': { yaw: -TURN, pitch: 0 },
  'face up': { yaw: 0, pitch: TURN },
  'face down': { yaw: 0, pitch: -TURN },
};

/** How a still is animated for a step. */
export interface Animation {
  readonly step: Parameter;
  readonly place: number;
  /** How far the still is turned or its expression changed, 1 to begin with. */
  readonly effort: number;
  readonly lids: LidMethod;
  /** Whether the irises move in the eyes, as of a person who keeps looking at the camera. */
  readonly looking?: boolean;
}

/** Degrees by which the step and the effort turn the head of a still, before it wavers. */
export function turnOf({ step, effort }: Pick<Animation, 'step' | 'effort'>) {
  const turn = directions[step];
  return { yaw: (turn?.yaw ?? 0) * effort, pitch: (turn?.pitch ?? 0) * effort };
}

/** Movement of the irises of people who look at the camera, share of the width of an eye per degree (films of `dev`). */
const IRIS_PER_DEGREE = -0.0045;

/** A still animated for a step: its expression changed, then its relief turned, each frame a little differently. */
export function animated(
  still: Still,
  relief: Relief,
  { step, place, effort, lids, looking = false }: Animation,
  random: Random,
): Canvas {
  const shown = expressed(still, step, effort, lids);
  const turn = directions[step];
  const { yaw, pitch } = turnOf({ step, effort });
  const canvas =
    looking && yaw !== 0 ? moveIrises({ ...still, canvas: shown }, IRIS_PER_DEGREE * yaw) : shown;
  const jitter = (most: number) => random.between(-most, most);
  // Frames of steps without a turn must not resemble each other, so the head leans another way at each step.
  const lean = turn ? 0 : WOBBLE / effort;
  const way = GOLDEN_ANGLE * place;
  return turned(canvas, relief, {
    yaw: yaw + lean * Math.cos(way) + jitter(2),
    pitch: pitch + lean * Math.sin(way) + jitter(2),
    roll: jitter(3),
    zoom: random.between(1.03, 1.14),
    x: jitter(8),
    y: jitter(8),
  });
}

/** The still with the expression of a step; unchanged for a turn. @param effort 0…2: how far it is changed */
export function expressed(still: Still, step: Parameter, effort: number, lids: LidMethod): Canvas {
  if (step === 'eyes closed') return closeEyes(still, Math.min(1.25, effort), lids);
  if (step === 'mouth open') return openMouth(still, Math.min(0.9, 0.4 * effort));
  return still.canvas;
}
