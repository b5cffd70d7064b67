import { blockSums, gridStep, shiftedSteps, stepsAgain } from '../imaging/jpeg-traces.ts';
import { luminanceOf } from '../imaging/view.ts';
import { type PadSignal, type SpoofFace, unknown } from '../signal.ts';

const NAMES = ['jpeg-grid', 'jpeg-shifted-grid', 'jpeg-steps-again', 'blur-across', 'blur-down'];
const TRACES = 3;
/** Longest side of the part around the face that is looked at, pixels; whole blocks. */
const MOST = 384;
const LEAST = 64;

/**
 * Compression and blur around the face: the grid of the last JPEG, that of an earlier one that lay elsewhere, and the steps
 * of an earlier one with the same grid, as in a picture that was cut or put together and saved anew; then the blur of
 * edges. Traces of JPEG are unknown where the picture was made smaller, and where it is too small.
 */
export const compression: PadSignal = {
  name: 'compression',
  values: NAMES,
  measure: (face) => {
    const part = partOf(face);
    if (part === null) return unknown(NAMES);
    const blur = [blurOf(part.plane, part.width, 1), blurOf(part.plane, part.width, part.width)];
    if (face.pixels.width !== face.from.width) return [...unknown(NAMES.slice(0, TRACES)), ...blur];
    const sums = blockSums(part.plane, part.width, part.height);
    return [
      gridStep(part.plane, part.width, part.height),
      shiftedSteps(sums),
      stepsAgain(part.plane, part.width, part.height),
      ...blur,
    ];
  },
};

/** Luminance around the face, on the grid of 8 pixels that begins in the picture's corner; null where it is too small. */
function partOf({ pixels, pixelBox }: SpoofFace) {
  const side = Math.min(MOST, 1.4 * Math.max(pixelBox.width, pixelBox.height));
  const along = (start: number, length: number, limit: number) => {
    const from = Math.max(0, Math.min(limit, Math.round((start + length / 2 - side / 2) / 8) * 8));
    return { from, length: Math.floor(Math.max(0, Math.min(side, limit - from)) / 8) * 8 };
  };
  const across = along(pixelBox.x, pixelBox.width, pixels.width);
  const down = along(pixelBox.y, pixelBox.height, pixels.height);
  if (Math.min(across.length, down.length) < LEAST) return null;
  const [width, height] = [across.length, down.length];
  return { plane: luminanceOf(pixels, across.from, down.from, width, height), width, height };
}

/**
 * Blur along rows (step 1) or columns (step of a row), 0 sharp to 1 even: how little of the change from pixel to pixel goes
 * when it is blurred once more (Crété, Dolmière, Ladret, Nicolas, "The Blur Effect", 2007).
 */
function blurOf(plane: Float32Array, width: number, step: number): number {
  let [all, gone] = [0, 0];
  for (let at = 5 * step; at < plane.length - 5 * step; at++) {
    if (step === 1 && (at % width < 5 || at % width >= width - 5)) continue;
    const change = Math.abs(plane[at]! - plane[at - step]!);
    // Two means of nine neighbours differ by what enters and leaves.
    const blurred = Math.abs(plane[at + 4 * step]! - plane[at - 5 * step]!) / 9;
    all += change;
    gone += Math.max(0, change - blurred);
  }
  return 1 - gone / (all + 1e-6);
}
