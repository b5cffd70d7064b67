import type { AlignedFaceImage } from '../../types.ts';
import { CELLS, type Cells, cellsOf } from './hash-cells.ts';
import { HASH_WORDS, type HashProbe, hashDistance, leastContrast } from './hash-distance.ts';

/** Largest shift, in cells, and largest relative change of scale and turn, in radians, that are tried. */
const SHIFT = 0.7;
const BEND = 0.045;

/**
 * Largest difference of one picture's frames under the best small move. The landmarks by which a face is aligned differ
 * a little between two encodings. Of 329 changed `dev` frames that differ by 0.06 to 0.2 and are the same picture, all
 * fall below; of 400 pairs of two pictures that differ by at most 0.2, none does.
 */
export const MOVED_LIMIT = 0.12;

type Move = readonly [scale: number, turn: number, x: number, y: number];

const signs = [-1, 0, 1];
/** 81 moves. */
const moves: readonly Move[] = signs.flatMap((scale) =>
  signs.flatMap((turn) =>
    signs.flatMap((x) => signs.map((y): Move => [scale * BEND, turn * BEND, x * SHIFT, y * SHIFT])),
  ),
);

/**
 * Prepares the comparison of a frame, or of its mirror image, with hashes that resemble it.
 * @returns the least difference over small moves of the frame, 0…1, as `hashDistance`; `words` holds the hash from word
 *   `at` on
 */
export function movedDistance(
  image: AlignedFaceImage,
  mirrored: boolean,
): (words: Uint32Array, at?: number) => number {
  const cells = cellsOf(image, mirrored);
  const least = leastContrast(cells);
  const probes = moves.map((move) => movedProbe(cells, least, move));
  return (words, at = 0) =>
    probes.reduce((nearest, probe) => Math.min(nearest, hashDistance(probe, words, at)), 1);
}

/**
 * Samples the contrast of moved cells, bilinear. One beyond the edge or beside an unusable cell is not compared. Every
 * other cell would take half the time, and reject more frames of one picture and fewer of others.
 */
function movedProbe({ contrast, usable }: Cells, least: number, [scale, turn, dx, dy]: Move): HashProbe {
  const bits = new Uint32Array(HASH_WORDS);
  const compared = new Uint32Array(HASH_WORDS);
  const middle = (CELLS - 1) / 2;
  const last = CELLS - 1;
  let count = 0;
  for (let row = 0; row < CELLS; row++) {
    let word = 0;
    let mask = 0;
    for (let column = 0; column < CELLS; column++) {
      const x = middle + (1 + scale) * (column - middle) - turn * (row - middle) + dx;
      const y = middle + turn * (column - middle) + (1 + scale) * (row - middle) + dy;
      if (!(x >= 0 && y >= 0 && x < last && y < last)) continue;
      const left = x | 0;
      const top = y | 0;
      const from = top * CELLS + left;
      if (usable[from] === 0) continue;
      const upper = contrast[from]! + (contrast[from + 1]! - contrast[from]!) * (x - left);
      const below = from + CELLS;
      const lower = contrast[below]! + (contrast[below + 1]! - contrast[below]!) * (x - left);
      const value = upper + (lower - upper) * (y - top);
      if (value < least && value > -least) continue;
      if (value > 0) word |= 1 << column;
      mask |= 1 << column;
      count++;
    }
    bits[row] = word;
    compared[row] = mask;
  }
  return { bits, compared, count };
}
