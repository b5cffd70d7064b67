import { solveLinear } from '../../imaging/least-squares.ts';

/** Affine map about the centre of a square plane: u' = (1 + a) u + b v + x, v' = c u + (1 + d) v + y, in pixels. */
export type AffineMap = readonly [a: number, b: number, c: number, d: number, x: number, y: number];

export const identityMap: AffineMap = [0, 0, 0, 0, 0, 0];

/** A plane that others are aligned to, with what does not depend on them. */
export interface AlignmentTarget {
  readonly side: number;
  readonly plane: Float32Array;
  /** 1 where the plane is valid. */
  readonly usable: Uint8Array;
  /** Derivatives of each pixel by the six parameters. */
  readonly slopes: Float32Array;
}

/** A plane sampled under a map; `usable` is 0 beyond its edges. */
export interface WarpedPlane {
  readonly plane: Float32Array;
  readonly usable: Uint8Array;
}

const PARAMETERS = 6;
const ROUNDS = 12;
/** Rounds without a higher correlation after which the search ends. */
const MAX_ROUNDS_WITHOUT_GAIN = 2;
/** Movement of the corners, in pixels, below which the search ends. */
const STILL = 0.005;

export function alignmentTarget(plane: Float32Array, usable: Uint8Array, side: number): AlignmentTarget {
  const slopes = new Float32Array(plane.length * PARAMETERS);
  const middle = (side - 1) / 2;
  for (let row = 1; row < side - 1; row++) {
    for (let column = 1; column < side - 1; column++) {
      const i = row * side + column;
      const [u, v] = [column - middle, row - middle];
      const along = (plane[i + 1]! - plane[i - 1]!) / 2;
      const down = (plane[i + side]! - plane[i - side]!) / 2;
      slopes.set([along * u, along * v, down * u, down * v, along, down], i * PARAMETERS);
    }
  }
  return { side, plane, usable, slopes };
}

/**
 * Finds the affine map under which a plane resembles the target best, to hundredths of a pixel, by inverse compositional
 * search (S. Baker and I. Matthews, "Lucas-Kanade 20 years on", 2004), with a free gain between the two.
 * @returns the map with the highest correlation, −1…1, over the pixels that both have
 */
export function alignTo(
  target: AlignmentTarget,
  plane: Float32Array,
  from: AffineMap,
): { readonly map: AffineMap; readonly correlation: number } {
  let map = from;
  let best = { map, correlation: -1 };
  let withoutGain = 0;
  for (let round = 0; round < ROUNDS && withoutGain < MAX_ROUNDS_WITHOUT_GAIN; round++) {
    const warped = warpPlane(plane, target.side, map);
    const { correlation, gain } = compare(target, warped);
    withoutGain = correlation > best.correlation ? 0 : withoutGain + 1;
    if (correlation > best.correlation) best = { map, correlation };
    const step = stepOf(target, warped, gain);
    if (!step) break;
    map = composeInverse(map, step);
    if (step.every((part, i) => Math.abs(part) * (i < 4 ? target.side / 2 : 1) < STILL)) break;
  }
  return best;
}

/** Bilinear. */
export function warpPlane(plane: Float32Array, side: number, map: AffineMap): WarpedPlane {
  return warp(side, map, (left, top, fx, fy) => {
    const at = top * side + left;
    const upper = plane[at]! + (plane[at + 1]! - plane[at]!) * fx;
    const lower = plane[at + side]! + (plane[at + side + 1]! - plane[at + side]!) * fx;
    return upper + (lower - upper) * fy;
  });
}

/** As `warpPlane`, bicubic (R. Keys, 1981, a = −0.5), which blurs less where it samples between pixels. */
export function warpPlaneCubic(plane: Float32Array, side: number, map: AffineMap): WarpedPlane {
  const clamp = (i: number) => Math.max(0, Math.min(side - 1, i));
  return warp(side, map, (left, top, fx, fy) => {
    const [columns, rows] = [cubicWeights(fx), cubicWeights(fy)];
    let sum = 0;
    for (let j = 0; j < 4; j++) {
      const row = clamp(top + j - 1) * side;
      let line = 0;
      for (let i = 0; i < 4; i++) line += columns[i]! * plane[row + clamp(left + i - 1)]!;
      sum += rows[j]! * line;
    }
    return sum;
  });
}

/** @param sample value of the plane right of and below a pixel by `fx` and `fy`, 0…1 */
function warp(
  side: number,
  [a, b, c, d, x, y]: AffineMap,
  sample: (left: number, top: number, fx: number, fy: number) => number,
): WarpedPlane {
  const result = { plane: new Float32Array(side ** 2), usable: new Uint8Array(side ** 2) };
  const middle = (side - 1) / 2;
  const last = side - 1.001;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [u, v] = [column - middle, row - middle];
      const across = middle + (1 + a) * u + b * v + x;
      const down = middle + c * u + (1 + d) * v + y;
      if (!(across >= 0 && down >= 0 && across <= last && down <= last)) continue;
      const [left, top] = [across | 0, down | 0];
      result.plane[row * side + column] = sample(left, top, across - left, down - top);
      result.usable[row * side + column] = 1;
    }
  }
  return result;
}

function cubicWeights(t: number): readonly [number, number, number, number] {
  const [t2, t3] = [t * t, t * t * t];
  return [-t / 2 + t2 - t3 / 2, 1 - 2.5 * t2 + 1.5 * t3, t / 2 + 2 * t2 - 1.5 * t3, (t3 - t2) / 2];
}

function compare({ plane, usable }: AlignmentTarget, warped: WarpedPlane) {
  let [own, other, both] = [0, 0, 0];
  for (let i = 0; i < plane.length; i++) {
    if (!usable[i] || !warped.usable[i]) continue;
    const [p, q] = [plane[i]!, warped.plane[i]!];
    own += p * p;
    other += q * q;
    both += p * q;
  }
  return {
    correlation: both / Math.sqrt(own * other + 1e-9),
    gain: other > 0 ? Math.max(0.05, both / other) : 1,
  };
}

function stepOf({ plane, usable, slopes }: AlignmentTarget, warped: WarpedPlane, gain: number) {
  const matrix = Array.from({ length: PARAMETERS }, () => new Float64Array(PARAMETERS));
  const right = new Float64Array(PARAMETERS);
  for (let i = 0; i < plane.length; i++) {
    if (!usable[i] || !warped.usable[i]) continue;
    const error = gain * warped.plane[i]! - plane[i]!;
    for (let r = 0, at = i * PARAMETERS; r < PARAMETERS; r++) {
      const slope = slopes[at + r]!;
      right[r]! += slope * error;
      const row = matrix[r]!;
      for (let k = 0; k <= r; k++) row[k]! += slope * slopes[at + k]!;
    }
  }
  for (let r = 0; r < PARAMETERS; r++) {
    for (let k = 0; k < r; k++) matrix[k]![r] = matrix[r]![k]!;
    matrix[r]![r]! *= 1.001;
  }
  return solveLinear(matrix, right);
}

/** `map` after the inverse of `step`. */
function composeInverse(map: AffineMap, step: Float64Array): AffineMap {
  const [a, b, c, d, x, y] = step as unknown as AffineMap;
  const size = (1 + a) * (1 + d) - b * c;
  const inverse = [(1 + d) / size, -b / size, -c / size, (1 + a) / size] as const;
  const shift = [-(inverse[0] * x + inverse[1] * y), -(inverse[2] * x + inverse[3] * y)] as const;
  const [p, q, r, s] = [1 + map[0], map[1], map[2], 1 + map[3]];
  return [
    p * inverse[0] + q * inverse[2] - 1,
    p * inverse[1] + q * inverse[3],
    r * inverse[0] + s * inverse[2],
    r * inverse[1] + s * inverse[3] - 1,
    p * shift[0] + q * shift[1] + map[4],
    r * shift[0] + s * shift[1] + map[5],
  ];
}
