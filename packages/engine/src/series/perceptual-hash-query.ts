import {
  type AlignedFaceImage,
  CELLS,
  type Cells,
  type CellTransform,
  cellsOf,
  identity,
} from './frame-view.ts';

/** Bytes of a fingerprint. */
const BYTES = (CELLS * CELLS) / 8;
const WORDS = BYTES / 4;
/** Cells of the windows that a difference is looked at through, across and down, and from one to the next. */
const WINDOW = 8;
const STEP = 4;

/**
 * Of the usable cells the share that is compared, those that differ most from the cells around them: which of two
 * nearly equal cells is the brighter one is chance.
 */
const COMPARED = 0.7;
/** With fewer usable cells nothing is said. */
const MIN_USABLE = 400;

/**
 * What one frame may differ from itself, as shares of the compared cells: in all, and in the window that differs
 * most. Encoding scatters its changes, a blink does not. On `dev`, 610 of 629 frames that were changed in 34 ways are
 * found. The two most alike of 419 pairs of other pictures of one person differ by 0.018: who sits still before a
 * tripod looks nearly the same twice, so the limit stays well below. `docs/liveness.md` says how it does on `test`.
 */
const LIMIT = { whole: 0.012, window: 0.12 } as const;
/** Pairs that differ by more before they are laid over each other are not laid over each other. */
const COARSE_REJECT_DISTANCE = 0.25;
/** Nor is it tried to do better than this. */
const GOOD_ENOUGH_DISTANCE = 0.003;

/** One step of each part of an alignment; all are tried from the largest to the smallest of `STRIDES`. */
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
/** More than twice as many units as a part can be moved by: all strides, all rounds. */
const KEYS = 128;

/** Bits of a view looked at in one way, and which of them are compared. */
interface HashVariant {
  readonly bits: Uint32Array;
  readonly compared: Uint32Array;
  readonly count: number;
}

/** A frame to be found among fingerprints. */
export interface PerceptualHashQuery {
  /**
   * Whether a fingerprint is of this frame, perhaps sent under other bytes: encoded again, scaled, cut, turned,
   * stretched, mirrored, in other light.
   * @throws RangeError when it has not 128 bytes
   */
  isSameFrame(bits: Uint8Array): boolean;
}

/** Looks at a frame in many ways, each once however many fingerprints it is held against. */
export function perceptualHashQuery(view: AlignedFaceImage): PerceptualHashQuery {
  const sides = [false, true].map((mirrored) => hashVariantsOf(view, mirrored));
  return {
    isSameFrame(bits) {
      if (bits.length !== BYTES)
        throw new RangeError(`a fingerprint of ${bits.length} bytes; it must have ${BYTES}`);
      const words = wordsOf(bits);
      return sides.some((readings) => matchesAnyTransform(readings, words));
    },
  };
}

type HashVariants = (move: CellTransform) => HashVariant | undefined;

function hashVariantsOf(view: AlignedFaceImage, mirrored: boolean): HashVariants {
  const known = new Map<number, HashVariant | undefined>();
  return (move) => {
    const key = parts.reduce((sum, part) => sum * KEYS + move[part], 0);
    if (!known.has(key)) known.set(key, hashVariantOf(cellsOf(view, inUnits(move), mirrored)));
    return known.get(key);
  };
}

function inUnits(move: CellTransform): CellTransform {
  const scaled = parts.map((part) => [part, move[part] * UNIT[part]] as const);
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

/** Goes from one way of laying one over the other to the next better one until there is none. */
function matchesAnyTransform(readings: HashVariants, words: Uint32Array): boolean {
  const distance = (move: CellTransform) => {
    const reading = readings(move);
    return reading ? distanceOf(reading, words) : 1;
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
  return best < LIMIT.whole && worstWindow(readings(at)!, words) < LIMIT.window;
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

/** How many bits of a word are set (Hacker's Delight, figure 5–2). */
function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Of the windows in which at least a quarter of the cells is compared. */
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
