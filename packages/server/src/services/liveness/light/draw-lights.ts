import { randomInt } from 'node:crypto';
import { LIGHT_PALETTE, LIGHT_SEQUENCE_COUNT, type LightSequence, lightSequence } from '@wajah/engine';
import type { Config } from '../../../config/config.ts';
import { Refusal } from '../../../errors.ts';

/** Milliseconds that each light is shown: fewer than two changes a second, and time for a camera to settle. */
const lightMilliseconds = 600;

/**
 * Whether a new session shows lights.
 * @throws Refusal `malformed` when they are requested and the server has switched them off
 */
export function showsLights(setting: Config['sessions']['light'], requested = false): boolean {
  if (setting !== 'off') return setting === 'required' || requested;
  if (!requested) return false;
  throw new Refusal('lightsOff');
}

/** Draws a sequence, each with the same probability. */
export function drawLights(): LightSequence {
  return lightSequence(randomInt(LIGHT_SEQUENCE_COUNT));
}

/** A light as the page shows it. */
export interface ShownLight {
  readonly colour: string;
  readonly milliseconds: number;
}

/** The lights of a session in the names of the wire; undefined when it has none. */
export function shownLights(lights: LightSequence | null): ShownLight[] | undefined {
  return lights?.map((light) => {
    const channels = LIGHT_PALETTE[light]!.map((on) => (on ? 'ff' : '00'));
    return { colour: `#${channels.join('')}`, milliseconds: lightMilliseconds };
  });
}
