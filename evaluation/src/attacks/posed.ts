import type { Parameter } from '@wajah/contract';
import type { Canvas } from '../recapture/canvas.ts';
import type { Random } from '../recapture/random.ts';
import { closeEyes, type LidMethod, openMouth } from './expression.ts';
import { type Relief, type Turn, turned } from './relief.ts';
import type { Still } from './still.ts';

/** Degrees by which a head is turned for a step at effort 1: a little over the limit of a turned head. */
const TURN = 18;

const directions: Readonly<Partial<Record<Parameter, Turn>>> = {
  'face left': { yaw: TURN, pitch: 0 },
  'face right': { yaw: -TURN, pitch: 0 },
  'face up': { yaw: 0, pitch: TURN },
  'face down': { yaw: 0, pitch: -TURN },
};

/** A still animated for a step: its expression changed, then its relief turned, each frame a little differently. */
export function animated(
  still: Still,
  relief: Relief,
  { step, effort, lids }: { step: Parameter; effort: number; lids: LidMethod },
  random: Random,
): Canvas {
  const canvas = expressed(still, step, effort, lids);
  const { yaw, pitch } = directions[step] ?? { yaw: 0, pitch: 0 };
  const jitter = () => random.between(-2.5, 2.5);
  return turned(canvas, relief, { yaw: yaw * effort + jitter(), pitch: pitch * effort + jitter() });
}

/** The still with the expression of a step; unchanged for a turn. @param effort 0…2: how far it is changed */
export function expressed(still: Still, step: Parameter, effort: number, lids: LidMethod): Canvas {
  if (step === 'eyes closed') return closeEyes(still, Math.min(1, effort), lids);
  if (step === 'mouth open') return openMouth(still, Math.min(0.9, 0.4 * effort));
  return still.canvas;
}
