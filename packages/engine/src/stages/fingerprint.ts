import { squareCrop } from '../geometry.ts';
import type { Sampler } from '../sampler.ts';
import { type Mesh, pointOf } from './mesh.ts';

/** Cells across and down; each is one bit. */
const SIDE = 32;
/** Side of the square over the spread of the mesh: the face with a little around it. */
const REACH = 3;
/** A cell is held against the mean of those up to this far away. */
const AROUND = 2;
const EYE_CORNERS = [33, 263] as const;

/**
 * What a frame looks like, in 128 bytes: for each cell of the upright, centred face whether it is brighter than the
 * cells around it. Bits hardly change when a picture is encoded again, scaled, cut or made brighter, and many do
 * from one frame of a film to the next (see `series/repeats.ts`).
 */
export function fingerprintOf(from: Sampler, mesh: Mesh): Uint8Array {
  const luma = lumaCells(from, mesh);
  const bits = new Uint8Array((SIDE * SIDE) / 8);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const at = y * SIDE + x;
      if (luma[at]! > meanAround(luma, x, y)) bits[at >> 3]! |= 1 << (at & 7);
    }
  }
  return bits;
}

/** Brightness (Rec. 601) of each cell, the mean of four samples. */
function lumaCells(from: Sampler, mesh: Mesh): Float32Array {
  const fine = SIDE * 2;
  const plane = fine * fine;
  const { data } = from.crop(faceSquare(mesh, fine), fine, fine, 'edge');
  const cells = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < plane; i++) {
    const luma = 0.299 * data[i]! + 0.587 * data[i + plane]! + 0.114 * data[i + 2 * plane]!;
    cells[((i / fine) >> 1) * SIDE + ((i % fine) >> 1)]! += luma / 4;
  }
  return cells;
}

/** Means over the whole mesh: a point alone moves by a pixel when a picture is encoded again. */
function faceSquare(mesh: Mesh, size: number) {
  const count = mesh.points.length / 3;
  const points = Array.from({ length: count }, (_, i) => pointOf(mesh, i));
  let [x, y, square] = [0, 0, 0];
  for (const p of points) {
    x += p.x / count;
    y += p.y / count;
  }
  for (const p of points) square += ((p.x - x) ** 2 + (p.y - y) ** 2) / count;
  const [right, left] = EYE_CORNERS.map((index) => points[index]!) as [
    (typeof points)[0],
    (typeof points)[0],
  ];
  const angle = Math.atan2(left.y - right.y, left.x - right.x);
  return squareCrop({ x, y }, Math.sqrt(square) * REACH, angle, size);
}

function meanAround(luma: Float32Array, x: number, y: number): number {
  let [sum, count] = [0, 0];
  for (let v = Math.max(0, y - AROUND); v <= Math.min(SIDE - 1, y + AROUND); v++) {
    for (let u = Math.max(0, x - AROUND); u <= Math.min(SIDE - 1, x + AROUND); u++) {
      sum += luma[v * SIDE + u]!;
      count++;
    }
  }
  return sum / count;
}
