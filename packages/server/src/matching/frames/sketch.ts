import type { HashProbe } from '@wajah/engine/series';

/** Cells of a hash across. */
const across = 32;
/** Bits of a hash that have a plane: of every other cell across and down, since neighbouring ones agree. */
export const planeBits: readonly number[] = Array.from(
  { length: (across / 2) ** 2 },
  (_, i) => 2 * across * Math.floor((2 * i) / across) + ((2 * i) % across),
);

/** The bits of word `i` of a hash that have a plane. */
export function planeMask(i: number): number {
  return i % 2 === 0 ? 0x55555555 : 0;
}

/** Inverse of `planeBits`. */
export function planeOf(bit: number): number {
  return ((bit >> 6) << 4) | ((bit & 31) >> 1);
}

/** Bits of a sketch. */
const sketchBits = 96;
/**
 * Most differing bits of a sketch whose whole hash is compared. Of 3,124 changed `dev` frames within `CANDIDATE_LIMIT` of
 * the original none differs in more than 29, of pairs of two pictures 99.7 % do in more than 32.
 */
const mostDiffering = 32;

/** The kernel rejects what it counts beyond this. */
const counted = 63;

/** With fewer hashes all are compared: the shares of bits are those of few people. */
export const fewRows = 8192;

/** Bytes of a placed sketch: six vectors to count from, a vector and the address of a plane for each bit. */
export const sketchBytes = (6 + sketchBits) * 16 + sketchBits * 4;

/** How many of the stored hashes have the bit of each plane set. */
export interface PlaneCounts {
  readonly rows: number;
  readonly set: Uint32Array;
}

/**
 * Writes the sketch of a probe: the 96 compared bits that the fewest stored hashes share. Bits that all faces have tell
 * nothing; with the rare ones other faces differ in half of a sketch.
 * @param at address in words of 32 bits
 * @param planeBytes distance of two planes
 */
export function placeSketch(
  memory: Uint32Array,
  at: number,
  { bits, compared }: HashProbe,
  { rows, set }: PlaneCounts,
  planeBytes: number,
): void {
  const isSet = (words: Uint32Array, bit: number) => (words[bit >> 5]! >>> (bit & 31)) & 1;
  const chosen = planeBits
    .flatMap((bit, plane) => {
      if (!isSet(compared, bit)) return [];
      const own = isSet(bits, bit);
      return { plane, own, sharing: own ? set[plane]! : rows - set[plane]! };
    })
    .sort((a, b) => a.sharing - b.sharing)
    .slice(0, sketchBits);
  const selective = rows >= fewRows && chosen.length === sketchBits;
  const start = selective ? counted - mostDiffering : 0;
  const fill = (vector: number, bit: number) =>
    memory.fill(bit ? 0xffffffff : 0, at + 4 * vector, at + 4 * vector + 4);
  for (let i = 0; i < 6; i++) fill(i, (start >> i) & 1);
  for (let i = 0; i < sketchBits; i++) {
    fill(6 + i, chosen[i]?.own ?? 0);
    memory[at + (6 + sketchBits) * 4 + i] = (chosen[i]?.plane ?? 0) * planeBytes;
  }
}
