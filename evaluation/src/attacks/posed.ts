import type { Parameter } from '@wajah/contract';
import type { Canvas } from '../recapture/canvas.ts';
import type { Random } from '../recapture/random.ts';
import { closeEyes, type LidMethod, openMouth } from './expression.ts';
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

/** A still animated for a step: its expression changed, then its relief turned, each frame a little differently. */
export function animated(
  still: Still,
  relief: Relief,
  { step, place, effort, lids }: { step: Parameter; place: number; effort: number; lids: LidMethod },
  random: Random,
): Canvas {
  const canvas = expressed(still, step, effort, lids);
  const turn = directions[step];
  const jitter = (most: number) => random.between(-most, most);
  // Frames of steps without a turn must not resemble each other, so the head leans another way at each step.
  const lean = turn ? 0 : WOBBLE / effort;
  const way = GOLDEN_ANGLE * place;
  return turned(canvas, relief, {
    yaw: (turn?.yaw ?? 0) * effort + lean * Math.cos(way) + jitter(2),
    pitch: (turn?.pitch ?? 0) * effort + lean * Math.sin(way) + jitter(2),
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
