import { type FaceWithColours, type LightChanges, lightChanges } from './response.ts';
import { LIGHT_COUNT, LIGHT_PALETTE, type LightSequence, packedSequences } from './sequences.ts';

/** Whether the light on a face followed the lights of the screen. */
export type LightVerdict = 'answered' | 'not_answered' | 'cannot_tell';

/** Judgement of the frames of a light challenge. */
export interface LightJudgement {
  readonly verdict: LightVerdict;
  /** Light of the white screen on the face over the ambient light, as measured; 0 when nothing was measured. */
  readonly strength: number;
  /** Standard error of `strength`. */
  readonly error: number;
  /**
   * How much the face took the colours of the lights, whatever the pattern, in the unit of `strength`. Of a head
   * `strength` is about half of it; of a plane, or of a tint that a program adds, `strength` is about 0.
   */
  readonly tint: number;
  /** Share of all sequences under which the frames are as likely as under the shown one, 0…1: small where it was answered. */
  readonly share: number;
  /** Mean likelihood of all sequences over that of the shown one: large where the face answered another sequence. */
  readonly others: number;
}

/**
 * Variance of changes that are common to the three channels (a head that turns in the light, exposure) over the variance of
 * those that are not: on films of `dev` without lights it is 2 to 10.
 */
const COMMON_NOISE = 3;
/**
 * A recording does not know which sequence is drawn, so this is the probability that one is judged `answered`, whatever its
 * noise: an exact test by randomisation (Fisher, "The Design of Experiments", 1935).
 */
const ANSWERED_SHARE = 0.001;
/** Least light of a white screen over the ambient light at which an answer is expected: 30 lx of a phone in 1,500 lx. */
const LEAST_STRENGTH = 0.02;
/** Least share of the tint of a face that has the pattern of its relief: of a head it is a half, of a bent print a tenth. */
const LEAST_RELIEF = 0.2;
/** Ratio of likelihoods from which an answer of that strength is ruled out. */
const RULED_OUT = 20;
/**
 * Mean likelihood of all sequences over that of the shown one from which the face answered another one. On films of `dev`
 * it is at most 0.05 for people in light, at most 10 for recordings, and above 80 where another sequence is answered with a
 * strength of 0.2.
 */
const ANOTHER = 100;
/** Degrees of freedom of the residual: values less the mean of each channel and the strength. */
const FREEDOM = 3 * LIGHT_COUNT - 3 - 1;

type Colour = readonly number[];

/**
 * Judges whether a face answered a sequence of lights.
 *
 * With the changes `e(t,c)` of `lightChanges`, a sequence q that shows the colours `E(q,t,c)` explains them as
 * `e = strength · E + noise`. The noise is normal with an unknown variance, so the likelihood of q is
 * `RSS(q)^(−ν/2)` with the residual sum of squares at the best strength.
 *
 * - `answered`: of all sequences that could have been drawn, at most one in a thousand is as likely as the shown one, and
 *   the strength is at least 0.02 and 0.2 of the tint of the face, since a bent print shows a little relief too.
 * - `not_answered`: an answer of that least strength is 20 times less likely than the best one, which is weaker; or all
 *   sequences that could have been drawn are on average 100 times as likely as the shown one, so that another was answered.
 * - `cannot_tell`: neither; the room is too bright, the picture too noisy, or the head moved.
 * @param faces one for each light of the sequence, in its order
 * @throws RangeError when the numbers of faces and lights differ
 */
export function judgeLight(faces: readonly FaceWithColours[], shown: LightSequence): LightJudgement {
  if (faces.length !== LIGHT_COUNT || shown.length !== LIGHT_COUNT) {
    throw new RangeError(
      `${LIGHT_COUNT} faces and lights are needed, not ${faces.length} and ${shown.length}`,
    );
  }
  const changes = lightChanges(faces);
  if (!changes) return { verdict: 'cannot_tell', strength: 0, error: 0, tint: 0, share: 1, others: 1 };
  return judgeChanges(changes, shown);
}

/** As `judgeLight`, from measured changes. */
export function judgeChanges({ relief, tint: tints }: LightChanges, shown: LightSequence): LightJudgement {
  const values = relief.map(whitened);
  const products = values.map((value) => colours.map((colour) => dot(value, colour)));
  const productOf = (sequence: LightSequence) => {
    let sum = 0;
    for (let t = 0; t < LIGHT_COUNT; t++) sum += products[t]![sequence[t]!]!;
    return sum;
  };
  const power = powerOf(shown);
  const strength = productOf(shown) / power;
  const root = strength * Math.sqrt(power);
  const total = values.reduce((sum, value) => sum + dot(value, value), 0);
  const rest = Math.max(total - root ** 2, 1e-12);
  const error = Math.sqrt(rest / FREEDOM / power);
  const tint = tintOf(tints, shown);
  // What a head would show at least, and the likelihood at the best strength over that at the least one.
  const least = Math.max(LEAST_STRENGTH, LEAST_RELIEF * tint);
  const ratio = (1 + ((strength - least) ** 2 * power) / rest) ** (FREEDOM / 2);
  const { share, others } = compareSequences(products, root, total);
  const verdict = others >= ANOTHER ? 'not_answered' : verdictOf(share, strength - least, ratio);
  return { verdict, strength, error, tint, share, others };
}

/** Strength of the colours in the mean colour of the face. */
function tintOf(tints: readonly Colour[], shown: LightSequence): number {
  let [product, power] = [0, 0];
  const mean = [0, 1, 2].map(
    (channel) => shown.reduce((sum, colour) => sum + chroma[colour]![channel]!, 0) / shown.length,
  );
  for (const [t, colour] of shown.entries()) {
    const about = chroma[colour]!.map((value, channel) => value - mean[channel]!);
    product += dot(tints[t]!, about);
    power += dot(about, about);
  }
  return product / power;
}

/**
 * Compares the shown sequence with all that could have been drawn.
 * @param products of each frame with each colour
 * @param root of the shown sequence: its product over the root of its power
 * @param total sum of squares of the changes
 * @returns the share of sequences that explain as much, and the mean likelihood of all over that of the shown one, where
 *   sequences that explain less, or by a weaker light than an answer has, count as 0
 */
function compareSequences(products: readonly (readonly number[])[], root: number, total: number) {
  const table = Float64Array.from(products.flat());
  const rest = restOf(total, root);
  const [packed, roots] = [packedSequences(), rootsOfPowers()];
  let [count, likelihoods] = [0, 0];
  for (let i = 0; i < roots.length; i++) {
    let sum = 0;
    for (let t = 0; t < LIGHT_COUNT; t++) {
      sum += table[t * LIGHT_PALETTE.length + packed[i * LIGHT_COUNT + t]!]!;
    }
    const own = sum / roots[i]!;
    if (own < root - 1e-12) continue;
    count++;
    if (own / roots[i]! >= LEAST_STRENGTH) likelihoods += (rest / restOf(total, own)) ** (FREEDOM / 2);
  }
  return { share: count / roots.length, others: likelihoods / roots.length };
}

/** Sum of squares that a sequence does not explain; one with a negative strength explains nothing. */
function restOf(total: number, root: number): number {
  return Math.max(total - Math.max(0, root) ** 2, 1e-12);
}

/** @param beyond strength less the least one of a head */
function verdictOf(share: number, beyond: number, ratio: number): LightVerdict {
  if (share <= ANSWERED_SHARE && beyond >= 0) return 'answered';
  return beyond < 0 && ratio >= RULED_OUT ? 'not_answered' : 'cannot_tell';
}

/** Scales the part that is common to the channels, so that the noise is equal in all directions. */
function whitened(colour: Colour): Colour {
  const mean = (colour[0]! + colour[1]! + colour[2]!) / 3;
  const kept = 1 / Math.sqrt(1 + 3 * COMMON_NOISE);
  return colour.map((value) => value - mean + mean * kept);
}

function dot(a: Colour, b: Colour): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

const colours = LIGHT_PALETTE.map(whitened);
const chroma = LIGHT_PALETTE.map((colour) =>
  colour.map((value) => value - (colour[0] + colour[1] + colour[2]) / 3),
);

/** Sum of squares of a sequence's colours about their mean. */
function powerOf(sequence: LightSequence | Uint8Array): number {
  const sum = [0, 0, 0];
  let squares = 0;
  for (const light of sequence) {
    const colour = colours[light]!;
    for (let channel = 0; channel < 3; channel++) sum[channel]! += colour[channel]!;
    squares += dot(colour, colour);
  }
  return squares - dot(sum, sum) / sequence.length;
}

let cachedRoots: Float64Array | undefined;

/** The root of the power of each sequence, computed on the first use. */
function rootsOfPowers(): Float64Array {
  const packed = packedSequences();
  cachedRoots ??= Float64Array.from({ length: packed.length / LIGHT_COUNT }, (_, i) =>
    Math.sqrt(powerOf(packed.subarray(i * LIGHT_COUNT, (i + 1) * LIGHT_COUNT))),
  );
  return cachedRoots;
}
