import { moments } from '../imaging/moments.ts';
import type { PadSignal } from '../signal.ts';

const NAMES = ['grain-1', 'grain-2', 'grain-3', 'grain-4'];

/** Grain: detail of the luminance at four scales, doubling from one pixel: log10 of its share of the contrast. */
export const grain: PadSignal = {
  name: 'grain',
  values: NAMES,
  measure: (face) => {
    const { y, size } = face.view();
    const contrast = moments(y).spread + 1e-3;
    let smooth = y;
    return NAMES.map((_, level) => {
      const smoother = blur(smooth, size, 2 ** level);
      const detail = moments(smooth.map((value, i) => value - smoother[i]!)).spread;
      smooth = smoother;
      return Math.log10(detail / contrast + 1e-3);
    });
  },
};

/** (1 2 1)/4 in both directions with samples `step` apart; edges repeat. */
function blur(plane: Float32Array, size: number, step: number): Float32Array {
  return along(along(plane, size, step, true), size, step, false);
}

function along(plane: Float32Array, size: number, step: number, horizontally: boolean): Float32Array {
  const out = new Float32Array(plane.length);
  const stride = horizontally ? 1 : size;
  const across = horizontally ? size : 1;
  for (let line = 0; line < size; line++) {
    for (let i = 0; i < size; i++) {
      const at = line * across + i * stride;
      const before = plane[line * across + Math.max(0, i - step) * stride]!;
      const after = plane[line * across + Math.min(size - 1, i + step) * stride]!;
      out[at] = (before + 2 * plane[at]! + after) / 4;
    }
  }
  return out;
}
