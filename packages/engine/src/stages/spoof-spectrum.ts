/** Side of the patch that is transformed, pixels; a power of two. */
export const PATCH = 128;

const BANDS = [1, 2, 4, 8, 16, 24, 32, 48, 64] as const;
const JPEG_GRID = PATCH / 8;

/** What the bands and peaks are called, in the order of `spectrumFeatures`. */
export const SPECTRUM_NAMES = [
  ...BANDS.slice(1).map((_, i) => `spectrum-band-${i}`),
  'spectrum-peak-middle',
  'spectrum-peak-fine',
  'spectrum-tilt',
];

/**
 * Power spectrum of a PATCH × PATCH luminance patch: the share of each band of frequencies (log10), how far
 * the strongest spots stand out of their ring (natural logarithm; moiré and dot screens are such spots), and
 * how unequal horizontal and vertical detail are. Spots on the 8-pixel grid that JPEG leaves are passed over.
 */
export function spectrumFeatures(luminance: Float32Array): number[] {
  const power = powerSpectrum(luminance);
  const logs = power.map((value) => Math.log(value + 1e-3));
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

/** Distance of each frequency from zero, rounded. */
const RADIUS = Uint8Array.from({ length: PATCH * PATCH }, (_, at) =>
  Math.round(Math.hypot(signed(at % PATCH), signed(Math.floor(at / PATCH)))),
);

function ringMeans(power: Float64Array, logs: Float64Array): Ring[] {
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

/** Mean height of the eight spots that stand out most between two radii. */
function peak(logs: Float64Array, rings: readonly Ring[], from: number, to: number): number {
  const best = new Float64Array(8);
  for (let at = 0; at < logs.length; at++) {
    const r = RADIUS[at]!;
    if (r < from || r >= to) continue;
    const height = logs[at]! - rings[r]!.log;
    const u = at % PATCH;
    if (height <= best[0]! || u >= PATCH / 2) continue;
    if (u % JPEG_GRID === 0 || Math.floor(at / PATCH) % JPEG_GRID === 0) continue;
    best[0] = height;
    best.sort();
  }
  return best.reduce((sum, height) => sum + height, 0) / best.length;
}

/** Logarithm of fine horizontal over fine vertical detail. */
function tilt(power: Float64Array): number {
  let across = 0;
  let down = 0;
  for (let at = 0; at < power.length; at++) {
    if (RADIUS[at]! < 8) continue;
    if (Math.abs(signed(at % PATCH)) > Math.abs(signed(Math.floor(at / PATCH)))) across += power[at]!;
    else down += power[at]!;
  }
  return Math.abs(Math.log((across + 1e-3) / (down + 1e-3)));
}

const WINDOW = Float64Array.from(
  { length: PATCH },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / PATCH),
);
const COSINE = Float64Array.from({ length: PATCH }, (_, i) => Math.cos((2 * Math.PI * i) / PATCH));
const SINE = Float64Array.from({ length: PATCH }, (_, i) => Math.sin((2 * Math.PI * i) / PATCH));

/** |FFT|² of the patch less its mean under a Hann window. */
function powerSpectrum(luminance: Float32Array): Float64Array {
  const mean = luminance.reduce((sum, value) => sum + value, 0) / luminance.length;
  const real = new Float64Array(PATCH * PATCH);
  const imaginary = new Float64Array(PATCH * PATCH);
  for (let row = 0; row < PATCH; row++) {
    for (let column = 0; column < PATCH; column++) {
      const at = row * PATCH + column;
      real[at] = (luminance[at]! - mean) * WINDOW[row]! * WINDOW[column]!;
    }
  }
  for (let i = 0; i < PATCH; i++) transform(real, imaginary, i * PATCH, 1);
  for (let i = 0; i < PATCH; i++) transform(real, imaginary, i, PATCH);
  return real.map((value, at) => (value * value + imaginary[at]! * imaginary[at]!) / (PATCH * PATCH));
}

/** Radix-2 Fourier transform in place of PATCH values, `stride` apart from `start`. */
function transform(real: Float64Array, imaginary: Float64Array, start: number, stride: number): void {
  reorder(real, start, stride);
  reorder(imaginary, start, stride);
  for (let half = 1; half < PATCH; half *= 2) {
    const turn = PATCH / (2 * half);
    for (let block = 0; block < PATCH; block += 2 * half) {
      for (let k = 0; k < half; k++) {
        const a = start + (block + k) * stride;
        const b = a + half * stride;
        const c = COSINE[k * turn]!;
        const s = SINE[k * turn]!;
        const re = real[b]! * c + imaginary[b]! * s;
        const im = imaginary[b]! * c - real[b]! * s;
        real[b] = real[a]! - re;
        imaginary[b] = imaginary[a]! - im;
        real[a]! += re;
        imaginary[a]! += im;
      }
    }
  }
}

/** Bit-reversed order. */
function reorder(values: Float64Array, start: number, stride: number): void {
  for (let i = 1, j = 0; i < PATCH; i++) {
    let bit = PATCH >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const a = start + i * stride;
      const b = start + j * stride;
      [values[a], values[b]] = [values[b]!, values[a]!];
    }
  }
}
