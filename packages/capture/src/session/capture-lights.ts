import { sleep } from '../abort.ts';
import type { Grabber } from '../camera/frame.ts';
import type { Light, LightFrame } from '../transport/protocol.ts';

/** Called while lights are shown. */
export interface LightListener {
  /** Lights follow. */
  lights(): void;
  /** Fills the screen with a colour, `#rrggbb`; undefined: with none. */
  light(colour: string | undefined): void;
}

interface LightOptions {
  readonly lights: readonly Light[];
  readonly grab: Grabber;
  readonly listener: LightListener;
  readonly signal: AbortSignal;
}

/** Milliseconds to read what follows, to turn the screen bright, or to cancel. */
const READ_PAUSE = 4000;
/**
 * Least milliseconds of a light, whatever the server says: at most three flashes a second are safe (WCAG 2.3.1), and a
 * camera needs most of this time to set its exposure.
 */
const LEAST_DURATION = 400;

/** Shows each light and captures a frame at its end. */
export async function captureLights({ lights, grab, listener, signal }: LightOptions): Promise<LightFrame[]> {
  const frames: LightFrame[] = [];
  listener.lights();
  try {
    await sleep(READ_PAUSE, signal);
    for (const [light, { colour, milliseconds }] of lights.entries()) {
      listener.light(colour);
      await sleep(Math.max(LEAST_DURATION, milliseconds), signal);
      const frame = await grab(signal);
      frames.push({ light, image: await frame.full(), captured_at: frame.capturedAt });
    }
  } finally {
    listener.light(undefined);
  }
  return frames;
}
