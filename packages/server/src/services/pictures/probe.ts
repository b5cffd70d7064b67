import type { Analysis, Attribute, Face } from '@wajah/engine';
import type { Caller } from '../services.ts';
import { describeFace, mainFace, requireSize } from './main-face.ts';
import type { PictureField, Pictures } from './pictures.ts';

/** The face that counts in a picture, and the picture it was found in. */
export interface Probe {
  readonly face: Face;
  readonly analysis: Analysis;
}

/**
 * Reads a picture and takes its main face, which must have the least size.
 * @param minimum shorter side of the face box, pixels; 0 takes any
 * @param remedy what else the caller can do about a small face
 * @throws Refusal of the picture, `faceNotDetected` | `faceTooSmall`
 */
export async function lookAtFace(
  pictures: Pictures,
  caller: Caller,
  picture: { field: PictureField; text: string },
  attributes: readonly Attribute[],
  minimum: number,
  remedy = '',
): Promise<Probe> {
  const { field, text } = picture;
  const bytes = pictures.decode(field, text);
  const request = { attributes, maxFaces: 1, search: 'fast' } as const;
  const analysis = await pictures.analyze(field, bytes, request, caller.signal);
  const face = mainFace(analysis, field.name);
  requireSize(face, describeFace(analysis, field.name), minimum, remedy);
  return { face, analysis };
}

/**
 * Looks at two pictures at once. When both are refused, the first one's refusal is told.
 * @throws what either throws
 */
export async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}
