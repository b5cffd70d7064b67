import type { PictureLight } from '../camera/frame.ts';
import type { Step } from '../transport/protocol.ts';
import type { LightWarning } from './check-step.ts';

/** Mean brightness of a face, 0 to 1. The server refuses sessions below 0.12 and above 0.9. */
const BRIGHTNESS = { least: 0.15, most: 0.88 } as const;
/**
 * Share of the eye region that is overexposed, from which on glasses are taken to mirror a lamp or the screen. A quarter of
 * a lens is 0.07 of the region; of 44 frames of `selfies` and `pad` one has more than 0.016, a screen with 0.12.
 */
const GLARE = 0.04;

/** @param light of the face, or of the whole picture when no face is found */
export function warningOf(step: Step, { brightness, glare }: PictureLight): LightWarning | undefined {
  if (brightness < BRIGHTNESS.least) return 'too-dark';
  if (brightness > BRIGHTNESS.most) return 'too-bright';
  // Of a turned head the region of the eyes is elsewhere.
  const isTurn = step.startsWith('face') && step !== 'face front';
  return !isTurn && glare > GLARE ? 'glare' : undefined;
}
