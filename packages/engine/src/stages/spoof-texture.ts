import type { View } from './spoof-crop.ts';

const PATTERNS = 10;

/** What `textureFeatures` returns, in order: grain, then each plane's pattern shares. */
export const GRAIN_NAMES = ['grain-1', 'grain-2', 'grain-3', 'grain-4'];
export const LUMA_PATTERN_NAMES = Array.from({ length: PATTERNS }, (_, i) => `pattern-y-${i}`);
export const CHROMA_PATTERN_NAMES = ['cb', 'cr'].flatMap((plane) =>
  Array.from({ length: PATTERNS }, (_, i) => `pattern-${plane}-${i}`),
);

/** Detail of the luminance at four scales, doubling from one pixel: log10 of its share of the contrast. */
export function grainFeatures(view: View): number[] {
  const contrast = deviation(view.y) + 1e-3;
  let smooth = view.y;
  return GRAIN_NAMES.map((_, level) => {
    const smoother = blur(smooth, view.size, 2 ** level);
    const detail = deviation(smooth.map((value, i) => value - smoother[i]!));
    smooth = smoother;
    return Math.log10(detail / contrast + 1e-3);
  });
}

/**
 * Shares of the ten rotation-invariant uniform local binary patterns (8 neighbours at distance 1; Ojala,
 * Pietikäinen, Mäenpää 2002): 0…8 bright neighbours in one run, and everything else. They sum to 1.
 */
export function patternFeatures(plane: Float32Array, size: number): number[] {
  const counts = new Array<number>(PATTERNS).fill(0);
  const around = [-size - 1, -size, -size + 1, 1, size + 1, size, size - 1, -1];
  for (let row = 1; row < size - 1; row++) {
    for (let column = 1; column < size - 1; column++) {
      counts[patternAt(plane, row * size + column, around)]! += 1;
    }
  }
  return counts.map((count) => count / (size - 2) ** 2);
}

function patternAt(plane: Float32Array, at: number, around: readonly number[]): number {
  const centre = plane[at]!;
  let bright = 0;
  let changes = 0;
  let before = plane[at + around[7]!]! >= centre;
  for (const offset of around) {
    const now = plane[at + offset]! >= centre;
    if (now) bright++;
    if (now !== before) changes++;
    before = now;
  }
  return changes <= 2 ? bright : PATTERNS - 1;
}

/** (1 2 1)/4 in both directions with samples `step` apart; edges repeat. */
function blur(plane: Float32Array, size: number, step: number): Float32Array {
  return along(along(plane, size, step, true), size, step, false);
}

function along(plane: Float32Array, size: number, step: number, horizontally: boolean): Float32Array {
  const out = new Float32Array(plane.length);
  const stride = horizontally ? 1 : size;
  const across = horizontally ? size : 1;
  for (let line = 0; line < size; line++) {
    for (let i = 0; i < size; i++) {
      const at = line * across + i * stride;
      const before = plane[line * across + Math.max(0, i - step) * stride]!;
      const after = plane[line * across + Math.min(size - 1, i + step) * stride]!;
      out[at] = (before + 2 * plane[at]! + after) / 4;
    }
  }
  return out;
}

function deviation(values: Float32Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const mean = sum / values.length;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - mean) ** 2;
  return Math.sqrt(squares / values.length);
}
