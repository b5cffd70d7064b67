import { decodeImage, type Picture } from '../../imaging/decode.ts';
import { type Sampler, sampler } from '../../imaging/sampler.ts';
import type { ImageLimits, Search } from '../../types.ts';
import type { Models } from '../model.ts';
import { type FoundFace, findFaces } from './find-faces.ts';

/** A picture that was read and searched, before anything is measured. */
export interface DecodedFaces {
  readonly picture: Picture;
  /** Cuts crops out of the picture. */
  readonly from: Sampler;
  /** All faces, the most prominent first. */
  readonly faces: readonly FoundFace[];
}

/**
 * Reads a picture and finds its faces.
 * @throws EngineError `imageType` | `imageBroken`
 */
export async function decodeAndFind(
  models: Models,
  image: Uint8Array,
  search: Search,
  limits: ImageLimits,
): Promise<DecodedFaces> {
  const picture = await decodeImage(image, limits);
  const from = sampler(picture);
  return { picture, from, faces: await findFaces(models, from, search) };
}
