import type { Affine } from '../../imaging/geometry.ts';
import { fitColumns } from '../../imaging/least-squares.ts';
import { brightnessAt, type Sampler } from '../../imaging/sampler.ts';
import type { SkinPatches } from '../../types.ts';
import { MEAN_FACE } from './mean-face.ts';
import { type Mesh, pointOf } from './mesh.ts';
import { PATCH_PIXEL, PATCH_SIDE, SKIN_PLACES, type SkinPlace } from './skin-places.ts';

/** Cuts patches of skin out of the picture, each rectified to a frontal view by the mesh. */
export function skinOf(from: Sampler, mesh: Mesh): SkinPatches {
  const plane = PATCH_SIDE * PATCH_SIDE;
  const luma = new Uint8Array(SKIN_PLACES.length * plane);
  const areas = new Float32Array(SKIN_PLACES.length);
  for (const [k, place] of SKIN_PLACES.entries()) {
    const toPicture = patchIn(mesh, place);
    areas[k] = toPicture.a * toPicture.d - toPicture.b * toPicture.c;
    const crop = from.crop(toPicture, PATCH_SIDE, PATCH_SIDE, 'edge');
    for (let i = 0; i < plane; i++) luma[k * plane + i] = brightnessAt(crop, i);
  }
  return { luma, areas };
}

/** Least-squares affine from the pixels of a patch to the picture. */
function patchIn(mesh: Mesh, { x, y, points }: SkinPlace): Affine {
  const ones = points.map(() => 1);
  const [across, down] = [0, 1].map((axis) => points.map((i) => MEAN_FACE[3 * i + axis]!));
  const fit = (seen: readonly number[]) => {
    const [level, byX, byY] = fitColumns([ones, across!, down!], seen, ones, 0);
    const [a, b] = [byX! * PATCH_PIXEL, byY! * PATCH_PIXEL];
    return { a, b, at: level! + byX! * x + byY! * y - ((a + b) * PATCH_SIDE) / 2 };
  };
  const horizontal = fit(points.map((i) => pointOf(mesh, i).x));
  const vertical = fit(points.map((i) => pointOf(mesh, i).y));
  return {
    a: horizontal.a,
    b: horizontal.b,
    tx: horizontal.at,
    c: vertical.a,
    d: vertical.b,
    ty: vertical.at,
  };
}
