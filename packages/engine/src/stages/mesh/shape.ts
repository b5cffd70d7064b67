import { combineColumns, fitColumns } from '../../imaging/least-squares.ts';
import { memoize } from '../maths.ts';
import { MEAN_FACE, mirrorPoint, POINTS } from './mean-face.ts';
import type { Mesh } from './mesh.ts';

/** Numbers of a shape to one standard deviation of the mean face's points. */
export const SHAPE_UNIT = 16_384;
const MOST = 32_767;

/** The kept points, and the mean face's. Found on the first use, as `mirrorPoint`. */
const layout = memoize(() => {
  const sampled = Array.from({ length: POINTS }, (_, i) => i).filter((i) => i % 8 === 0);
  const kept = [...new Set(sampled.flatMap((i) => [i, mirrorPoint(i)]))].sort((a, b) => a - b);
  const mean = centred(kept, MEAN_FACE);
  const squares = mean.flatMap((axis) => [...axis]).reduce((sum, value) => sum + value ** 2, 0);
  return {
    kept,
    /** For each kept point the one on the other side of the face. */
    across: kept.map((point) => kept.indexOf(mirrorPoint(point))),
    /** x and y of the mean face, in `SHAPE_UNIT`. */
    mean: mean.map((axis) => axis.map((value) => value * (SHAPE_UNIT / Math.sqrt(squares / kept.length)))),
    even: new Uint8Array(kept.length).fill(1),
  };
});

/**
 * The places of a mesh's points in the picture, brought onto the mean face by the affine map of least squares: what is left
 * is neither the place, the size nor the turn of the face in the picture, nor how the picture was stretched. Every eighth
 * point is kept, and those on the other side of the face: all 468 tell two frames apart no better.
 * @returns x, y of each kept point, in `SHAPE_UNIT`
 */
export function shapeOf({ points }: Pick<Mesh, 'points'>): Int16Array {
  const { kept, mean, even } = layout();
  const axes = centred(kept, points);
  const fitted = mean.map((axis) => combineColumns(axes, fitColumns(axes, axis, even)));
  return Int16Array.from({ length: 2 * kept.length }, (_, i) =>
    Math.max(-MOST, Math.min(MOST, Math.round(fitted[i % 2]![i >> 1]!))),
  );
}

/** The shape of the mirror image. */
export function mirroredShape(shape: Int16Array): Int16Array {
  const { across } = layout();
  return shape.map((_, i) => (i % 2 === 0 ? -1 : 1) * shape[2 * across[i >> 1]! + (i % 2)]!);
}

/** x and y of the kept points, less their means. */
function centred(kept: readonly number[], points: ArrayLike<number>): Float64Array[] {
  return [0, 1].map((axis) => {
    const values = Float64Array.from(kept, (point) => points[3 * point + axis]!);
    const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - middle);
  });
}
