/**
 * Places of five mesh points in dlib's five-point face chip, fractions of its side before padding (the mean face of
 * `get_face_chip_details` in dlib's image_transforms): outer and inner corner of each eye, and below the nose.
 */
const CHIP = [
  [263, 0.8595674595992, 0.2134981538014],
  [362, 0.6460604764104, 0.2289674387677],
  [33, 0.1205750620789, 0.2137274526848],
  [133, 0.3340850613712, 0.2290642403242],
  [2, 0.4901123135679, 0.6277975316475],
] as const;

/**
 * Mean place of each mesh point after aligning every mesh to the chip.
 * @param meshes x, y, z of each point, pixels
 * @returns x, y of each point, fractions of the chip's side
 */
export function meanInChip(meshes: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array((meshes[0]!.length / 3) * 2);
  for (const mesh of meshes) {
    const place = ontoChip(mesh);
    for (let p = 0; p < mean.length / 2; p++) {
      const [x, y] = place(mesh[3 * p]!, mesh[3 * p + 1]!);
      mean[2 * p]! += x / meshes.length;
      mean[2 * p + 1]! += y / meshes.length;
    }
  }
  return mean;
}

/** Least-squares similarity from the five points to the chip. */
function ontoChip(mesh: Float32Array): (x: number, y: number) => [number, number] {
  const centre = (axis: 0 | 1) => CHIP.reduce((sum, [i]) => sum + mesh[3 * i + axis]!, 0) / CHIP.length;
  const target = (axis: 1 | 2) => CHIP.reduce((sum, row) => sum + row[axis], 0) / CHIP.length;
  const [cx, cy, tx, ty] = [centre(0), centre(1), target(1), target(2)];
  let [a, b, spread] = [0, 0, 0];
  for (const [i, u, v] of CHIP) {
    const [x, y] = [mesh[3 * i]! - cx, mesh[3 * i + 1]! - cy];
    a += x * (u - tx) + y * (v - ty);
    b += x * (v - ty) - y * (u - tx);
    spread += x * x + y * y;
  }
  a /= spread;
  b /= spread;
  return (x, y) => [a * (x - cx) - b * (y - cy) + tx, b * (x - cx) + a * (y - cy) + ty];
}
