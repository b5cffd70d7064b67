import { type Cue, unknown } from './cue.ts';
import { shareInside, squareView, type View } from './view.ts';

/** How many times the face the surroundings are looked at. */
const TIMES = 2.4;
const VIEW = 96;

const NAMES = [
  'frame-left-right',
  'frame-top-bottom',
  'frame-strongest',
  'frame-sides',
  'surround-brighter',
  'surround-contrast',
];

/**
 * What is around the face. Unknown where the face fills its picture: edges that repeat outside look like rims.
 */
export const context: Cue = {
  name: 'context',
  values: NAMES,
  measure: ({ pixels, pixelBox }) => {
    if (shareInside(pixels, pixelBox, TIMES) < 0.8) return unknown(NAMES);
    return contextFeatures(squareView(pixels, pixelBox, TIMES, VIEW));
  },
};

/**
 * Straight edges that run beside, above and below the face (the rim of a phone, a monitor, a sheet of paper),
 * and how the surroundings compare with the face. The view is TIMES the face, which is its middle.
 */
function contextFeatures(view: View): number[] {
  const sides = sideLines(view.y, view.size);
  const ends = sideLines(transposed(view.y, view.size), view.size);
  const all = [...sides, ...ends].sort((a, b) => b - a);
  const inside = shareOf(view, true);
  const outside = shareOf(view, false);
  return [
    Math.min(...sides),
    Math.min(...ends),
    all[0]!,
    all[2]!,
    Math.log((outside.mean + 8) / (inside.mean + 8)),
    Math.log((outside.spread + 2) / (inside.spread + 2)),
  ];
}

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

/** Mean and spread of the luminance of the face's own square, or of what surrounds it. */
function shareOf(view: View, inside: boolean): { mean: number; spread: number } {
  const from = (view.size / 2) * (1 - 1 / TIMES);
  const to = view.size - from;
  const within = (value: number) => value >= from && value < to;
  const values = view.y.filter((_, at) => {
    const middle = within(at % view.size) && within(Math.floor(at / view.size));
    return middle === inside;
  });
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.sqrt(variance) };
}
