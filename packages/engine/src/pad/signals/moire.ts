import { PATCH, summedPower } from '../fourier.ts';
import type { PadFace, PadSignal } from '../signal.ts';
import { nativeLuminance } from '../view.ts';

/** Radii of the searched rings, cycles per patch: coarser detail is the face itself. */
const RINGS = [
  [12, 30],
  [30, 62],
] as const;
/** Number of peaks that are averaged. */
const SPOTS = 8;
/**
 * Peak height of natural texture, natural logarithm, for one patch and for several (whose mean is smoother): the 99th
 * percentile of the bona fide faces of `dev`.
 */
const USUAL = { one: 2.9, several: 2.2 } as const;
/** Least distance from the axes: nearer peaks are traces of compression, resizing or sensor rows. */
const OFF_AXIS = 2;
/** Half sides of the square whose mean a peak is compared with, and of the hole in its middle. */
const NEAR = 6;
const HOLE = 2;

/**
 * Moiré, pixel grids and dot screens: peaks in the spectrum of the face's luminance that exceed those of natural texture
 * and lie neither on the axes nor on the grid of the picture's own JPEG. The value is the square root of the excess, as
 * its presence matters more than its size. NaN where the box is smaller than three quarters of a patch.
 */
export const moire: PadSignal = {
  name: 'moire',
  values: ['moire'],
  rising: true,
  measure: (face) => {
    const { pixels, pixelBox, from } = face;
    if (Math.min(pixelBox.width, pixelBox.height) < PATCH * 0.75) return [Number.NaN];
    const views = patches(face);
    const logs = summedPower(views).map((power) => Math.log(power / views.length + 1e-2));
    const usual = views.length === 1 ? USUAL.one : USUAL.several;
    const grid = (PATCH / 8) * (from.width / pixels.width);
    const height = Math.max(...RINGS.map((ring) => strongest(logs, ring, grid)));
    return [Math.sqrt(Math.max(0, height - usual))];
  },
};

/** The patch in the middle of the face, and four around it where the box is large enough. */
function patches({ pixels, pixelBox: box }: PadFace) {
  const x = Math.max(0, box.width - PATCH) / 2;
  const y = Math.max(0, box.height - PATCH) / 2;
  const shifts = [
    [0, 0],
    ...(Math.min(x, y) < PATCH / 4
      ? []
      : [
          [-x, -y],
          [x, -y],
          [-x, y],
          [x, y],
        ]),
  ];
  return shifts.map(([dx, dy]) => nativeLuminance(pixels, { ...box, x: box.x + dx!, y: box.y + dy! }, PATCH));
}

/** Value less the mean of its neighbourhood. */
function prominence(logs: Float64Array, u: number, v: number): number {
  let [sum, count] = [0, 0];
  for (let dv = -NEAR; dv <= NEAR; dv += 2) {
    for (let du = -NEAR; du <= NEAR; du += 2) {
      if (Math.abs(du) <= HOLE && Math.abs(dv) <= HOLE) continue;
      sum += logs[indexOf(u + du, v + dv)]!;
      count++;
    }
  }
  return logs[indexOf(u, v)]! - sum / count;
}

const indexOf = (u: number, v: number) => ((v + PATCH) % PATCH) * PATCH + ((u + PATCH) % PATCH);

/** Mean height of the strongest peaks in a ring; one of each pair of opposite frequencies. */
function strongest(logs: Float64Array, [from, to]: readonly [number, number], grid: number): number {
  const best = new Float64Array(SPOTS);
  for (let v = -PATCH / 2; v < PATCH / 2; v++) {
    if (Math.abs(v) < OFF_AXIS || onGrid(v, grid)) continue;
    for (let u = OFF_AXIS; u < PATCH / 2; u++) {
      const radius = Math.hypot(u, v);
      if (radius < from || radius >= to || onGrid(u, grid)) continue;
      const height = prominence(logs, u, v);
      if (height <= best[0]!) continue;
      best[0] = height;
      best.sort();
    }
  }
  return best.reduce((sum, height) => sum + height, 0) / SPOTS;
}

/** Whether a frequency is a multiple of that of the 8-pixel blocks of the encoded picture. */
function onGrid(frequency: number, grid: number): boolean {
  const times = Math.round(frequency / grid);
  return times !== 0 && Math.abs(frequency - times * grid) < 1.2;
}
