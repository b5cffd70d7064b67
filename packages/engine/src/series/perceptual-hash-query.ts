import type { AlignedFaceImage } from '../types.ts';
import { CELLS, type Cells, type CellTransform, cellsOf, identity } from './hash-cells.ts';

/** Bytes of a hash. */
const BYTES = (CELLS * CELLS) / 8;
const WORDS = BYTES / 4;
/** Side of the windows in which differences are counted, and the step between them, in cells. */
const WINDOW = 8;
const STEP = 4;

/** Share of the usable cells that is compared, those of the largest contrast: the sign of a small contrast is random. */
const COMPARED = 0.7;
/** With fewer usable cells, a frame matches nothing. */
const MIN_USABLE = 400;

/**
 * Largest differences of two versions of one frame, as shares of the compared cells: in total, and in the window that
 * differs most. Encoding scatters its changes, a blink does not. On `dev`, 610 of 629 frames changed in 34 ways are found.
 * The most similar of 419 pairs of different pictures of one person differ by 0.018: somebody sitting still looks nearly
 * the same twice, so the limit is well below. `docs/liveness.md` has the figures for `test`.
 */
const LIMIT = { whole: 0.012, window: 0.12 } as const;
/** Larger differences before alignment are rejected without alignment. */
const COARSE_REJECT_DISTANCE = 0.25;
/** Difference at which the search for a better alignment stops. */
const GOOD_ENOUGH_DISTANCE = 0.003;

/** Unit step of each parameter; the search takes steps of `STRIDES` units, the largest first. */
const UNIT: CellTransform = {
  x: 0.125,
  y: 0.125,
  scale: 0.00375,
  rotation: 0.00375,
  aspect: 0.00375,
  shear: 0.00375,
};
const STRIDES = [8, 4, 2, 1] as const;
const ROUNDS = 4;
const parts = Object.keys(UNIT) as (keyof CellTransform)[];
/** More than twice the number of units that a parameter can change by over all strides and rounds. */
const KEYS = 128;

/** Hash of an image under one transform, and which of its bits are compared. */
interface HashVariant {
  readonly bits: Uint32Array;
  readonly compared: Uint32Array;
  readonly count: number;
}

/** Compares one frame with perceptual hashes. */
export interface PerceptualHashQuery {
  /**
   * Whether a hash belongs to this frame, perhaps encoded again, scaled, cropped, rotated, stretched, mirrored or with
   * changed brightness.
   * @throws RangeError when it has not 128 bytes
   */
  isSameFrame(bits: Uint8Array): boolean;
}

/** Prepares a query; hashes of the frame under each transform are computed once for all comparisons. */
export function perceptualHashQuery(image: AlignedFaceImage): PerceptualHashQuery {
  const sides = [false, true].map((mirrored) => hashVariantsOf(image, mirrored));
  return {
    isSameFrame(bits) {
      if (bits.length !== BYTES)
        throw new RangeError(`a perceptual hash of ${bits.length} bytes; it must have ${BYTES}`);
      const words = wordsOf(bits);
      return sides.some((variants) => matchesAnyTransform(variants, words));
    },
  };
}

type HashVariants = (transform: CellTransform) => HashVariant | undefined;

function hashVariantsOf(image: AlignedFaceImage, mirrored: boolean): HashVariants {
  const known = new Map<number, HashVariant | undefined>();
  return (transform) => {
    const key = parts.reduce((sum, part) => sum * KEYS + transform[part], 0);
    if (!known.has(key)) known.set(key, hashVariantOf(cellsOf(image, inUnits(transform), mirrored)));
    return known.get(key);
  };
}

function inUnits(transform: CellTransform): CellTransform {
  const scaled = parts.map((part) => [part, transform[part] * UNIT[part]] as const);
  return Object.fromEntries(scaled) as unknown as CellTransform;
}

function hashVariantOf({ contrast, usable }: Cells): HashVariant | undefined {
  const sizes = contrast.map((value, i) => (usable[i] ? Math.abs(value) : -1)).sort();
  const count = sizes.reduce((sum, size) => sum + (size >= 0 ? 1 : 0), 0);
  if (count < MIN_USABLE) return undefined;
  const least = sizes[sizes.length - Math.round(count * COMPARED)]!;
  const bits = new Uint32Array(WORDS);
  const compared = new Uint32Array(WORDS);
  let taken = 0;
  for (const [i, value] of contrast.entries()) {
    if (value > 0) bits[i >> 5]! |= 1 << (i & 31);
    if (!usable[i] || Math.abs(value) < least) continue;
    compared[i >> 5]! |= 1 << (i & 31);
    taken++;
  }
  return { bits, compared, count: taken };
}

/** Coordinate descent over the transforms, from the identity. */
function matchesAnyTransform(variants: HashVariants, words: Uint32Array): boolean {
  const distance = (transform: CellTransform) => {
    const variant = variants(transform);
    return variant ? distanceOf(variant, words) : 1;
  };
  let [at, best]: [CellTransform, number] = [identity, distance(identity)];
  if (best > COARSE_REJECT_DISTANCE) return false;
  for (const stride of STRIDES) {
    for (let round = 0; round < ROUNDS && best > GOOD_ENOUGH_DISTANCE; round++) {
      const before = best;
      for (const part of parts) {
        for (const by of [stride, -stride]) {
          const next = { ...at, [part]: at[part] + by };
          const there = distance(next);
          if (there < best) [at, best] = [next, there];
        }
      }
      if (best === before) break;
    }
  }
  return best < LIMIT.whole && worstWindow(variants(at)!, words) < LIMIT.window;
}

function wordsOf(bits: Uint8Array): Uint32Array {
  const words = new Uint32Array(WORDS);
  for (let i = 0; i < BYTES; i++) words[i >> 2]! |= bits[i]! << (8 * (i & 3));
  return words;
}

function distanceOf({ bits, compared, count }: HashVariant, words: Uint32Array): number {
  let differing = 0;
  for (let i = 0; i < WORDS; i++) differing += bitCount((bits[i]! ^ words[i]!) & compared[i]!);
  return differing / count;
}

/** Number of set bits of a word (Warren, Hacker's Delight, figure 5–2). */
function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Largest share of differing cells over the windows in which at least a quarter of the cells is compared. */
function worstWindow({ bits, compared }: HashVariant, words: Uint32Array): number {
  let most = 0;
  for (let top = 0; top + WINDOW <= CELLS; top += STEP) {
    for (let left = 0; left + WINDOW <= CELLS; left += STEP) {
      let [differing, all] = [0, 0];
      // A row of cells is a word.
      for (let y = top; y < top + WINDOW; y++) {
        const seen = (compared[y]! >>> left) & 0xff;
        all += bitCount(seen);
        differing += bitCount(((bits[y]! ^ words[y]!) >>> left) & seen);
      }
      if (all >= WINDOW ** 2 / 4) most = Math.max(most, differing / all);
    }
  }
  return most;
}
