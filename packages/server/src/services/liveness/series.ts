import {
  type Engine,
  type Face,
  flatnessOf,
  type PerceptualHashQuery,
  perceptualHashQuery,
} from '@wajah/engine';
import { templateOf } from '../pictures/main-face.ts';
import { shown } from '../recognition/thresholds.ts';

/** One picture of a series that one person is said to have taken. */
export interface Frame {
  /** How the answer calls it: `image1`, … */
  readonly name: string;
  readonly parameter: string;
  /** SHA-256 of the picture's bytes. */
  readonly digest: string;
  /** Analysed with `wantedForSeries`. */
  readonly face: Face;
}

/**
 * Similarity below which two pictures of a series show different people: far below the threshold of
 * verification, because a series is made of turned heads and closed eyes. Measured on the `dev` pictures, which
 * were taken on different days and so are harder than a series, templates being fitted to other people: 1 of 251
 * people's own 3 to 8 pictures fall below; a stranger's picture does in 5,121 of 5,271 cases.
 */
export const samePersonLimit = 0.45;

/** What a picture must be analysed with, besides what it is asked to show. */
export const wantedForSeries = ['pose', 'eyes', 'mouth', 'embedding', 'mesh', 'perceptualHash'] as const;

/** Something that speaks against a whole series. */
export interface Objection {
  /** One word for programs. */
  readonly name: 'repeat' | 'person' | 'flat';
  /** One sentence for people. */
  readonly says: string;
}

/**
 * Why a series does not count, although each of its pictures may.
 * @param things what its pictures were asked for, in the plural
 * @param turning faces that were asked for an angle, one for each time: a mouth that opens moves points, too
 */
export function objectionsTo(
  shots: readonly Frame[],
  engine: Pick<Engine, 'similarity'>,
  things: 'parameters' | 'steps',
  turning: readonly Face[],
): Objection[] {
  const named = (name: Objection['name'], sentences: string[]) => sentences.map((says) => ({ name, says }));
  return [
    ...named('repeat', repeats(shots, things)),
    ...named('person', strangers(shots, engine)),
    ...named('flat', flat(turning)),
  ];
}

/**
 * The same for a batch, as sentences.
 * @param repeatsAllowed one picture may be sent for several parameters
 */
export function reasonsAgainst(
  shots: readonly Frame[],
  engine: Pick<Engine, 'similarity'>,
  repeatsAllowed = false,
): string[] {
  const turning = shots.filter(({ parameter }) => parameter.startsWith('face ')).map(({ face }) => face);
  return objectionsTo(shots, engine, 'parameters', turning)
    .filter(({ name }) => name !== 'repeat' || !repeatsAllowed)
    .map(({ says }) => says);
}

/** One picture cannot show two things asked one after the other. */
function repeats(shots: readonly Frame[], things: string): string[] {
  const probes = shots.map(
    ({ face }) => face.perceptualHash && perceptualHashQuery(face.perceptualHash.image),
  );
  return shots.flatMap((shot, index) =>
    shots.slice(0, index).flatMap((earlier, at) => {
      if (earlier.parameter === shot.parameter) return [];
      const both = `${earlier.name} and ${shot.name}`;
      if (isSamePicture(earlier, shot)) return `${both} are the same picture, sent for different ${things}`;
      return showSameMoment(earlier, shot, probes[at], probes[index])
        ? `${both} show the same moment, sent for different ${things}`
        : [];
    }),
  );
}

/** Equal bytes, or other bytes that decode to the same pixels: those give the same template to the last bit. */
function isSamePicture(a: Frame, b: Frame): boolean {
  if (a.digest === b.digest) return true;
  const [left, right] = [templateOf(a.face), templateOf(b.face)];
  return left.every((value, index) => value === right[index]);
}

/** One frame under other bytes: eyes and mouth are then as they were. */
function showSameMoment(
  { face: a }: Frame,
  { face: b }: Frame,
  inA?: PerceptualHashQuery,
  inB?: PerceptualHashQuery,
): boolean {
  if (!a.perceptualHash || !b.perceptualHash || statesDiffer(a, b)) return false;
  // What was cut off is known of the frame that is looked for, not of the one that is remembered.
  return [inA?.isSameFrame(b.perceptualHash.bits), inB?.isSameFrame(a.perceptualHash.bits)].includes(true);
}

function statesDiffer(a: Face, b: Face): boolean {
  return (
    a.eyes?.left.state !== b.eyes?.left.state ||
    a.eyes?.right.state !== b.eyes?.right.state ||
    a.mouth?.state !== b.mouth?.state
  );
}

/** A picture on paper or on a screen that is tilted instead of a head that turns. */
function flat(faces: readonly Face[]): string[] {
  const { pairs, probability } = flatnessOf(faces);
  if (pairs === 0 || probability < 0.5) return [];
  const certainty = `probability ${shown(probability)} from ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`;
  return [`the face moves as a flat picture does that is tilted, not as a head that turns (${certainty})`];
}

/**
 * Each picture is held against the most frontal one: a face turned to the left is nearer to the front of the
 * same person than to that person turned to the right.
 */
function strangers(shots: readonly Frame[], engine: Pick<Engine, 'similarity'>): string[] {
  const [reference] = [...shots].sort((a, b) => turnOf(a.face) - turnOf(b.face));
  if (!reference) return [];
  return shots.flatMap((shot) => {
    if (shot === reference) return [];
    const similarity = engine.similarity(templateOf(reference.face), templateOf(shot.face));
    if (similarity >= samePersonLimit) return [];
    return `${shot.name} shows another person than ${reference.name}: similarity ${shown(similarity)}, at least ${shown(samePersonLimit)} is needed`;
  });
}

/** Degrees by which a face is turned away from the camera. */
export function turnOf({ pose }: Face): number {
  return pose ? Math.hypot(pose.yaw, pose.pitch) : Number.POSITIVE_INFINITY;
}
