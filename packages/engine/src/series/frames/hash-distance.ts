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
export function leastContrast({ contrast, usable }: Cells): number {
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
