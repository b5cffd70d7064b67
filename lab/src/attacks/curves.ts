/** A function of x through points, linear between them; undefined outside of them. */
export type Curve = (x: number) => number | undefined;

/** The curve through mesh points, ordered by x. @param mesh x, y, z of each point */
export function curveThrough(mesh: Float32Array, points: readonly number[]): Curve {
  const knots = points
    .map((point) => [mesh[3 * point]!, mesh[3 * point + 1]!] as const)
    .sort((a, b) => a[0] - b[0]);
  return (x) => {
    const after = knots.findIndex(([at]) => at >= x);
    if (after < 1) return undefined;
    const [[x0, y0], [x1, y1]] = [knots[after - 1]!, knots[after]!];
    return x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  };
}

/** 0 below `from`, 1 above `to`, a smooth cubic between them. */
export function smoothStep(value: number, from: number, to: number): number {
  const t = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
