import { squareCrop } from '../imaging/geometry.ts';
import type { Sampler } from '../imaging/sampler.ts';
import type { AlignedFaceImage, PerceptualHash } from '../types.ts';
import { CELLS, cellsOf, IMAGE_REACH, IMAGE_SIDE } from './hash-cells.ts';
import { eyeLineAngle, type Mesh } from './mesh/mesh.ts';

/**
 * Perceptual hash of a frame's face: for each of 32 × 32 cells of the aligned face, whether it is brighter than the cells
 * around it. Few bits change when a picture is encoded again, scaled or brightened, many between two frames of a video.
 */
export function perceptualHashOf(from: Sampler, mesh: Mesh): PerceptualHash {
  const image = alignedFace(from, mesh);
  const bits = new Uint8Array((CELLS * CELLS) / 8);
  const { contrast } = cellsOf(image);
  for (let i = 0; i < contrast.length; i++) if (contrast[i]! > 0) bits[i >> 3]! |= 1 << (i & 7);
  return { bits, image };
}

function alignedFace(from: Sampler, mesh: Mesh): AlignedFaceImage {
  const toPicture = faceSquare(mesh, IMAGE_SIDE);
  const { a, b, c, d, tx, ty } = toPicture;
  const luminance = from.luminance(toPicture, IMAGE_SIDE, IMAGE_SIDE, 'edge');
  const luma = new Uint8Array(luminance.length);
  const inside = new Uint8Array(luminance.length);
  for (let row = 0.5, i = 0; row < IMAGE_SIDE; row++) {
    for (let column = 0.5; column < IMAGE_SIDE; column++, i++) {
      luma[i] = Math.round(luminance[i]!);
      const x = a * column + b * row + tx;
      const y = c * column + d * row + ty;
      inside[i] = x >= 0 && y >= 0 && x <= from.width && y <= from.height ? 1 : 0;
    }
  }
  return { luma, inside };
}

/** From means over the whole mesh: a single point moves by a pixel when a picture is encoded again. */
function faceSquare(mesh: Mesh, size: number) {
  const { points } = mesh;
  const count = points.length / 3;
  let [x, y, square] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    x += points[i]! / count;
    y += points[i + 1]! / count;
  }
  for (let i = 0; i < points.length; i += 3)
    square += ((points[i]! - x) ** 2 + (points[i + 1]! - y) ** 2) / count;
  return squareCrop({ x, y }, Math.sqrt(square) * IMAGE_REACH, eyeLineAngle(mesh), size);
}
