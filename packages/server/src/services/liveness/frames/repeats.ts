import type { Engine, Face } from '@wajah/engine';
import type { FrameIndex } from '../../../matching/frames/frame-index.ts';
import { quickTemplateOf } from '../../pictures/main-face.ts';
import { createReason, type Reason } from '../reasons.ts';
import { inTime } from './in-time.ts';

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

/** What compares pictures of a series. */
export interface SeriesDependencies {
  readonly engine: Pick<Engine, 'similarity'>;
  readonly frameIndex: Pick<FrameIndex, 'findSame'>;
}

/**
 * One picture cannot stand for two parameters that exclude each other.
 * @param requested what the pictures were requested for
 */
export async function findRepeats(
  { engine, frameIndex }: SeriesDependencies,
  frames: readonly Frame[],
  requested: 'parameters' | 'steps',
): Promise<Reason[]> {
  const pairs = frames.flatMap((frame, later) =>
    frames
      .slice(0, later)
      .flatMap((earlier) => (excludeEachOther(earlier, frame) ? [{ earlier, frame }] : [])),
  );
  const compared = pairs.filter(({ earlier, frame }) => mayBeSame(engine, earlier, frame));
  const same = await sameMoments(frameIndex, compared);
  return pairs.flatMap((pair) => {
    const both = `${pair.earlier.name} and ${pair.frame.name}`;
    if (isSamePicture(engine, pair.earlier, pair.frame)) {
      return createReason('repeat', `${both} are the same picture, sent for different ${requested}`);
    }
    return same.has(pair)
      ? createReason('repeat', `${both} show the same moment, sent for different ${requested}`)
      : [];
  });
}

interface Pair {
  readonly earlier: Frame;
  readonly frame: Frame;
}

/** @returns the pairs of one picture, encoded again or cropped */
async function sameMoments(
  index: Pick<FrameIndex, 'findSame'>,
  pairs: readonly Pair[],
): Promise<ReadonlySet<Pair>> {
  const hashes = [...new Set(pairs.flatMap(({ earlier, frame }) => [hashOf(earlier), hashOf(frame)]))];
  const places = pairs.map(
    ({ earlier, frame }) => [hashes.indexOf(hashOf(earlier)), hashes.indexOf(hashOf(frame))] as const,
  );
  const same = await inTime(index.findSame(hashes, places));
  return new Set(pairs.filter((_, i) => same[i]));
}

function hashOf({ face }: Frame) {
  return face.perceptualHash!;
}

/**
 * Whether one face cannot show both at the same time: two angles, two states of the eyes or of the mouth, two steps. One
 * neutral face is frontal, with open eyes and a closed mouth.
 */
function excludeEachOther({ parameter: a }: Frame, { parameter: b }: Frame): boolean {
  return a !== b && a.split(' ')[0] === b.split(' ')[0];
}

/** Equal bytes, or bytes that decode to the same pixels: only their templates have a similarity of 1. */
function isSamePicture(engine: SeriesDependencies['engine'], a: Frame, b: Frame): boolean {
  return a.digest === b.digest || engine.similarity(quickTemplateOf(a.face), quickTemplateOf(b.face)) === 1;
}

/** Whether the details of two frames are worth comparing. One picture, encoded again, shows the same eyes and mouth. */
function mayBeSame(engine: SeriesDependencies['engine'], a: Frame, b: Frame): boolean {
  if (!a.judged || !b.judged || !a.face.perceptualHash || !b.face.perceptualHash) return false;
  return !isSamePicture(engine, a, b) && !statesDiffer(a.face, b.face);
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
