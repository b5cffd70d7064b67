import { type Engine, type Face, flatnessOf } from '@wajah/engine';
import { quickTemplateOf } from '../pictures/main-face.ts';
import { formatSimilarity } from '../recognition/format-similarity.ts';
import { type Frame, findRepeats, type SeriesDependencies } from './frames/repeats.ts';
import { createReason, type Reason } from './reasons.ts';

/**
 * Similarity below which two pictures of a series show different people: far below the threshold of verification,
 * because a series has turned heads and closed eyes. On the `dev` pictures, which were taken on different days and so
 * are harder than a series, FNMR is 1 of 251 people (3 to 8 pictures each) and 5,121 of 5,271 impostor pairs fall below, by
 * whole templates; by those of one crop, 2.40 % of all impostor pairs reach it, by whole ones 2.43 %.
 */
export const samePersonLimit = 0.45;

/** Attributes that the checks of a series need. */
export const seriesAttributes = [
  'pose',
  'eyes',
  'mouth',
  'quickEmbedding',
  'mesh',
  'perceptualHash',
] as const;

/**
 * Checks a series for changes of identity and flatness.
 * @param turning faces that were requested with an angle: an opening mouth also moves landmarks
 */
export function checkSeries(
  frames: readonly Frame[],
  engine: Pick<Engine, 'similarity'>,
  turning: readonly Face[],
): Reason[] {
  return [...findIdentityChanges(frames, engine), ...checkFlatness(turning)];
}

/**
 * Checks a batch for repeated pictures, changes of identity and flatness.
 * @param repeatsAllowed one picture may be sent for several parameters
 */
export async function checkBatchSeries(
  deps: SeriesDependencies,
  frames: readonly Frame[],
  repeatsAllowed = false,
): Promise<Reason[]> {
  const turning = frames.filter(({ parameter }) => parameter.startsWith('face ')).map(({ face }) => face);
  const repeats = repeatsAllowed ? [] : await findRepeats(deps, frames, 'parameters');
  return [...repeats, ...checkSeries(frames, deps.engine, turning)];
}

/** A tilted print or screen moves like a plane, a turning head does not. */
function checkFlatness(faces: readonly Face[]): Reason[] {
  const { pairs, probability } = flatnessOf(faces);
  if (pairs === 0 || probability < 0.5) return [];
  const figures = `probability ${formatSimilarity(probability)} from ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`;
  const finding = 'the face moves as a flat picture does that is tilted, not as a head that turns';
  return [createReason('flat', finding, figures)];
}

/**
 * Compares each picture with the most frontal one: a head turned to the left is more similar to the same person's front
 * than to that person turned to the right.
 */
function findIdentityChanges(frames: readonly Frame[], engine: Pick<Engine, 'similarity'>): Reason[] {
  const reference = mostFrontal(frames, ({ face }) => face);
  if (!reference) return [];
  return frames.flatMap((frame) => {
    if (frame === reference) return [];
    const similarity = engine.similarity(quickTemplateOf(reference.face), quickTemplateOf(frame.face));
    if (similarity >= samePersonLimit) return [];
    return createReason(
      'person',
      `${frame.name} shows another person than ${reference.name}`,
      `similarity ${formatSimilarity(similarity)}, at least ${formatSimilarity(samePersonLimit)} is needed`,
    );
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
