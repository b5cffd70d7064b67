import { countAtLeast } from '../metrics/scores.ts';
import { type Knot, round } from './curve.ts';

/** log10 of the measured FMR of every region over the claimed one, at most. Goal: 0.3. */
const MARGIN = 0.25;
/** Impostor pairs of a region that must score at or above a knot for it to count as measured. */
const ENOUGH = 5;

/**
 * A curve whose FMR holds within MARGIN decades in every region: at each knot the FMR of everybody is raised to that of
 * the worst region less the margin. Beyond the evidence of all regions it stays raised by as much.
 * @param knots of everybody's pairs
 * @param regions ascending scores of the impostor pairs within each region
 */
export function conservativeKnots(knots: readonly Knot[], regions: readonly Float64Array[]): Knot[] {
  let raised = 0;
  const found: Knot[] = [];
  for (const [score, log10Fmr] of knots) {
    const worst = Math.max(...regions.map((scores) => measuredAt(scores, score)));
    if (worst > Number.NEGATIVE_INFINITY) raised = Math.max(0, worst - MARGIN - log10Fmr);
    const log = round(Math.min(0, log10Fmr + raised));
    const before = found.at(-1);
    if (before && log === 0 && before[1] === 0) before[0] = score;
    else if (!before || log < before[1]) found.push([score, log]);
  }
  return found;
}

/** log10 of a region's FMR at a score; −∞ where it is not measured. */
function measuredAt(scores: Float64Array, score: number): number {
  const { events, trials } = countAtLeast(scores, score);
  return events < ENOUGH ? Number.NEGATIVE_INFINITY : Math.log10(events / trials);
}
