import { Refusal } from '../../errors.ts';
import type { BodyBounds } from './ports.ts';

/** Bytes that a body may have beside its pictures: in all, and more for each picture that its endpoint takes. */
const [ownRest, restOfPicture] = [64 * 1024, 4 * 1024];

/** Most bytes of a body beside its pictures. @param pictures that its endpoint takes at most */
export function restBytes(pictures: number): number {
  return ownRest + pictures * restOfPicture;
}

/** Base64 of a picture over its bytes, wrapped in lines. */
const encoded = 1.4;
/** Most pictures of the largest size in one body: a batch has eight, a session more that are smaller. */
const largePictures = 8;

/**
 * Most bytes of a body.
 * @param imageBytes of the largest picture
 * @param pictures that its endpoint takes at most; absent: the most of any
 */
export function largestBody(imageBytes: number, pictures = largePictures): number {
  const ofPictures = Math.min(pictures, largePictures) * Math.ceil(encoded * imageBytes);
  return restBytes(pictures) + ofPictures;
}

/** Of a refusal that leaves the body unread: the rest of it is dropped, and the call is not counted. */
export const unread = { unread: true };

/** Most characters of a field's name that a refusal quotes. */
const quotedName = 60;

/** Counts what a body has beside its pictures. */
export class Rest {
  readonly #bounds: BodyBounds;
  #bytes = 0;

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  /** @param file name of the field whose file they are @throws Refusal when they become too many */
  add(bytes: number, file?: string): void {
    this.#bytes += bytes;
    const { rest: most, pictureFields: fields } = this.#bounds;
    if (this.#bytes <= most) return;
    if (fields.length === 0) throw new Refusal('bodyTooLarge', { most }, unread);
    if (file !== undefined)
      throw new Refusal('fileNotTaken', { name: file.slice(0, quotedName), most, fields }, unread);
    throw new Refusal('bodyRestTooLarge', { most, fields }, unread);
  }
}
