import { apply, distance, invert, middle, squareCrop } from '../geometry.ts';
import type { Crop, Sampler } from '../sampler.ts';
import { type Mesh, pointOf } from './mesh.ts';

const SIZE = 32;
/** Side of the square between nose and chin over the height of the face. */
const SIDE = 0.42;
const [FOREHEAD, CHIN, NOSE_BASE] = [10, 152, 2] as const;
const EYE_CORNERS = [33, 263] as const;
/** Outer edges of the upper and the lower lip, and the corners of the mouth. */
const LIPS = [0, 17] as const;
const CORNERS = [61, 291] as const;
/** Part of the mouth's width, about its middle, that is looked at. */
const WIDTH = 0.3;
/** Darker than this share of the usual brightness between nose and chin: the inside of a mouth. */
const DARK = 0.5;
const STEPS = 12;

/**
 * How much between the lips is as dark as the inside of a mouth: square root of its share, 0…1. It sees openings that
 * the mesh, which draws the lips of a usual face, passes over.
 */
export function mouthShade(from: Sampler, mesh: Mesh): number {
  const [chin, nose] = [pointOf(mesh, CHIN), pointOf(mesh, NOSE_BASE)];
  const [right, left] = [pointOf(mesh, EYE_CORNERS[0]), pointOf(mesh, EYE_CORNERS[1])];
  const side = distance(pointOf(mesh, FOREHEAD), chin) * SIDE;
  const angle = Math.atan2(left.y - right.y, left.x - right.x);
  const toPicture = squareCrop(middle(nose, chin), side, angle, SIZE);
  const luma = lumaOf(from.crop(toPicture, SIZE, SIZE, 'edge'));
  const usual = luma.slice().sort()[luma.length >> 1]!;
  const toCrop = invert(toPicture);
  const at = (index: number) => apply(toCrop, pointOf(mesh, index));
  const [top, bottom] = LIPS.map((index) => at(index).y).sort((a, b) => a - b) as [number, number];
  const [corner, other] = [at(CORNERS[0]).x, at(CORNERS[1]).x];
  const [x, half] = [(corner + other) / 2, ((other - corner) * WIDTH) / 2];
  let dark = 0;
  for (const y of along(top, bottom)) {
    for (const column of along(x - half, x + half)) {
      if (luma[y * SIZE + column]! < DARK * (usual + 1)) dark++;
    }
  }
  return Math.sqrt(dark) / STEPS;
}

/** Pixels at even steps from one place to another, those beyond the crop at its edge. */
function along(from: number, to: number): number[] {
  return Array.from({ length: STEPS }, (_, i) => {
    const place = Math.floor(from + ((to - from) * i) / (STEPS - 1));
    return Math.max(0, Math.min(SIZE - 1, place));
  });
}

/** Brightness (Rec. 601), 0…255. */
function lumaOf({ data, width, height }: Crop): Float32Array {
  const plane = width * height;
  return Float32Array.from(
    { length: plane },
    (_, i) => 0.299 * data[i]! + 0.587 * data[i + plane]! + 0.114 * data[i + 2 * plane]!,
  );
}
