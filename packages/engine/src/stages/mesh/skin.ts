import type { Affine } from '../../imaging/geometry.ts';
import { fitColumns } from '../../imaging/least-squares.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { SkinPatches } from '../../types.ts';
import { MEAN_FACE } from './mean-face.ts';
import type { Mesh } from './mesh.ts';
import { PATCH_PIXEL, PATCH_SIDE, SKIN_PLACES, type SkinPlace } from './skin-places.ts';

/** Cuts patches of skin out of the picture, each rectified to a frontal view by the mesh. */
export function skinOf(from: Sampler, mesh: Mesh): SkinPatches {
  const plane = PATCH_SIDE * PATCH_SIDE;
  const luma = new Uint8Array(SKIN_PLACES.length * plane);
  const areas = new Float32Array(SKIN_PLACES.length);
  for (const [k, place] of SKIN_PLACES.entries()) {
    const toPicture = patchIn(mesh, place);
    areas[k] = toPicture.a * toPicture.d - toPicture.b * toPicture.c;
    luma.set(from.luminance(toPicture, PATCH_SIDE, PATCH_SIDE, 'edge'), k * plane);
  }
  return { luma, areas };
}

/** Least-squares affine from the pixels of a patch to the picture. */
function patchIn({ points }: Mesh, place: SkinPlace): Affine {
  let [a, b, tx, c, d, ty] = [0, 0, 0, 0, 0, 0];
  for (const { point, shares } of fitOf(place)) {
    const [x, y] = [points[3 * point]!, points[3 * point + 1]!];
    const [first, second, third] = shares;
    a += first * x;
    b += second * x;
    tx += third * x;
    c += first * y;
    d += second * y;
    ty += third * y;
  }
  return { a, b, tx, c, d, ty };
}

/** What one coordinate of a point adds to the row of the affine of that coordinate: to both factors and the constant. */
interface Influence {
  readonly point: number;
  readonly shares: readonly [number, number, number];
}

const fits = new Map<SkinPlace, readonly Influence[]>();

/** The fit depends on the mean face alone and is linear in the mesh, so it is solved once. */
function fitOf(place: SkinPlace): readonly Influence[] {
  const known = fits.get(place);
  if (known) return known;
  const { x, y, points } = place;
  const ones = points.map(() => 1);
  const [across, down] = [0, 1].map((axis) => points.map((i) => MEAN_FACE[3 * i + axis]!));
  const influences = points.map((point): Influence => {
    const alone = points.map((other) => Number(other === point));
    const [level, byX, byY] = fitColumns([ones, across!, down!], alone, ones, 0);
    const [a, b] = [byX! * PATCH_PIXEL, byY! * PATCH_PIXEL];
    return { point, shares: [a, b, level! + byX! * x + byY! * y - ((a + b) * PATCH_SIDE) / 2] };
  });
  fits.set(place, influences);
  return influences;
}
