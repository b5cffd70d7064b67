import { apply, squareCrop } from '../imaging/geometry.ts';
import { brightnessAt, type Sampler } from '../imaging/sampler.ts';
import { CELLS, cellsOf, IMAGE_REACH, IMAGE_SIDE } from '../series/frames/hash-cells.ts';
import type { AlignedFaceImage, PerceptualHash } from '../types.ts';
import { eyeLineAngle, type Mesh, pointOf } from './mesh/mesh.ts';

/**
 * Perceptual hash of a frame's face: for each of 32 × 32 cells of the aligned face, whether it is brighter than the cells
 * around it. Few bits change when a picture is encoded again, scaled or brightened, many between two frames of a video.
 */
export function perceptualHashOf(from: Sampler, mesh: Mesh): PerceptualHash {
  const image = alignedFace(from, mesh);
  const bits = new Uint8Array((CELLS * CELLS) / 8);
  for (const [i, value] of cellsOf(image).contrast.entries()) {
    if (value > 0) bits[i >> 3]! |= 1 << (i & 7);
  }
  return { bits, image };
}

function alignedFace(from: Sampler, mesh: Mesh): AlignedFaceImage {
  const toPicture = faceSquare(mesh, IMAGE_SIDE);
  const plane = IMAGE_SIDE * IMAGE_SIDE;
  const crop = from.crop(toPicture, IMAGE_SIDE, IMAGE_SIDE, 'edge');
  const luma = new Uint8Array(plane);
  const inside = new Uint8Array(plane);
  for (let i = 0; i < plane; i++) {
    luma[i] = Math.round(brightnessAt(crop, i));
    const place = apply(toPicture, { x: (i % IMAGE_SIDE) + 0.5, y: Math.floor(i / IMAGE_SIDE) + 0.5 });
    const within = place.x >= 0 && place.y >= 0 && place.x <= from.width && place.y <= from.height;
    inside[i] = within ? 1 : 0;
  }
  return { luma, inside };
}

/** From means over the whole mesh: a single point moves by a pixel when a picture is encoded again. */
function faceSquare(mesh: Mesh, size: number) {
  const count = mesh.points.length / 3;
  const points = Array.from({ length: count }, (_, i) => pointOf(mesh, i));
  let [x, y, square] = [0, 0, 0];
  for (const p of points) {
    x += p.x / count;
    y += p.y / count;
  }
  for (const p of points) square += ((p.x - x) ** 2 + (p.y - y) ** 2) / count;
  return squareCrop({ x, y }, Math.sqrt(square) * IMAGE_REACH, eyeLineAngle(mesh), size);
}
