import type { Mesh } from '../../stages/mesh/mesh.ts';
import { explained, solve } from '../imaging/least-squares.ts';
import { PATCHES, SKIN, slopesOf } from '../imaging/skin-normals.ts';
import { type PadSignal, type SpoofFace, unknown } from '../signal.ts';

const NAMES = [
  'shade-explained',
  'shade-explained-more',
  'shade-plane',
  'shade-across',
  'shade-down',
  'shade-outwards',
  'shade-left-over',
  'shade-nose',
  'shade-forehead',
  'shade-chin',
  'shade-one-sided',
];

/**
 * Shading: how the brightness of the skin follows the relief of the face. The logarithm of the luminance at points of
 * the mesh is fitted by their normals, a matt surface under one lamp and light from all around, then by the squares of
 * the normals as well (Basri and Jacobs, "Lambertian Reflectance and Linear Subspaces", 2003), and by a plane, as
 * light falls on a flat thing; nose, forehead and chin are held against the cheeks. Unknown without a mesh.
 */
export const shading: PadSignal = {
  name: 'shading',
  values: NAMES,
  measure: (face) => (face.mesh === null ? unknown(NAMES) : shadingOf(face, face.mesh)),
};

function shadingOf(face: SpoofFace, mesh: Mesh): number[] {
  const at = brightness(face, mesh);
  const light = SKIN.map(at);
  const normals = SKIN.map((point) => normalOf(mesh, point));
  const by = (rows: number[][]) => explained(rows, light);
  const matt = normals.map(([x, y, out]) => [1, x, y, out]);
  const [, across, down, outwards] = solve(matt, light);
  const mean = (points: readonly number[]) => points.map(at).reduce((a, b) => a + b, 0) / points.length;
  const { nose, forehead, chin, cheekLeft, cheekRight } = PATCHES;
  const [left, right] = [mean(cheekLeft), mean(cheekRight)];
  const cheeks = (left + right) / 2;
  const first = by(matt);
  return [
    first.share,
    by(normals.map(([x, y, out]) => [1, x, y, out, x * x, y * y, x * y, x * out, y * out])).share,
    by(SKIN.map((point) => [1, mesh.points[3 * point]!, mesh.points[3 * point + 1]!])).share - first.share,
    Math.abs(across!),
    down!,
    outwards!,
    Math.log10(first.leftOver + 1e-2),
    mean(nose) - cheeks,
    mean(forehead) - cheeks,
    mean(chin) - cheeks,
    Math.abs(left - right),
  ];
}

/** Unit normal of the skin at a point, towards the camera: to the right, down, and out of the picture. */
function normalOf(mesh: Mesh, point: number): [x: number, y: number, out: number] {
  const [a, b] = slopesOf(mesh, point);
  const length = Math.hypot(a, b, 1);
  return [a / length, b / length, 1 / length];
}

/** Natural logarithm of the luminance around a point of the mesh: the mean of 3 × 3 pixels of the view. */
function brightness(face: SpoofFace, mesh: Mesh): (point: number) => number {
  const { y, size } = face.view();
  const { place } = face;
  const within = (value: number) => Math.max(1, Math.min(size - 2, Math.floor(value)));
  return (point) => {
    const seen = place({ x: mesh.points[3 * point]!, y: mesh.points[3 * point + 1]! });
    const [column, row] = [within(seen.x), within(seen.y)];
    let sum = 0;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) sum += y[(row + dy) * size + column + dx]!;
    }
    return Math.log(sum / 9 + 4);
  };
}
