import { fitSimilarity, invert } from '../../imaging/geometry.ts';
import type { Crop, Sampler } from '../../imaging/sampler.ts';
import type { NetworkManifest } from '../../packs/manifest.ts';
import type { Point } from '../../types.ts';
import { wholeFace } from '../detection/whole-face.ts';
import { landmarksOf } from '../mesh/landmarks.ts';
import { type Mesh, pointOf } from '../mesh/mesh.ts';

/** Where points of a face land in its aligned crop (`alignment` of a network's description). */
export type Alignment = NonNullable<NetworkManifest['alignment']>;

/**
 * The face upright and centred as a model was trained on it, by least squares over the mesh, some of its points or
 * its five landmarks.
 * @param size side of the crop, pixels
 */
export function align(from: Sampler, mesh: Mesh, alignment: Alignment, size: number): Crop {
  const { padding } = alignment;
  const place = (share: number) => ((share + padding) / (1 + 2 * padding)) * size;
  const { found, wanted } = anchors(mesh, alignment);
  const toCrop = fitSimilarity(
    found,
    wanted.map(({ x, y }) => ({ x: place(x), y: place(y) })),
  );
  return from.crop(invert(toCrop), size, size);
}

/**
 * The same as the model's description has it.
 * @throws RangeError when it has no alignment
 */
export function alignFor({ spec }: { readonly spec: NetworkManifest }, from: Sampler, mesh: Mesh): Crop {
  if (spec.alignment === undefined) throw new RangeError(`${spec.file} takes no aligned face.`);
  return align(from, mesh, spec.alignment, spec.input.width);
}

function anchors(mesh: Mesh, { points }: Alignment): { found: Point[]; wanted: readonly Point[] } {
  if (points === 'whole-face') {
    return { found: wholeFace.map((_, index) => pointOf(mesh, index)), wanted: wholeFace };
  }
  const landmarks = landmarksOf(mesh);
  const find = (anchor: (typeof points)[number]): Point =>
    'mesh' in anchor ? pointOf(mesh, anchor.mesh) : landmarks[anchor.landmark]!;
  return { found: points.map(find), wanted: points };
}
