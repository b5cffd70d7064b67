import { CELLS, cellsOf } from '../../stages/hash-cells.ts';
import type { AlignedFaceImage } from '../../types.ts';
import { HASH_WORDS, type HashProbe, hashDistance, leastContrast } from './hash-distance.ts';

/** Largest shift, in cells, and largest relative change of scale and turn, in radians, that are tried. */
const SHIFT = 0.7;
const BEND = 0.045;

/**
 * Largest difference of one picture's frames under the best small move. The landmarks by which a face is aligned differ
 * a little between two encodings. Of 329 changed `dev` frames that differ by 0.06 to 0.2 and are the same picture, all
 * fall below; of 400 pairs of two pictures that differ by at most 0.2, one does.
 */
export const MOVED_LIMIT = 0.12;

type Move = readonly [scale: number, turn: number, x: number, y: number];

const signs = [-1, 0, 1];
/** 81 of them. */
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
  const padded = paddedCells(image, mirrored);
  const probes = moves.map((move) => movedProbe(padded, move));
  return (words, at = 0) =>
    probes.reduce((nearest, probe) => Math.min(nearest, hashDistance(probe, words, at)), 1);
}

/** Fractions of a cell, and of a level of contrast, in whole numbers: 2^8 and 2^4 to the unit. */
const FRACTION = 8;
const LEVEL = 4;
/** Cells around the grid that no move leaves, unusable. */
const MARGIN = 4;
const WIDTH = CELLS + 2 * MARGIN;

interface PaddedCells {
  /** In 1/16 of a level. */
  readonly contrast: Int32Array;
  readonly usable: Uint8Array;
  /** Contrast from which on a cell is compared. */
  readonly least: number;
}

function paddedCells(image: AlignedFaceImage, mirrored: boolean): PaddedCells {
  const cells = cellsOf(image, mirrored);
  const [contrast, usable] = [new Int32Array(WIDTH * WIDTH), new Uint8Array(WIDTH * WIDTH)];
  for (let i = 0; i < CELLS * CELLS; i++) {
    const to = (Math.floor(i / CELLS) + MARGIN) * WIDTH + (i % CELLS) + MARGIN;
    contrast[to] = Math.round(cells.contrast[i]! * (1 << LEVEL));
    // The sample mixes this cell with the next ones across and down.
    usable[to] = i % CELLS < CELLS - 1 && i < CELLS * (CELLS - 1) ? cells.usable[i]! : 0;
  }
  return { contrast, usable, least: Math.min(0x7fff, leastContrast(cells) * (1 << LEVEL)) };
}

/**
 * Samples the contrast of moved cells, bilinear. One beyond the edge or at an unusable cell is not compared. In whole
 * numbers and without branches, which takes a quarter of the time.
 */
function movedProbe({ contrast, usable, least }: PaddedCells, [scale, turn, dx, dy]: Move): HashProbe {
  const bits = new Uint32Array(HASH_WORDS);
  const compared = new Uint32Array(HASH_WORDS);
  const unit = 1 << FRACTION;
  const limit = Math.ceil(least * unit * unit) - 1;
  const middle = (CELLS - 1) / 2;
  const [across, down] = [Math.round((1 + scale) * unit), Math.round(turn * unit)];
  let count = 0;
  for (let row = 0; row < CELLS; row++) {
    const v = row - middle;
    let x = Math.round((MARGIN + middle - (1 + scale) * middle - turn * v + dx) * unit);
    let y = Math.round((MARGIN + middle - turn * middle + (1 + scale) * v + dy) * unit);
    let word = 0;
    let mask = 0;
    for (let column = 0; column < CELLS; column++) {
      const at = Math.imul(y >> FRACTION, WIDTH) + (x >> FRACTION);
      const fx = x & (unit - 1);
      const fy = y & (unit - 1);
      const upper = Math.imul(contrast[at]!, unit - fx) + Math.imul(contrast[at + 1]!, fx);
      const lower = Math.imul(contrast[at + WIDTH]!, unit - fx) + Math.imul(contrast[at + WIDTH + 1]!, fx);
      const value = Math.imul(upper, unit - fy) + Math.imul(lower, fy);
      const sign = value >> 31;
      const known = ((limit - ((value ^ sign) - sign)) >>> 31) & usable[at]!;
      word |= (1 + sign) << column;
      mask |= known << column;
      count += known;
      x += across;
      y += down;
    }
    bits[row] = word;
    compared[row] = mask;
  }
  return { bits, compared, count };
}
