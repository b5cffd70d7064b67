import type { View } from './spoof-crop.ts';

/** What `toneFeatures` returns, in order. */
export const TONE_NAMES = [
  'tone-1',
  'tone-5',
  'tone-50',
  'tone-95',
  'tone-99',
  'tone-burnt',
  'tone-contrast',
];

/** What `colourFeatures` returns, in order. */
export const COLOUR_NAMES = [
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

/** Luminance percentiles over 255, the share of burnt-out pixels, and the spread of the middle 90 %. */
export function toneFeatures(view: View): number[] {
  const sorted = view.y.slice().sort();
  const at = (percent: number) => sorted[Math.floor((percent / 100) * (sorted.length - 1))]! / 255;
  const burnt = sorted.filter((value) => value >= 250).length / sorted.length;
  return [at(1), at(5), at(50), at(95), at(99), Math.log10(burnt + 1e-3), at(95) - at(5)];
}

/**
 * Colour differences over 128: mean, spread, how they go with the luminance (correlations), the strongest,
 * and those of the darkest and the brightest tenth (screens have bluish blacks, prints dull highlights).
 */
export function colourFeatures(view: View): number[] {
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

/** Whether a view has (nearly) no colour: a greyscale picture says nothing by its colours. */
export function isGreyscale(view: View): boolean {
  let sum = 0;
  for (let i = 0; i < view.cb.length; i++) sum += Math.abs(view.cb[i]!) + Math.abs(view.cr[i]!);
  return sum / view.cb.length < 2;
}

interface Moments {
  readonly mean: number;
  readonly spread: number;
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

function moments(plane: Float32Array): Moments {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i]!;
  const mean = sum / plane.length;
  for (let i = 0; i < plane.length; i++) squares += (plane[i]! - mean) ** 2;
  return { mean, spread: Math.sqrt(squares / plane.length) };
}

function correlation(a: Float32Array, ofA: Moments, b: Float32Array, ofB: Moments): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - ofA.mean) * (b[i]! - ofB.mean);
  return sum / a.length / (ofA.spread * ofB.spread + 1);
}
