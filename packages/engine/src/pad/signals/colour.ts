import { type PadSignal, unknownValues } from '../signal.ts';
import { isGreyscale, type View } from '../view.ts';

const NAMES = [
  'cb-mean',
  'cr-mean',
  'cb-spread',
  'cr-spread',
  'y-cb-tied',
  'y-cr-tied',
  'cb-cr-tied',
  'chroma-95',
  'dark-cb',
  'dark-cr',
  'bright-cb',
  'bright-cr',
];

/** Colours of the face; NaN in a greyscale picture. */
export const colour: PadSignal = {
  name: 'colour',
  values: NAMES,
  measure: (face) => (isGreyscale(face.view()) ? unknownValues(NAMES) : colourFeatures(face.view())),
};

/**
 * Colour differences over 128: mean, standard deviation, correlations with the luminance, 95th percentile of the chroma,
 * and means of the darkest and the brightest tenth (screens have bluish blacks, prints dull highlights).
 */
function colourFeatures(view: View): number[] {
  const cb = moments(view.cb);
  const cr = moments(view.cr);
  const y = moments(view.y);
  const chroma = view.cb.map((value, i) => Math.hypot(value, view.cr[i]!)).sort();
  const order = view.y.slice().sort();
  const dark = order[Math.floor(order.length * 0.1)]!;
  const bright = order[Math.floor(order.length * 0.9)]!;
  return [
    cb.mean / 128,
    cr.mean / 128,
    cb.spread / 128,
    cr.spread / 128,
    correlation(view.y, y, view.cb, cb),
    correlation(view.y, y, view.cr, cr),
    correlation(view.cb, cb, view.cr, cr),
    chroma[Math.floor(chroma.length * 0.95)]! / 128,
    meanWithin(view.cb, view.y, -Infinity, dark) / 128,
    meanWithin(view.cr, view.y, -Infinity, dark) / 128,
    meanWithin(view.cb, view.y, bright, Infinity) / 128,
    meanWithin(view.cr, view.y, bright, Infinity) / 128,
  ];
}

/** Mean of a plane where the luminance lies between two values. */
function meanWithin(plane: Float32Array, luminance: Float32Array, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < plane.length; i++) {
    if (luminance[i]! < from || luminance[i]! > to) continue;
    sum += plane[i]!;
    count++;
  }
  return sum / Math.max(1, count);
}

function correlation(a: Float32Array, ofA: Moments, b: Float32Array, ofB: Moments): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - ofA.mean) * (b[i]! - ofB.mean);
  return sum / a.length / (ofA.spread * ofB.spread + 1);
}

interface Moments {
  readonly mean: number;
  /** Standard deviation. */
  readonly spread: number;
}

function moments(plane: Float32Array): Moments {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i]!;
  const mean = sum / plane.length;
  for (let i = 0; i < plane.length; i++) squares += (plane[i]! - mean) ** 2;
  return { mean, spread: Math.sqrt(squares / plane.length) };
}
