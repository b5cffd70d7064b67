import { fitSimilarity, invert } from '../geometry.ts';
import type { Crop, Sampler } from '../sampler.ts';
import { type Mesh, pointOf } from './mesh.ts';

/** Outer and inner corner of the left eye, outer and inner corner of the right eye, middle of the upper lip's base. */
const ANCHORS = [263, 362, 33, 133, 2] as const;

/**
 * Where the anchors lie in the unit square of an aligned face: dlib's mean face (`get_face_chip` with the
 * 5-point model), which the embedder was trained on.
 */
const MEAN_FACE = [
  { x: 0.8595674595992, y: 0.2134981538014 },
  { x: 0.6460604764104, y: 0.2289674387677 },
  { x: 0.1205750620789, y: 0.2137274526848 },
  { x: 0.3340850613712, y: 0.2290642403242 },
  { x: 0.4901123135679, y: 0.6277975316475 },
] as const;

/** Share of the mean face's side that is added around it. */
const PADDING = 0.25;

/** The face upright and centred, eyes level: `size` × `size` pixels, by least squares over five points. */
export function align(from: Sampler, mesh: Mesh, size: number): Crop {
  const target = MEAN_FACE.map((p) => ({
    x: ((p.x + PADDING) / (1 + 2 * PADDING)) * size,
    y: ((p.y + PADDING) / (1 + 2 * PADDING)) * size,
  }));
  const toCrop = fitSimilarity(
    ANCHORS.map((index) => pointOf(mesh, index)),
    target,
  );
  return from.crop(invert(toCrop), size, size);
}
