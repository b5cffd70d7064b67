import { PATCH_SIDE } from '../stages/mesh/skin-places.ts';

/** Orthonormal basis of the quadratic functions on a patch, row by row. */
const BASIS = orthonormal([() => 1, (x) => x, (_, y) => y, (x, y) => x * y, (x) => x * x, (_, y) => y * y]);

/** A patch less the quadratic function of its place that fits it best (least squares). @param patch row-major */
export function lessQuadratic(patch: Float32Array): Float32Array {
  const out = patch.slice();
  for (const function_ of BASIS) subtract(out, function_, dot(out, function_));
  return out;
}

/** Gram–Schmidt. */
function orthonormal(functions: readonly ((x: number, y: number) => number)[]): readonly Float32Array[] {
  const basis: Float32Array[] = [];
  for (const of of functions) {
    const centred = (i: number) => (2 * i) / (PATCH_SIDE - 1) - 1;
    const values = Float32Array.from({ length: PATCH_SIDE ** 2 }, (_, i) =>
      of(centred(i % PATCH_SIDE), centred(Math.floor(i / PATCH_SIDE))),
    );
    for (const before of basis) subtract(values, before, dot(values, before));
    const norm = Math.sqrt(dot(values, values));
    basis.push(values.map((value) => value / norm));
  }
  return basis;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Subtracts `share` of `other` in place. */
function subtract(values: Float32Array, other: Float32Array, share: number): void {
  for (let i = 0; i < values.length; i++) values[i]! -= share * other[i]!;
}
