import type { Affine } from '../../imaging/geometry.ts';
import { brightnessAt, type Sampler } from '../../imaging/sampler.ts';
import { PATCH_SIDE } from '../../series/stillness.ts';
import type { SkinPatches } from '../../types.ts';
import { MEAN_FACE } from './mean-face.ts';
import { type Mesh, pointOf } from './mesh.ts';

/** Width of the face in pixels of a patch: finer detail is lost when a frame is encoded. */
const FACE = 128;
/** Distance between patches, in those pixels. */
const APART = 16;
/** Mesh points that the place of a patch is fitted to. */
const POINTS = 24;
/** Largest distance of a patch from a point of the mean face, in those pixels. */
const NEAR = 6;

interface Place {
  readonly x: number;
  readonly y: number;
  /** Indices into the mesh, the nearest first. */
  readonly points: readonly number[];
}

const across = Array.from({ length: 468 }, (_, i) => MEAN_FACE[3 * i]!);
const down = Array.from({ length: 468 }, (_, i) => MEAN_FACE[3 * i + 1]!);
/** One pixel of a patch, in units of the mean face. */
const unit = (Math.max(...across) - Math.min(...across)) / FACE;
const places = placesOnFace();

/** Cuts patches of skin out of the picture, each rectified to a frontal view by the mesh. */
export function skinOf(from: Sampler, mesh: Mesh): SkinPatches {
  const plane = PATCH_SIDE * PATCH_SIDE;
  const luma = new Uint8Array(places.length * plane);
  const areas = new Float32Array(places.length);
  for (const [k, place] of places.entries()) {
    const toPicture = patchIn(mesh, place);
    areas[k] = toPicture.a * toPicture.d - toPicture.b * toPicture.c;
    const crop = from.crop(toPicture, PATCH_SIDE, PATCH_SIDE, 'edge');
    for (let i = 0; i < plane; i++) luma[k * plane + i] = brightnessAt(crop, i);
  }
  return { luma, areas };
}

function placesOnFace(): Place[] {
  const found: Place[] = [];
  for (let y = Math.min(...down); y < Math.max(...down); y += APART * unit) {
    for (let x = Math.min(...across); x < Math.max(...across); x += APART * unit) {
      const away = across.map((px, i) => ({ i, d: Math.hypot(px - x, down[i]! - y) / unit }));
      const nearest = away.sort((a, b) => a.d - b.d).slice(0, POINTS);
      if (nearest[0]!.d < NEAR) found.push({ x, y, points: nearest.map(({ i }) => i) });
    }
  }
  return found;
}

/** Least-squares affine from the pixels of a patch to the picture. */
function patchIn(mesh: Mesh, { x, y, points }: Place): Affine {
  const n = points.length;
  const seen = points.map((i) => pointOf(mesh, i));
  const [mu, mv] = [seen.reduce((sum, p) => sum + p.x, 0) / n, seen.reduce((sum, p) => sum + p.y, 0) / n];
  const [mx, my] = [
    points.reduce((s, i) => s + across[i]!, 0) / n,
    points.reduce((s, i) => s + down[i]!, 0) / n,
  ];
  let [xx, xy, yy, ux, uy, vx, vy] = [0, 0, 0, 0, 0, 0, 0];
  for (const [k, i] of points.entries()) {
    const [px, py] = [across[i]! - mx, down[i]! - my];
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
  const a = ((ux * yy - uy * xy) / det) * unit;
  const b = ((uy * xx - ux * xy) / det) * unit;
  const c = ((vx * yy - vy * xy) / det) * unit;
  const d = ((vy * xx - vx * xy) / det) * unit;
  const [ox, oy] = [(x - mx) / unit - PATCH_SIDE / 2, (y - my) / unit - PATCH_SIDE / 2];
  return { a, b, tx: mu + a * ox + b * oy, c, d, ty: mv + c * ox + d * oy };
}
