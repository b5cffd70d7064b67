import { type Matrix3, rotate } from '../imaging/geometry-3d.ts';
import type { SkinPoint } from './skin-points.ts';

/** Assumed distance of face and screen, in half widths of a face (7 cm): an arm's length of 38 cm. */
const SCREEN_DISTANCE = 5.5;

/** Normals and light of points of skin, as seen by the camera. */
export interface LitSkin {
  /** x, y, z of each outward unit normal in the axes of the camera: x to the right, y down, z away. */
  readonly normals: Float32Array;
  /** Light of the screen at each point, mean 1. */
  readonly screenLight: Float64Array;
}

/**
 * Light of a small screen at the camera on the points of a turned head: the cosine of Lambert's law over the squared
 * distance (Basri and Jacobs, "Lambertian Reflectance and Linear Subspaces", 2003; near light as in "Face Flashing", Tang
 * et al., 2018).
 * @param rotation from the mean face to the face as seen
 */
export function litSkin(points: readonly SkinPoint[], rotation: Matrix3): LitSkin {
  const normals = rotate(
    rotation,
    points.flatMap(({ normal }) => [...normal]),
  );
  const places = rotate(
    rotation,
    points.flatMap(({ place }) => [...place]),
  );
  const light = Float64Array.from(points, (_, k) => {
    const [nx, ny, nz] = normals.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
    const [x, y, z] = places.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
    const [lx, ly, lz] = [-x, -y, -SCREEN_DISTANCE - z];
    const away = Math.hypot(lx, ly, lz);
    return Math.max(0, nx * lx + ny * ly + nz * lz) / away ** 3;
  });
  const mean = light.reduce((sum, value) => sum + value, 0) / light.length;
  return { normals, screenLight: light.map((value) => value / mean) };
}

/**
 * Spherical harmonics of order 0 to 2, up to factors: under distant light the irradiance of a convex Lambertian surface is
 * within 1 % of their span (Basri and Jacobs, 2003).
 */
export function harmonics(normals: Float32Array): Float64Array[] {
  const of = (value: (x: number, y: number, z: number) => number) =>
    Float64Array.from({ length: normals.length / 3 }, (_, k) =>
      value(normals[3 * k]!, normals[3 * k + 1]!, normals[3 * k + 2]!),
    );
  return [
    of(() => 1),
    of((x) => x),
    of((_, y) => y),
    of((_x, _y, z) => z),
    of((x, y) => x * y),
    of((x, _, z) => x * z),
    of((_, y, z) => y * z),
    of((x, y) => x * x - y * y),
    of((_x, _y, z) => 3 * z * z - 1),
  ];
}
