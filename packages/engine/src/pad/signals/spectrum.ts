import { logarithms, PATCH } from '../fourier.ts';
import { type PadSignal, unknownValues } from '../signal.ts';

const BANDS = [1, 2, 4, 8, 16, 24, 32, 48, 64] as const;
const JPEG_GRID = PATCH / 8;

const NAMES = [
  ...BANDS.slice(1).map((_, i) => `spectrum-band-${i}`),
  'spectrum-peak-middle',
  'spectrum-peak-fine',
  'spectrum-tilt',
];

/**
 * Spectrum of the middle of the face at the picture's own resolution; moiré and dot screens are peaks in it. NaN where the
 * box is smaller than three quarters of the transformed patch.
 */
export const spectrum: PadSignal = {
  name: 'spectrum',
  values: NAMES,
  measure: ({ pixelBox, middlePower }) => {
    if (Math.min(pixelBox.width, pixelBox.height) < PATCH * 0.75) return unknownValues(NAMES);
    return spectrumFeatures(middlePower());
  },
};

/**
 * Values of the power spectrum of a luminance patch: share of each frequency band (log10), height of the
 * strongest peaks above their ring (natural logarithm), and imbalance of horizontal and vertical detail. Peaks on the
 * 8-pixel grid of JPEG are left out.
 */
function spectrumFeatures(power: Float32Array): number[] {
  const logs = logarithms(power, 1e-3);
  const rings = ringMeans(power, logs);
  const total = rings.slice(1).reduce((sum, ring) => sum + ring.sum, 1e-9);
  const bands = BANDS.slice(1).map((to, i) => {
    const sum = rings.slice(BANDS[i], to).reduce((part, ring) => part + ring.sum, 0);
    return Math.log10(sum / total + 1e-7);
  });
  return [...bands, peak(logs, rings, 10, 30), peak(logs, rings, 30, 60), tilt(power)];
}

interface Ring {
  readonly sum: number;
  /** Mean of the logarithm of the power. */
  readonly log: number;
}

const signed = (index: number) => (index < PATCH / 2 ? index : index - PATCH);

/** Rounded radius of each frequency. */
const RADIUS = Uint8Array.from({ length: PATCH * PATCH }, (_, at) =>
  Math.round(Math.hypot(signed(at % PATCH), signed(Math.floor(at / PATCH)))),
);

function ringMeans(power: Float32Array, logs: Float32Array): Ring[] {
  const sum = new Float64Array(PATCH);
  const log = new Float64Array(PATCH);
  const count = new Float64Array(PATCH);
  for (let at = 0; at < power.length; at++) {
    const r = RADIUS[at]!;
    sum[r]! += power[at]!;
    log[r]! += logs[at]!;
    count[r]! += 1;
  }
  return Array.from(sum, (value, r) => ({ sum: value, log: log[r]! / Math.max(1, count[r]!) }));
}

/** Mean height of the eight strongest peaks between two radii. */
function peak(logs: Float32Array, rings: readonly Ring[], from: number, to: number): number {
  const best = new Float64Array(8);
  for (let row = 0; row < PATCH; row++) {
    if (row % JPEG_GRID === 0) continue;
    for (let u = 0; u < PATCH / 2; u++) {
      const at = row * PATCH + u;
      const r = RADIUS[at]!;
      if (r < from || r >= to || u % JPEG_GRID === 0) continue;
      const height = logs[at]! - rings[r]!.log;
      if (height <= best[0]!) continue;
      best[0] = height;
      best.sort();
    }
  }
  return best.reduce((sum, height) => sum + height, 0) / best.length;
}

/** Absolute natural logarithm of fine horizontal over fine vertical detail. */
function tilt(power: Float32Array): number {
  let across = 0;
  let down = 0;
  for (let row = 0, at = 0; row < PATCH; row++) {
    const v = Math.abs(signed(row));
    for (let column = 0; column < PATCH; column++, at++) {
      if (RADIUS[at]! < 8) continue;
      if (Math.abs(signed(column)) > v) across += power[at]!;
      else down += power[at]!;
    }
  }
  return Math.abs(Math.log((across + 1e-3) / (down + 1e-3)));
}
