import { z } from 'zod';
import { type Affine, apply, fitSimilarity, invert } from '../../imaging/geometry.ts';
import type { NetworkManifest } from '../../packs/manifest.ts';
import type { Point } from '../../types.ts';
import { readLearned } from '../learned.ts';
import { POINTS } from '../mesh/mean-face.ts';
import { landmarksOf, type Mesh, pointOf } from '../mesh/mesh.ts';

/** Where points of a face land in its aligned crop (`alignment` of a network's manifest). */
export type Alignment = NonNullable<NetworkManifest['alignment']>;

/**
 * Place of each mesh point in a mean face, in the frame of dlib's five-point face chip (fractions of its side before
 * padding). Over all points the errors of single ones average out, which five points do not achieve.
 */
const WHOLE_FACE: readonly Point[] = readLearned(
  'whole-face.json',
  z
    .object({ points: z.array(z.number()).length(POINTS * 2) })
    .transform(({ points }) =>
      Array.from({ length: POINTS }, (_, i) => ({ x: points[2 * i]!, y: points[2 * i + 1]! })),
    ),
);

/**
 * Maps the pixels of a crop with the face upright and centred, as a model was trained on it, to the picture: least-squares
 * similarity over the whole mesh, some of its points or the five landmarks.
 * @param size side of the crop, pixels
 */
export function alignTo(mesh: Mesh, alignment: Alignment, size: number): Affine {
  const { padding } = alignment;
  const place = (share: number) => ((share + padding) / (1 + 2 * padding)) * size;
  const { found, wanted } = anchors(mesh, alignment);
  const toCrop = fitSimilarity(
    found,
    wanted.map(({ x, y }) => ({ x: place(x), y: place(y) })),
  );
  return invert(toCrop);
}

/**
 * Maps the pixels of a model's input to the picture by the alignment of its manifest.
 * @throws RangeError when the manifest has no alignment
 */
export function alignedView({ spec }: { readonly spec: NetworkManifest }, mesh: Mesh): Affine {
  if (spec.alignment === undefined) throw new RangeError(`${spec.file} takes no aligned face.`);
  return alignTo(mesh, spec.alignment, spec.input.width);
}

function anchors(mesh: Mesh, { points, whole }: Alignment): { found: Point[]; wanted: readonly Point[] } {
  const all = () => WHOLE_FACE.map((_, index) => pointOf(mesh, index));
  if (points === 'whole-face') return { found: all(), wanted: WHOLE_FACE };
  const placesIn = (face: Mesh) => {
    const landmarks = landmarksOf(face);
    return points.map((anchor) =>
      'mesh' in anchor ? pointOf(face, anchor.mesh) : landmarks[anchor.landmark]!,
    );
  };
  if (!whole) return { found: placesIn(mesh), wanted: points };
  const ontoPoints = fitSimilarity(placesIn(MEAN), points);
  return { found: all(), wanted: WHOLE_FACE.map((place) => apply(ontoPoints, place)) };
}

/** The mean face as a mesh without depth. */
const MEAN: Mesh = { points: Float32Array.from(WHOLE_FACE.flatMap(({ x, y }) => [x, y, 0])), score: 1 };
