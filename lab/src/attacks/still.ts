import type { Engine } from '@wajah/engine';
import sharp from 'sharp';
import { between, blank, type Canvas } from '../recapture/canvas.ts';

/** A public picture of a person, cut to the format of a phone's camera, with the mesh of its face. */
export interface Still {
  readonly canvas: Canvas;
  /** x, y, z of 468 points (numbering of MediaPipe's canonical face), pixels of the canvas. */
  readonly mesh: Float32Array;
}

/** The picture of a phone's camera, pixels, and the width of the face over its own. */
const PHONE = { width: 480, height: 640, face: 0.42 } as const;

/** Mesh points at the left and the right edge of the face in the picture, between the eyes, and outer eye corners. */
const EDGES = [234, 454] as const;
const BETWEEN_EYES = 168;
const EYE_CORNERS = [33, 263] as const;

/**
 * Reads a still as an attacker would: finds its face, levels the eyes and cuts it like a selfie. Beyond its edges the
 * picture's edge is repeated.
 * @returns undefined when the picture shows no face
 */
export async function readStill(
  engine: Pick<Engine, 'analyze'>,
  bytes: Uint8Array,
): Promise<Still | undefined> {
  const { faces } = await engine.analyze(bytes, { attributes: ['mesh'], maxFaces: 1, search: 'fast' });
  const mesh = faces[0]?.mesh;
  return mesh && cutStill(bytes, mesh);
}

async function cutStill(bytes: Uint8Array, mesh: Float32Array): Promise<Still> {
  const at = (point: number) => [mesh[3 * point]!, mesh[3 * point + 1]!] as const;
  const [left, right] = [at(EDGES[0]), at(EDGES[1])];
  const zoom = (PHONE.face * PHONE.width) / Math.hypot(right[0] - left[0], right[1] - left[1]);
  const [a, b] = [at(EYE_CORNERS[0]), at(EYE_CORNERS[1])];
  const lean = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)];
  const middle = at(BETWEEN_EYES);
  const [tx, ty] = [PHONE.width / 2, PHONE.height * 0.42];
  // Picture to canvas: rotated by −lean about the point between the eyes, and scaled.
  const points = mesh.map((value, i) => {
    if (i % 3 === 2) return value * zoom;
    const point = i - (i % 3);
    const [x, y] = [mesh[point]! - middle[0], mesh[point + 1]! - middle[1]];
    return i % 3 === 0 ? tx + (cos * x + sin * y) * zoom : ty + (cos * y - sin * x) * zoom;
  });
  const scaled = await decoded(bytes, zoom);
  const canvas = blank(PHONE.width, PHONE.height, [0, 0, 0]);
  for (let y = 0; y < PHONE.height; y++) {
    for (let x = 0; x < PHONE.width; x++) {
      const [u, v] = [x - tx, y - ty];
      const sx = middle[0] * zoom + cos * u - sin * v;
      const sy = middle[1] * zoom + sin * u + cos * v;
      for (let c = 0; c < 3; c++) {
        const plane = scaled.planes[c]!;
        canvas.planes[c]![y * PHONE.width + x] = between(plane, scaled.width, scaled.height, sx, sy);
      }
    }
  }
  return { canvas, mesh: points };
}

/** The upright picture, enlarged by `zoom`. */
async function decoded(bytes: Uint8Array, zoom: number): Promise<Canvas> {
  const upright = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true });
  const width = Math.max(8, Math.round(upright.info.width * zoom));
  const { data, info } = await sharp(upright.data)
    .resize({ width, kernel: 'cubic' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return canvasOf(data, info.width, info.height);
}

/** @param data RGB, row by row */
export function canvasOf(data: Uint8Array, width: number, height: number): Canvas {
  const canvas = blank(width, height, [0, 0, 0]);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) canvas.planes[c]![i] = data[3 * i + c]!;
  }
  return canvas;
}

/** A copy whose planes may be changed. */
export function copyOf({ width, height, planes }: Canvas): Canvas {
  return { width, height, planes: [planes[0].slice(), planes[1].slice(), planes[2].slice()] };
}
