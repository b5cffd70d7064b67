const BLOCK = 8;
/** Steps of quantisation that are looked for: finer ones drown in the rounding of pixels. */
const STEPS = Array.from({ length: 30 }, (_, i) => i + 3);
/** Those of the mean of a block: 16 is quality 50. */
const MEAN_STEPS = STEPS.filter((step) => step <= 16);

/** Means of blocks for each of the 64 places that the grid may begin at. */
export interface BlockSums {
  /** Of place x + 8y: the DC coefficients (8 × the mean) of whole blocks. */
  readonly at: readonly Float32Array[];
}

/** DC coefficients (8 × the mean) of all blocks for every shift of the grid, by running sums. */
export function blockSums(plane: Float32Array, width: number, height: number): BlockSums {
  const total = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += plane[y * width + x]!;
      total[(y + 1) * (width + 1) + x + 1] = total[y * (width + 1) + x + 1]! + row;
    }
  }
  const sum = (x: number, y: number) => {
    const at = y * (width + 1) + x;
    const below = at + BLOCK * (width + 1);
    return total[below + BLOCK]! - total[below]! - total[at + BLOCK]! + total[at]!;
  };
  const at = Array.from({ length: BLOCK * BLOCK }, (_, shift) => {
    const values: number[] = [];
    for (let y = shift >> 3; y + BLOCK <= height; y += BLOCK) {
      for (let x = shift & 7; x + BLOCK <= width; x += BLOCK) values.push(sum(x, y) / BLOCK);
    }
    return Float32Array.from(values);
  });
  return { at };
}

/** How much larger steps across the lines of the grid are than those within blocks, natural logarithm of the means. */
export function gridStep(plane: Float32Array, width: number, height: number): number {
  const sums = [0, 0];
  const counts = [0, 0];
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const at = y * width + x;
      for (const [place, step] of [
        [x, 1],
        [y, width],
      ] as const) {
        const on = place % BLOCK === 0 ? 1 : 0;
        // A step that is no part of a slope.
        const bend = plane[at]! - plane[at - step]! - (plane[at + step]! - plane[at - 2 * step]!) / 3;
        sums[on]! += Math.abs(bend);
        counts[on]! += 1;
      }
    }
  }
  return Math.log((sums[1]! / counts[1]! + 0.05) / (sums[0]! / counts[0]! + 0.05));
}

/**
 * How far the strongest steps of a grid that lies elsewhere stand out of those of all grids, in standard deviations: the
 * mean colours of blocks of an earlier JPEG still lie on its steps where its grid lay (Bianchi and Piva, "Detection of
 * Nonaligned Double JPEG Compression Based on Integer Periodicity Maps", 2012).
 */
export function shiftedSteps({ at }: BlockSums): number {
  let most = 0;
  for (const step of MEAN_STEPS) {
    const heights = at.map((values) => periodicity(values, step));
    // The last grid, and its neighbours, which share most of their pixels with it, prove nothing.
    const others = heights.filter((_, shift) => away(shift & 7) + away(shift >> 3) > 1);
    const mean = others.reduce((sum, height) => sum + height, 0) / others.length;
    const spread = Math.sqrt(others.reduce((sum, height) => sum + (height - mean) ** 2, 0) / others.length);
    most = Math.max(most, (Math.max(...others) - mean) / (spread + 0.02));
  }
  return most;
}

const away = (shift: number) => Math.min(shift, BLOCK - shift);

/** How well values keep to multiples of a step: the length of the mean of their phases, 0…1. */
function periodicity(values: Float32Array, step: number): number {
  let [real, imaginary] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const phase = (2 * Math.PI * values[i]!) / step;
    real += Math.cos(phase);
    imaginary += Math.sin(phase);
  }
  return Math.hypot(real, imaginary) / values.length;
}

/** Low frequencies, down and across: their steps are small, their values many. */
const FREQUENCIES = [
  [0, 1],
  [1, 0],
  [1, 1],
  [0, 2],
  [2, 0],
] as const;
const BINS = 64;

/**
 * How strongly the counts of the values of low frequencies rise and fall regularly once they are divided by their own
 * step: two quantisations with the same grid leave gaps (Popescu and Farid, "Statistical Tools for Digital Forensics",
 * 2004). Mean over the frequencies of the strongest period over the mean of all.
 */
export function stepsAgain(plane: Float32Array, width: number, height: number): number {
  const heights = FREQUENCIES.map(([v, u]) => {
    const values = coefficients(plane, width, height, u, v);
    return strongestPeriod(histogram(values, stepOf(values)));
  });
  return heights.reduce((sum, value) => sum + value, 0) / heights.length;
}

function coefficients(
  plane: Float32Array,
  width: number,
  height: number,
  u: number,
  v: number,
): Float32Array {
  const wave = (k: number, i: number) =>
    (k === 0 ? Math.SQRT1_2 / 2 : 0.5) * Math.cos(((2 * i + 1) * k * Math.PI) / 16);
  const basis = Float64Array.from({ length: 64 }, (_, i) => wave(u, i & 7) * wave(v, i >> 3));
  const values: number[] = [];
  for (let y = 0; y + BLOCK <= height; y += BLOCK) {
    for (let x = 0; x + BLOCK <= width; x += BLOCK) {
      let sum = 0;
      for (let i = 0; i < 64; i++) sum += basis[i]! * plane[(y + (i >> 3)) * width + x + (i & 7)]!;
      values.push(sum);
    }
  }
  return Float32Array.from(values);
}

/** The largest step that nearly all values are multiples of; 1 where there is none. */
function stepOf(values: Float32Array): number {
  const some = values.filter((value) => Math.abs(value) > 1.5);
  for (const step of STEPS.toReversed()) {
    const off = some.reduce((sum, value) => sum + Math.abs(value / step - Math.round(value / step)), 0);
    // Values that know no step are a quarter away from it.
    if (some.length > 8 && off / some.length < 0.12) return step;
  }
  return 1;
}

function histogram(values: Float32Array, step: number): Float64Array {
  const counts = new Float64Array(BINS);
  for (const value of values) {
    const bin = Math.round(value / step) + BINS / 2;
    if (bin >= 0 && bin < BINS) counts[bin]! += 1;
  }
  return counts;
}

/** Strongest of the faster rhythms of a histogram's logarithm less its own course, over their mean. */
function strongestPeriod(counts: Float64Array): number {
  const logs = counts.map((count) => Math.log(count + 1));
  const rest = logs.map((value, i) => {
    const near = logs.slice(Math.max(0, i - 3), i + 4);
    return value - near.reduce((sum, one) => sum + one, 0) / near.length;
  });
  const heights = Array.from({ length: BINS / 2 - 8 }, (_, k) => {
    const turn = (2 * Math.PI * (k + 9)) / BINS;
    let [real, imaginary] = [0, 0];
    rest.forEach((value, i) => {
      real += value * Math.cos(turn * i);
      imaginary += value * Math.sin(turn * i);
    });
    return Math.hypot(real, imaginary);
  });
  const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
  return Math.max(...heights) / (mean + 0.5);
}
