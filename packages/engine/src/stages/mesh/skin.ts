import type { Affine } from '../../imaging/geometry.ts';
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
  const n = points.length;
  const seen = points.map((i) => pointOf(mesh, i));
  const [mu, mv] = [seen.reduce((sum, p) => sum + p.x, 0) / n, seen.reduce((sum, p) => sum + p.y, 0) / n];
  const [mx, my] = [
    points.reduce((s, i) => s + MEAN_FACE[3 * i]!, 0) / n,
    points.reduce((s, i) => s + MEAN_FACE[3 * i + 1]!, 0) / n,
  ];
  let [xx, xy, yy, ux, uy, vx, vy] = [0, 0, 0, 0, 0, 0, 0];
  for (const [k, i] of points.entries()) {
    const [px, py] = [MEAN_FACE[3 * i]! - mx, MEAN_FACE[3 * i + 1]! - my];
    const [pu, pv] = [seen[k]!.x - mu, seen[k]!.y - mv];
    xx += px * px;
    xy += px * py;
    yy += py * py;
    ux += pu * px;
    uy += pu * py;
    vx += pv * px;
    vy += pv * py;
  }
  const det = xx * yy - xy * xy;
  const a = ((ux * yy - uy * xy) / det) * PATCH_PIXEL;
  const b = ((uy * xx - ux * xy) / det) * PATCH_PIXEL;
  const c = ((vx * yy - vy * xy) / det) * PATCH_PIXEL;
  const d = ((vy * xx - vx * xy) / det) * PATCH_PIXEL;
  const [ox, oy] = [(x - mx) / PATCH_PIXEL - PATCH_SIDE / 2, (y - my) / PATCH_PIXEL - PATCH_SIDE / 2];
  return { a, b, tx: mu + a * ox + b * oy, c, d, ty: mv + c * ox + d * oy };
}
