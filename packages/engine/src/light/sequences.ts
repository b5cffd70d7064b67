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

/**
 * All sequences that a challenge may show: no light equals the one before, one at least is dark, and red, green and blue
 * are each on in two lights at least and off in two. Each channel of the camera thus answers.
 */
export const LIGHT_SEQUENCES: readonly LightSequence[] = allSequences();

function allSequences(): LightSequence[] {
  let begun: number[][] = [[]];
  for (let at = 0; at < LIGHT_COUNT; at++) {
    begun = begun.flatMap((sequence) =>
      LIGHT_PALETTE.flatMap((_, colour) => (colour === sequence.at(-1) ? [] : [[...sequence, colour]])),
    );
  }
  return begun.filter(isValid);
}

function isValid(sequence: LightSequence): boolean {
  const on = [0, 1, 2].map((channel) => sequence.filter((colour) => LIGHT_PALETTE[colour]![channel]).length);
  return sequence.includes(0) && on.every((count) => count >= 2 && count <= LIGHT_COUNT - 2);
}
