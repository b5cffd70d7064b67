import { type PadSignal, unknownValues } from '../signal.ts';
import { isGreyscale } from '../view.ts';

const PATTERNS = 10;
const namesOf = (plane: string) => Array.from({ length: PATTERNS }, (_, i) => `pattern-${plane}-${i}`);
const CHROMA = [...namesOf('cb'), ...namesOf('cr')];

/** Local binary patterns of luminance and colour differences; those of colours are NaN in a greyscale picture. */
export const texture: PadSignal = {
  name: 'texture',
  values: [...namesOf('y'), ...CHROMA],
  measure: (face) => {
    const view = face.view();
    const of = (plane: Float32Array) => patternShares(plane, view.size);
    return [...of(view.y), ...(isGreyscale(view) ? unknownValues(CHROMA) : [...of(view.cb), ...of(view.cr)])];
  },
};

/**
 * Shares of the ten rotation-invariant uniform local binary patterns (8 neighbours at distance 1; Ojala, Pietikäinen and
 * Mäenpää, "Multiresolution Gray-Scale and Rotation Invariant Texture Classification", 2002): 0…8 bright neighbours in one
 * run, and all others. They sum to 1.
 */
function patternShares(plane: Float32Array, size: number): number[] {
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
