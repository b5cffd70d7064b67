import type { RgbPixels } from '@wajah/engine/training';
import type { Random } from '../recapture/random.ts';
import { type Geometry, harmonicsOf } from './geometry.ts';
import { type Grid, gridOf, mapGrid } from './grid.ts';

/** A frame in linear light with what a relighting needs of it. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue planes, 0…1, linear. */
  readonly light: readonly [Float32Array, Float32Array, Float32Array];
  readonly geometry: Geometry;
  /** Ambient light over its mean on the face. */
  readonly ambient: Grid;
  /** Mean light of the face, by channel. */
  readonly faceLight: readonly [number, number, number];
}

const LINEAR = Float32Array.from({ length: 256 }, (_, i) => {
  const value = i / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Least ambient light over its mean. */
const LEAST_AMBIENT = 0.25;

export interface AmbientError {
  readonly strength: number;
  readonly direction: readonly [number, number, number];
}

/** How the ambient light differs from the fit, because some shading of a face is pigment: drawn once for a film. */
export function drawAmbientError(random: Random): AmbientError {
  return { strength: 0.15, direction: [random.normal(), random.normal(), random.normal()] };
}

/** Splits a frame into light and reflectance: the light is the part that its luminance shares with harmonics of order 2. */
export function sceneOf({ data, width, height }: RgbPixels, geometry: Geometry, error: AmbientError): Scene {
  const light = [0, 1, 2].map((channel) =>
    Float32Array.from({ length: width * height }, (_, i) => LINEAR[data[3 * i + channel]!]!),
  ) as unknown as Scene['light'];
  const luminance = gridOf(width, height, (x, y) => {
    const at = Math.min(height - 1, y) * width + Math.min(width - 1, x);
    return 0.2126 * light[0][at]! + 0.7152 * light[1][at]! + 0.0722 * light[2][at]!;
  });
  const { shading, mean } = harmonicsOf(geometry, luminance);
  const ambient = mapGrid(luminance, (_, i) => {
    const normal = geometry.normals[i];
    if (!normal) return 1;
    const along =
      normal[0] * error.direction[0] + normal[1] * error.direction[1] + normal[2] * error.direction[2];
    return Math.max(LEAST_AMBIENT, shading(normal) / mean) * Math.exp(error.strength * along);
  });
  return { width, height, light, geometry, ambient, faceLight: faceMeans(light, geometry, width, height) };
}

function faceMeans(light: Scene['light'], { face }: Geometry, width: number, height: number) {
  const places = face.map(({ x, y }) => [Math.round(x), Math.round(y)] as const);
  const inside = places.filter(([x, y]) => x >= 0 && y >= 0 && x < width && y < height);
  return light.map(
    (plane) => inside.reduce((sum, [x, y]) => sum + plane[y * width + x]!, 0) / inside.length,
  ) as unknown as Scene['faceLight'];
}
