import { CELLS, type Cells, cellsOf } from '../../stages/hash-cells.ts';
import type { AlignedFaceImage } from '../../types.ts';

/** Bytes of a hash. */
const BYTES = (CELLS * CELLS) / 8;
/** 32-bit words of a hash; bit i of a hash is bit i % 32 of word i / 32. */
export const HASH_WORDS: number = BYTES / 4;

/** Share of the usable cells that is compared, those of the largest contrast: the sign of a small contrast is random. */
const COMPARED = 0.7;
/** With fewer usable cells, a frame resembles nothing. */
const MIN_USABLE = 400;

/**
 * Largest difference of frames that may be one picture, as a share of the compared cells. Of 1,020 `dev` frames changed in
 * 34 ways, 97 % differ less from the original; of pairs of different people 0.4 % do. Whether two frames are the same
 * picture is decided by `samePictureQuery`.
 */
export const CANDIDATE_LIMIT = 0.2;

/** The bits of a frame, or of its mirror image, that are compared with hashes. Words as in `HASH_WORDS`. */
export interface HashProbe {
  readonly bits: Uint32Array;
  /** Set where bits are compared. */
  readonly compared: Uint32Array;
  /** Number of compared bits; 0: nothing is. */
  readonly count: number;
}

/** A frame and its mirror image, for comparisons with perceptual hashes. */
export function hashProbesOf(image: AlignedFaceImage): readonly [HashProbe, HashProbe] {
  return [probeOf(cellsOf(image)), probeOf(cellsOf(image, true))];
}

/**
 * Difference of a frame and a hash, 0…1, as a share of the compared cells.
 * @param words holds the hash from word `at` on
 */
export function hashDistance({ bits, compared, count }: HashProbe, words: Uint32Array, at = 0): number {
  if (count === 0) return 1;
  let differing = 0;
  for (let i = 0; i < HASH_WORDS; i++) differing += bitCount((bits[i]! ^ words[at + i]!) & compared[i]!);
  return differing / count;
}

/** @throws RangeError when it has not 128 bytes */
export function hashWords(bits: Uint8Array): Uint32Array {
  if (bits.length !== BYTES)
    throw new RangeError(`a perceptual hash of ${bits.length} bytes; it must have ${BYTES}`);
  const words = new Uint32Array(HASH_WORDS);
  for (let i = 0; i < BYTES; i++) words[i >> 2]! |= bits[i]! << (8 * (i & 3));
  return words;
}

function probeOf(cells: Cells): HashProbe {
  const [bits, compared] = [new Uint32Array(HASH_WORDS), new Uint32Array(HASH_WORDS)];
  const least = leastContrast(cells);
  let count = 0;
  for (const [i, value] of cells.contrast.entries()) {
    if (value > 0) bits[i >> 5]! |= 1 << (i & 31);
    if (!cells.usable[i] || Math.abs(value) < least) continue;
    compared[i >> 5]! |= 1 << (i & 31);
    count++;
  }
  return { bits, compared, count };
}

/** The contrast from which on cells are compared; infinite when too few are usable. */
function leastContrast({ contrast, usable }: Cells): number {
  const sizes = contrast.map((value, i) => (usable[i] ? Math.abs(value) : -1)).sort();
  const known = usable.reduce((sum, one) => sum + one, 0);
  return known < MIN_USABLE ? Number.POSITIVE_INFINITY : sizes[sizes.length - Math.round(known * COMPARED)]!;
}

/** Number of set bits of a word (Warren, Hacker's Delight, figure 5–2). */
function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

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
