import { shareInside, squareView } from '../imaging/view.ts';
import type { PadSignal } from '../signal.ts';

/** How many times the face the surroundings are looked at. */
const TIMES = 2.4;
const VIEW = 96;

/** Of the view that must lie in the picture: what is outside repeats the edge. */
const LEAST_INSIDE = 0.5;

/**
 * The strongest straight edge that runs beside, above or below the face: the rim of a phone or a monitor, the edge of a
 * sheet. log10 of its mean step of luminance. Real rooms have edges as well, mostly weaker ones. Unknown where the face
 * fills its picture.
 */
export const context: PadSignal = {
  name: 'context',
  values: ['edge-strongest'],
  rising: true,
  measure: ({ pixels, pixelBox }) => {
    if (shareInside(pixels, pixelBox, TIMES) < LEAST_INSIDE) return [Number.NaN];
    const { y, size } = squareView(pixels, pixelBox, TIMES, VIEW);
    return [Math.max(...sideLines(y, size), ...sideLines(transposed(y, size), size))];
  },
};

/** Strongest nearly upright line (within 8°) left and right of the middle: log10 of its mean edge height. */
function sideLines(plane: Float32Array, size: number): [number, number] {
  const best: [number, number] = [0, 0];
  const margin = Math.round((size / 2) * (1 - 1 / TIMES));
  for (let lean = -4; lean <= 4; lean++) {
    const slope = lean * 0.035;
    for (let column = 3; column < size - 3; column++) {
      if (column >= margin && column < size - margin) continue;
      const height = Math.abs(edgeAlong(plane, size, column, slope));
      const side = column < margin ? 0 : 1;
      if (height > best[side]) best[side] = height;
    }
  }
  return [Math.log10(best[0] + 1), Math.log10(best[1] + 1)];
}

/** Mean signed step of luminance across a line through (column, middle) that leans by `slope`. */
function edgeAlong(plane: Float32Array, size: number, column: number, slope: number): number {
  const from = Math.round(size * 0.15);
  const to = size - from;
  let sum = 0;
  for (let row = from; row < to; row++) {
    const x = Math.round(column + (row - size / 2) * slope);
    if (x < 1 || x > size - 2) continue;
    const at = row * size + x;
    sum += plane[at + 1]! - plane[at - 1]!;
  }
  return sum / (to - from);
}

function transposed(plane: Float32Array, size: number): Float32Array {
  const out = new Float32Array(plane.length);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) out[column * size + row] = plane[row * size + column]!;
  }
  return out;
}
