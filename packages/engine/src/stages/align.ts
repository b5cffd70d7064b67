import { fitSimilarity, invert } from '../geometry.ts';
import { landmarksOf } from '../landmarks.ts';
import type { Crop, Sampler } from '../sampler.ts';
import type { Point } from '../types.ts';
import { type Mesh, pointOf } from './mesh.ts';
import type { Model } from './model.ts';

/**
 * The face upright and centred as the model was trained on it (`alignment` of its description), by least squares
 * over a few points of the mesh or its five landmarks.
 * @param size side of the crop, pixels; that of the model's input unless said otherwise
 * @throws RangeError when the model's description has no alignment
 */
export function align(
  from: Sampler,
  mesh: Mesh,
  { spec }: Pick<Model, 'spec'>,
  size: number = spec.input.width,
): Crop {
  const { alignment } = spec;
  if (alignment === undefined) throw new RangeError(`${spec.file} takes no aligned face.`);
  const { padding, points } = alignment;
  const landmarks = landmarksOf(mesh);
  const place = (share: number) => ((share + padding) / (1 + 2 * padding)) * size;
  const toCrop = fitSimilarity(
    points.map((point): Point => ('mesh' in point ? pointOf(mesh, point.mesh) : landmarks[point.landmark]!)),
    points.map((point) => ({ x: place(point.x), y: place(point.y) })),
  );
  return from.crop(invert(toCrop), size, size);
}
