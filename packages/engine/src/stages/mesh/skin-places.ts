import { MEAN_FACE } from './mean-face.ts';

/** Pixels of a patch of skin across and down. */
export const PATCH_SIDE = 22;
/** Width of the face in pixels of a patch: finer detail is lost when a frame is encoded. */
const FACE = 128;
/** Distance between patches, in those pixels. */
const APART = 16;
/** Mesh points that the place of a patch is fitted to. */
const POINTS = 24;
/** Largest distance of a patch from a point of the mean face, in those pixels. */
const NEAR = 6;

/** Place of a patch of skin. */
export interface SkinPlace {
  /** On the mean face, in its units. */
  readonly x: number;
  readonly y: number;
  /** Indices into the mesh, the nearest first. */
  readonly points: readonly number[];
}

const across = Array.from({ length: 468 }, (_, i) => MEAN_FACE[3 * i]!);
const down = Array.from({ length: 468 }, (_, i) => MEAN_FACE[3 * i + 1]!);
/** One pixel of a patch, in units of the mean face. */
export const PATCH_PIXEL = (Math.max(...across) - Math.min(...across)) / FACE;
/** Places of the patches, in their order. */
export const SKIN_PLACES: readonly SkinPlace[] = placesOnFace();

function placesOnFace(): SkinPlace[] {
  const found: SkinPlace[] = [];
  for (let y = Math.min(...down); y < Math.max(...down); y += APART * PATCH_PIXEL) {
    for (let x = Math.min(...across); x < Math.max(...across); x += APART * PATCH_PIXEL) {
      const away = across.map((px, i) => ({ i, d: Math.hypot(px - x, down[i]! - y) / PATCH_PIXEL }));
      const nearest = away.sort((a, b) => a.d - b.d).slice(0, POINTS);
      if (nearest[0]!.d < NEAR) found.push({ x, y, points: nearest.map(({ i }) => i) });
    }
  }
  return found;
}
