import { squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { FaceColours } from '../../types.ts';
import { linearOf } from '../maths.ts';
import { POINTS } from './mean-face.ts';
import { type Mesh, pointOf } from './mesh.ts';

/** Side of the crop, pixels, and that side over the longer side of the mesh. */
const SIDE = 176;
const MARGIN = 1.1;
/** Half the width of the square that a colour is the mean of, pixels of the crop: it spans 3 % of the face. */
const REACH = 2;
/** Encoded value from which a pixel may be overexposed: its linear value is unknown. */
const CLIPPED = 250;

/** Mean colours around the points of a mesh, in linear light. */
export function coloursOf(from: Sampler, mesh: Mesh): FaceColours {
  const { centre, side } = extentOf(mesh);
  const toPicture = squareCrop(centre, side * MARGIN, 0, SIDE);
  const { data } = from.crop(toPicture, SIDE, SIDE);
  const plane = SIDE * SIDE;
  const light = data.map((encoded) => linearOf(encoded / 255));
  const rgb = new Float32Array(POINTS * 3).fill(Number.NaN);
  for (let point = 0; point < POINTS; point++) {
    const { x, y } = pointOf(mesh, point);
    if (x < 0 || y < 0 || x >= from.width || y >= from.height) continue;
    const column = Math.round((x - toPicture.tx) / toPicture.a - 0.5);
    const row = Math.round((y - toPicture.ty) / toPicture.d - 0.5);
    for (let channel = 0; channel < 3; channel++) {
      rgb[3 * point + channel] = squareMean(data, light, channel * plane, column, row);
    }
  }
  return { rgb };
}

/** NaN where a pixel may be overexposed. */
function squareMean(
  encoded: Float32Array,
  light: Float32Array,
  start: number,
  column: number,
  row: number,
): number {
  let sum = 0;
  for (let y = row - REACH; y <= row + REACH; y++) {
    for (let x = column - REACH; x <= column + REACH; x++) {
      const at = start + y * SIDE + x;
      if (encoded[at]! >= CLIPPED) return Number.NaN;
      sum += light[at]!;
    }
  }
  return sum / (2 * REACH + 1) ** 2;
}

function extentOf({ points }: Mesh) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    top = Math.min(top, points[i + 1]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  return {
    centre: { x: (left + right) / 2, y: (top + bottom) / 2 },
    side: Math.max(right - left, bottom - top),
  };
}
