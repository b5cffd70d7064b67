import {
  type Engine,
  type Face,
  type FrameTrace,
  flatnessOf,
  frameDetailOf,
  sameFrameQuery,
} from '@wajah/engine';
import { templateOf } from '../pictures/main-face.ts';
import { formatSimilarity } from '../recognition/thresholds.ts';
import { createReason, type Reason } from './reasons.ts';

/** A picture of a series, all of which must show one person. */
export interface Frame {
  /** Its name in answers, such as `image1`. */
  readonly name: string;
  readonly parameter: string;
  /** SHA-256 of the picture's bytes. */
  readonly digest: string;
  /** Analysed with `seriesAttributes`. */
  readonly face: Face;
}

/**
 * Similarity below which two pictures of a series show different people: far below the threshold of verification,
 * because a series has turned heads and closed eyes. On the `dev` pictures, which were taken on different days and so
 * are harder than a series, FNMR is 1 of 251 people (3 to 8 pictures each) and 5,121 of 5,271 impostor pairs fall below.
 */
export const samePersonLimit = 0.45;

/** Attributes that the checks of a series need. */
export const seriesAttributes = ['pose', 'eyes', 'mouth', 'embedding', 'mesh', 'perceptualHash'] as const;

/**
 * Checks a series for repeated pictures, changes of identity and flatness.
 * @param requested what the pictures were requested for, as `finding` names it
 * @param turning faces that were requested with an angle: an opening mouth also moves landmarks
 */
export function checkSeries(
  frames: readonly Frame[],
  engine: Pick<Engine, 'similarity'>,
  requested: 'parameters' | 'steps',
  turning: readonly Face[],
): Reason[] {
  return [
    ...findRepeats(frames, requested),
    ...findIdentityChanges(frames, engine),
    ...checkFlatness(turning),
  ];
}

/**
 * As `checkSeries`, for a batch.
 * @param repeatsAllowed one picture may be sent for several parameters
 * @returns sentences that name the pictures, without measured values
 */
export function checkBatchSeries(
  frames: readonly Frame[],
  engine: Pick<Engine, 'similarity'>,
  repeatsAllowed = false,
): string[] {
  const turning = frames.filter(({ parameter }) => parameter.startsWith('face ')).map(({ face }) => face);
  return checkSeries(frames, engine, 'parameters', turning)
    .filter(({ name }) => name !== 'repeat' || !repeatsAllowed)
    .map(({ finding }) => finding);
}

/**
 * Whether one face cannot show both at the same time: two angles, two states of the eyes or of the mouth, two steps. One
 * neutral face is frontal, with open eyes and a closed mouth.
 */
function excludeEachOther(a: string, b: string): boolean {
  return a !== b && a.split(' ')[0] === b.split(' ')[0];
}

/** One picture cannot stand for two parameters that exclude each other. */
function findRepeats(frames: readonly Frame[], requested: string): Reason[] {
  const traces = frames.map(({ face }) => traceOf(face));
  return frames.flatMap((frame, index) =>
    frames.slice(0, index).flatMap((earlier, at) => {
      if (!excludeEachOther(earlier.parameter, frame.parameter)) return [];
      const both = `${earlier.name} and ${frame.name}`;
      if (isSamePicture(earlier, frame)) {
        return createReason('repeat', `${both} are the same picture, sent for different ${requested}`);
      }
      return isSameFrame(earlier.face, frame.face, traces[at], traces[index])
        ? createReason('repeat', `${both} show the same moment, sent for different ${requested}`)
        : [];
    }),
  );
}

/** Equal bytes, or bytes that decode to the same pixels: their templates are bit-equal. */
function isSamePicture(a: Frame, b: Frame): boolean {
  if (a.digest === b.digest) return true;
  const [left, right] = [templateOf(a.face), templateOf(b.face)];
  return left.every((value, index) => value === right[index]);
}

/** What another frame is compared with, computed at the first comparison. */
interface ComparableFrame {
  readonly trace: () => FrameTrace;
  readonly isSame: (other: FrameTrace) => boolean;
}

function traceOf({ perceptualHash }: Face): ComparableFrame | undefined {
  if (!perceptualHash) return undefined;
  const { bits, image } = perceptualHash;
  let detail: Uint8Array | undefined;
  return {
    trace: () => {
      detail ??= frameDetailOf(image);
      return { bits, detail };
    },
    isSame: sameFrameQuery(image),
  };
}

/** One picture, encoded again or cropped: eyes and mouth have the same states. */
function isSameFrame(a: Face, b: Face, inA?: ComparableFrame, inB?: ComparableFrame): boolean {
  if (!inA || !inB || statesDiffer(a, b)) return false;
  // A comparison allows for cropping of its own frame only, so both directions are tried.
  return inA.isSame(inB.trace()) || inB.isSame(inA.trace());
}

function statesDiffer(a: Face, b: Face): boolean {
  return (
    a.eyes?.left.state !== b.eyes?.left.state ||
    a.eyes?.right.state !== b.eyes?.right.state ||
    a.mouth?.state !== b.mouth?.state
  );
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
  const [reference] = [...frames].sort((a, b) => turnOf(a.face) - turnOf(b.face));
  if (!reference) return [];
  return frames.flatMap((frame) => {
    if (frame === reference) return [];
    const similarity = engine.similarity(templateOf(reference.face), templateOf(frame.face));
    if (similarity >= samePersonLimit) return [];
    return createReason(
      'person',
      `${frame.name} shows another person than ${reference.name}`,
      `similarity ${formatSimilarity(similarity)}, at least ${formatSimilarity(samePersonLimit)} is needed`,
    );
  });
}

/** Angle between head and camera, degrees. */
export function turnOf({ pose }: Face): number {
  return pose ? Math.hypot(pose.yaw, pose.pitch) : Number.POSITIVE_INFINITY;
}
