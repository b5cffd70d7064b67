/**
 * Response of the Laplacian difference mask of J. Immerkær, "Fast noise variance estimation" (1996), to a value and its
 * eight neighbours: 0 where brightness changes evenly; of white noise it has 6 times the standard deviation.
 * @param values rows of `width` @param at index of the middle, not at an edge
 */
export function noiseResponse(values: ArrayLike<number>, width: number, at: number): number {
  const [up, down] = [at - width, at + width];
  const corners = values[up - 1]! + values[up + 1]! + values[down - 1]! + values[down + 1]!;
  const sides = values[up]! + values[down]! + values[at - 1]! + values[at + 1]!;
  return corners - 2 * sides + 4 * values[at]!;
}
