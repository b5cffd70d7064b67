import {
  type Attribute,
  type Engine,
  type Face,
  type Flatness,
  flatnessOf,
  isSameMoment,
} from '@wajah/engine';
import { quickTemplateOf } from '../faces/main-face.ts';
import { samePersonLimit } from '../faces/several-pictures.ts';
import { formatSimilarity } from '../galleries/format-similarity.ts';
import { createReason, type Reason } from './reasons.ts';

/**
 * Attributes that the checks of a batch need of a picture: whether it shows the same moment as another is asked only of
 * parameters that exclude each other.
 * @param parameters of the batch
 * @param repeatsAllowed see `checkBatchSeries`
 */
export function seriesAttributes(
  parameter: string,
  parameters: readonly string[],
  repeatsAllowed: boolean,
): readonly Attribute[] {
  const isCompared = !repeatsAllowed && parameters.some((other) => excludeEachOther(parameter, other));
  const ofMoment = isCompared ? (['eyes', 'mouth', 'settledShape'] as const) : [];
  return ['pose', 'quickEmbedding', 'mesh', ...ofMoment];
}

/**
 * Checks a batch for repeated pictures, changes of identity and flatness.
 * @param repeatsAllowed one picture may be sent for several parameters
 */
export function checkBatchSeries(
  { engine }: { readonly engine: Pick<Engine, 'similarity'> },
  frames: readonly Frame[],
  repeatsAllowed = false,
): Reason[] {
  const turning = frames.filter(({ parameter }) => parameter.startsWith('face ')).map(({ face }) => face);
  const repeats = repeatsAllowed ? [] : findRepeats(engine, frames, 'parameters');
  return [...repeats, ...findIdentityChanges(frames, engine), ...checkFlatness(flatnessOf(turning))];
}

/**
 * A tilted print or screen moves like a plane, a turning head does not.
 * @param flatness of the faces that were requested with an angle: an opening mouth also moves landmarks
 */
export function checkFlatness({ pairs, probability }: Flatness): Reason[] {
  if (pairs === 0 || probability < 0.5) return [];
  const figures = `probability ${formatSimilarity(probability)} from ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`;
  const finding = 'the face moves as a flat picture does that is tilted, not as a head that turns';
  return [createReason('flat', finding, figures)];
}

/**
 * Compares each picture with the most frontal one: a head turned to the left is more similar to the same person's front
 * than to that person turned to the right.
 * @param limitOf similarity that a picture needs, 0…1
 */
export function findIdentityChanges(
  frames: readonly Frame[],
  engine: Pick<Engine, 'similarity'>,
  limitOf: (frame: Frame) => number = () => samePersonLimit,
): Reason[] {
  const reference = mostFrontal(frames, ({ face }) => face);
  if (!reference) return [];
  return frames.flatMap((frame) => {
    if (frame === reference) return [];
    const similarity = engine.similarity(quickTemplateOf(reference.face), quickTemplateOf(frame.face));
    const limit = limitOf(frame);
    if (similarity >= limit) return [];
    const finding = `${frame.name} shows a face that does not match ${reference.name}`;
    const figures = `similarity ${formatSimilarity(similarity)}, at least ${formatSimilarity(limit)} is needed`;
    return createReason('person', finding, figures);
  });
}

/** The one whose face is turned from the camera the least, the first of several. @param faceOf a face with its pose */
export function mostFrontal<T>(candidates: readonly T[], faceOf: (candidate: T) => Face): T | undefined {
  return [...candidates].sort((a, b) => turnOf(faceOf(a)) - turnOf(faceOf(b)))[0];
}

/** Angle between head and camera, degrees. */
function turnOf({ pose }: Face): number {
  return pose ? Math.hypot(pose.yaw, pose.pitch) : Number.POSITIVE_INFINITY;
}

/** A picture of a series, all of which must show one person. */
export interface Frame {
  /** Its name in answers, such as `image1`. */
  readonly name: string;
  readonly parameter: string;
  /** SHA-256 of the picture's bytes. */
  readonly digest: string;
  /** Whether the parameter is judged by it; of other pictures only exact copies are found. */
  readonly judged: boolean;
  /** Analysed with `seriesAttributes`. */
  readonly face: Face;
}

/**
 * One picture cannot stand for two parameters that exclude each other.
 * @param requested what the pictures were requested for
 */
export function findRepeats(
  engine: Pick<Engine, 'similarity'>,
  frames: readonly Frame[],
  requested: 'parameters' | 'steps',
): Reason[] {
  return frames.flatMap((frame, later) =>
    frames.slice(0, later).flatMap((earlier) => {
      if (!excludeEachOther(earlier.parameter, frame.parameter)) return [];
      const both = `${earlier.name} and ${frame.name}`;
      if (isSamePicture(engine, earlier, frame))
        return createReason('repeat', `${both} are the same picture, sent for different ${requested}`);
      if (showSameMoment(earlier, frame))
        return createReason('repeat', `${both} show the same moment, sent for different ${requested}`);
      return [];
    }),
  );
}

/**
 * Whether one face cannot show both at the same time: two angles, two states of the eyes or of the mouth, two steps. One
 * neutral face is frontal, with open eyes and a closed mouth.
 */
function excludeEachOther(a: string, b: string): boolean {
  return a !== b && a.split(' ')[0] === b.split(' ')[0];
}

/** Equal bytes, or bytes that decode to the same pixels: only their templates have a similarity of 1. */
function isSamePicture(engine: Pick<Engine, 'similarity'>, a: Frame, b: Frame): boolean {
  return a.digest === b.digest || engine.similarity(quickTemplateOf(a.face), quickTemplateOf(b.face)) === 1;
}

/** One picture in another light, encoded again or cropped: it shows the same eyes and mouth. */
function showSameMoment({ face: a, judged }: Frame, { face: b, judged: other }: Frame): boolean {
  if (!judged || !other || !a.settledShape || !b.settledShape || statesDiffer(a, b)) return false;
  return isSameMoment(a.settledShape, b.settledShape);
}

/** What was not measured in one of them does not tell two faces apart. */
function statesDiffer(a: Face, b: Face): boolean {
  const pairs = [
    [a.eyes?.left, b.eyes?.left],
    [a.eyes?.right, b.eyes?.right],
    [a.mouth, b.mouth],
  ] as const;
  return pairs.some(([one, other]) => one && other && one.state !== other.state);
}
