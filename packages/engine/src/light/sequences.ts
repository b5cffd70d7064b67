/** Lights of a challenge. */
export const LIGHT_COUNT = 6;

/** A colour of the screen: which of its red, green and blue are fully on; the others are off. */
export type LightColour = readonly [red: 0 | 1, green: 0 | 1, blue: 0 | 1];

/** The eight colours of full and no red, green and blue, dark (index 0) included. */
export const LIGHT_PALETTE: readonly LightColour[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
  [0, 0, 1],
  [1, 0, 1],
  [0, 1, 1],
  [1, 1, 1],
];

/** A sequence of lights: indices into `LIGHT_PALETTE`. */
export type LightSequence = readonly number[];

/** Number of sequences that a challenge may show. */
export const LIGHT_SEQUENCE_COUNT = 49_982;

/** One of the sequences that a challenge may show. @param index 0…LIGHT_SEQUENCE_COUNT − 1 */
export function lightSequence(index: number): LightSequence {
  return [...packedSequences().subarray(index * LIGHT_COUNT, (index + 1) * LIGHT_COUNT)];
}

let packed: Uint8Array | undefined;

/**
 * All sequences that a challenge may show, one after the other: no light equals the one before, one at least is dark, and
 * red, green and blue are each on in two lights at least and off in two. Each channel of the camera thus answers.
 */
export function packedSequences(): Uint8Array {
  // Made on the first use: most processes need none.
  packed ??= allSequences();
  return packed;
}

function allSequences(): Uint8Array {
  const all = new Uint8Array(LIGHT_SEQUENCE_COUNT * LIGHT_COUNT);
  const begun = new Uint8Array(LIGHT_COUNT);
  let end = 0;
  const extend = (length: number) => {
    if (length === LIGHT_COUNT) {
      if (!isValid(begun)) return;
      all.set(begun, end);
      end += LIGHT_COUNT;
      return;
    }
    for (let colour = 0; colour < LIGHT_PALETTE.length; colour++) {
      if (length > 0 && begun[length - 1] === colour) continue;
      begun[length] = colour;
      extend(length + 1);
    }
  };
  extend(0);
  return all;
}

function isValid(sequence: Uint8Array): boolean {
  if (!sequence.includes(0)) return false;
  for (let channel = 0; channel < 3; channel++) {
    let on = 0;
    for (const colour of sequence) on += LIGHT_PALETTE[colour]![channel]!;
    if (on < 2 || on > LIGHT_COUNT - 2) return false;
  }
  return true;
}
