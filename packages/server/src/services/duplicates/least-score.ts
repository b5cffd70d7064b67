/** Scores of pairs, with room for templates that are not of unit length. */
const range = 4;
/** Halvings: the float32 products are less precise. */
const steps = 40;

/**
 * The least score with a similarity, by bisection.
 * @param similarityOf monotone
 * @returns `range` when no score has it
 */
export function leastScore(similarityOf: (score: number) => number, similarity: number): number {
  let [low, high] = [-range, range];
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (similarityOf(middle) >= similarity) high = middle;
    else low = middle;
  }
  return high;
}
