import type { QualityComponent, QualityComponentName } from '../../types.ts';
import { sigmoid } from '../maths.ts';

/** A component whose value is rounded to an integer and limited to 0…100. */
export function component(name: QualityComponentName, native: number, value: number): QualityComponent {
  return { name, native, score: Math.round(Math.max(0, Math.min(100, value))) };
}

/** Logistic function around `centre`: one half there, steeper with a smaller `width` (`sigmoid(x, x0, w)` of OFIQ). */
export function rise(x: number, centre: number, width: number): number {
  return sigmoid((x - centre) / width);
}
