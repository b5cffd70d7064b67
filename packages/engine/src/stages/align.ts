import { fitSimilarity, invert } from '../geometry.ts';
import type { Crop, Sampler } from '../sampler.ts';
import { type Mesh, pointOf } from './mesh.ts';
import type { Model } from './model.ts';

/**
 * The face upright and centred as the model was trained on it (`alignment` of its description), by least squares
 * over a few points of the mesh.
 * @throws RangeError when the model's description has no alignment
 */
export function align(from: Sampler, mesh: Mesh, { spec }: Model): Crop {
  const { alignment } = spec;
  const size = spec.input.width;
  if (alignment === undefined) throw new RangeError(`${spec.file} takes no aligned face.`);
  const { padding, points } = alignment;
  const place = (share: number) => ((share + padding) / (1 + 2 * padding)) * size;
  const toCrop = fitSimilarity(
    points.map((point) => pointOf(mesh, point.mesh)),
    points.map((point) => ({ x: place(point.x), y: place(point.y) })),
  );
  return from.crop(invert(toCrop), size, size);
}
