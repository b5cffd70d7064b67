import { decodeImage, type Picture } from './image.ts';
import { type Sampler, sampler } from './sampler.ts';
import { type FoundFace, findFaces } from './search.ts';
import type { Models } from './stages/model.ts';
import type { ImageLimits, Search } from './types.ts';

/** A picture that was read and searched, before anything is measured. */
export interface Look {
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
export async function lookAt(
  models: Models,
  image: Uint8Array,
  search: Search,
  limits: ImageLimits,
): Promise<Look> {
  const picture = await decodeImage(image, limits);
  const from = sampler(picture);
  return { picture, from, faces: await findFaces(models, from, search) };
}
