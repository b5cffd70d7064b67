/** How steady edges are, up to a column or row: running sums of −1…1 a pixel, brighter to the right or below positive. */
export interface SteadyEdges {
  /** Column by column: of row y in column x at x × (size + 1) + y. */
  readonly upright: { readonly rising: Float64Array; readonly falling: Float64Array };
  /** Row by row. */
  readonly level: { readonly rising: Float64Array; readonly falling: Float64Array };
}

/** The rectangle of edges that encloses the face best. Its places are in pixels of the view. */
export interface Rim {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** How steady the edge along each side is (0…1), the steadiest first. */
  readonly sides: readonly number[];
}

/** Steps of this many levels of luminance count half; stronger ones more, up to 1. */
const HALF = 6;
/** An edge may wander by this many pixels to either side. */
const SLACK = 1;
/** Places of sides that are tried are this far apart, pixels. */
const STEP = 2;

/** Edges of a square plane of luminance: an edge is steady where many rows say so, however weak it is. */
export function steadyEdges(plane: Float32Array, size: number): SteadyEdges {
  return {
    upright: runningSums(plane, size, 1, size),
    level: runningSums(plane, size, size, 1),
  };
}

function runningSums(plane: Float32Array, size: number, across: number, along: number) {
  const sums = () => new Float64Array(size * (size + 1));
  const [rising, falling] = [sums(), sums()];
  for (let line = 0; line < size; line++) {
    let [up, down] = [0, 0];
    for (let i = 0; i < size; i++) {
      let [most, least] = [0, 0];
      for (let near = line - SLACK; near <= line + SLACK; near++) {
        if (near < 1 || near >= size - 1) continue;
        const at = near * across + i * along;
        const step = plane[at + across]! - plane[at - across]!;
        const steady = step / (Math.abs(step) + HALF);
        most = Math.max(most, steady);
        least = Math.min(least, steady);
      }
      up += most + least;
      down -= most + least;
      rising[line * (size + 1) + i + 1] = up;
      falling[line * (size + 1) + i + 1] = down;
    }
  }
  return { rising, falling };
}

/**
 * Tries rectangles around a face in the middle: all sides brighter within than without, or all darker; the one with the
 * steadiest edges counts, the weakest side (in a hand, beyond the picture) half.
 * @param face side of the face, pixels
 */
export function rimAround({ upright, level }: SteadyEdges, size: number, face: number): Rim {
  const before = places(3, (size - face) / 2);
  const after = places((size + face) / 2, size - 4);
  let best: Rim = { left: 0, right: size, top: 0, bottom: size, sides: [0, 0, 0, 0] };
  let most = 0;
  const mean = (sums: Float64Array, line: number, from: number, to: number) =>
    (sums[line * (size + 1) + to]! - sums[line * (size + 1) + from]!) / (to - from);
  for (const brighter of [true, false]) {
    const [first, last] = brighter ? (['rising', 'falling'] as const) : (['falling', 'rising'] as const);
    for (const top of before) {
      for (const bottom of after) {
        const left = strongest(before, (x) => mean(upright[first], x, top, bottom));
        const right = strongest(after, (x) => mean(upright[last], x, top, bottom));
        const sides = [
          left.value,
          right.value,
          mean(level[first], top, left.at, right.at),
          mean(level[last], bottom, left.at, right.at),
        ].map((value) => Math.max(0, value));
        sides.sort((a, b) => b - a);
        const score = sides[0]! + sides[1]! + sides[2]! + sides[3]! / 2;
        if (score <= most) continue;
        most = score;
        best = { left: left.at, right: right.at, top, bottom, sides };
      }
    }
  }
  return best;
}

function strongest(some: readonly number[], of: (at: number) => number): { at: number; value: number } {
  let best = { at: some[0]!, value: -Infinity };
  for (const at of some) {
    const value = of(at);
    if (value > best.value) best = { at, value };
  }
  return best;
}

function places(from: number, to: number): number[] {
  return Array.from({ length: Math.max(1, Math.floor((to - from) / STEP) + 1) }, (_, i) =>
    Math.round(from + i * STEP),
  );
}
