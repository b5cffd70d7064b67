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

/** Samples the contrast of moved cells, bilinear; one beyond the edge or beside an unusable cell is not compared. */
function movedProbe({ contrast, usable }: Cells, least: number, [scale, turn, dx, dy]: Move): HashProbe {
  const [bits, compared] = [new Uint32Array(HASH_WORDS), new Uint32Array(HASH_WORDS)];
  const [middle, last] = [(CELLS - 1) / 2, CELLS - 1];
  let count = 0;
  for (let i = 0; i < CELLS * CELLS; i++) {
    const [u, v] = [(i % CELLS) - middle, Math.floor(i / CELLS) - middle];
    const x = middle + (1 + scale) * u - turn * v + dx;
    const y = middle + turn * u + (1 + scale) * v + dy;
    if (!(x >= 0 && y >= 0 && x < last && y < last)) continue;
    const from = (y | 0) * CELLS + (x | 0);
    if (!usable[from]) continue;
    const fx = x - (x | 0);
    const upper = contrast[from]! + (contrast[from + 1]! - contrast[from]!) * fx;
    const lower = contrast[from + CELLS]! + (contrast[from + CELLS + 1]! - contrast[from + CELLS]!) * fx;
    const value = upper + (lower - upper) * (y - (y | 0));
    if (Math.abs(value) < least) continue;
    if (value > 0) bits[i >> 5]! |= 1 << (i & 31);
    compared[i >> 5]! |= 1 << (i & 31);
    count++;
  }
  return { bits, compared, count };
}
