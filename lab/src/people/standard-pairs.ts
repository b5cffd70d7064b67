import { innerProduct } from '@wajah/engine';
import type { StandardPair } from '../data/standard-pairs.ts';
import { plain, type ReportSection, share } from '../measure/figure.ts';
import { countBelow, fnmrAtFmr, rocArea } from '../metrics/scores.ts';
import type { Sample } from './templates.ts';

interface ScoredPair extends StandardPair {
  /** −∞ where a picture has no template. */
  readonly score: number;
}

/**
 * What is published for LFW: the accuracy over ten folds, each decided at the threshold that is best for the other nine,
 * with the standard error of its mean (Huang et al. 2007, "View 2"). A pair with a failure to acquire is a non-match.
 */
export function standardSection(samples: readonly Sample[], pairs: readonly StandardPair[]): ReportSection {
  const templates = new Map(samples.map(({ file, template }) => [file, template]));
  const scored = pairs.map((pair): ScoredPair => {
    const [a, b] = [templates.get(pair.a), templates.get(pair.b)];
    if (a === undefined || b === undefined) {
      throw new Error(`${a === undefined ? pair.a : pair.b} of pairs.txt is not in the folder`);
    }
    return { ...pair, score: a && b ? innerProduct(a, b) : Number.NEGATIVE_INFINITY };
  });
  const folds = [...new Set(pairs.map(({ fold }) => fold))];
  const accuracies = folds.map((fold) => {
    const threshold = bestThreshold(scored.filter((pair) => pair.fold !== fold));
    return shareRight(
      scored.filter((pair) => pair.fold === fold),
      threshold,
    );
  });
  const mean = meanOf(accuracies);
  const error = Math.sqrt(meanOf(accuracies.map((one) => (one - mean) ** 2)) / (folds.length - 1));
  const of = (same: boolean) =>
    Float64Array.from(
      scored.filter((pair) => pair.same === same),
      ({ score }) => score,
    ).sort();
  const [genuine, impostor] = [of(true), of(false)];
  const blind = countBelow([...genuine, ...impostor], -2);
  return {
    title: `Standard pairs, ${folds.length} folds`,
    figures: [
      plain(
        'accuracy',
        `${(100 * mean).toFixed(2)} % ± ${(100 * error).toFixed(2)}`,
        `${pairs.length} pairs; mean of the folds and its standard error`,
      ),
      plain('ROC area', rocArea(genuine, impostor).toFixed(5), ''),
      share('FNMR at FMR 1e-2', fnmrAtFmr(genuine, impostor, 1e-2).falseNonMatches),
      share('FNMR at FMR 1e-3', fnmrAtFmr(genuine, impostor, 1e-3).falseNonMatches),
      share('pairs with a failure to acquire', blind),
    ],
  };
}

/** The middle between two scores that decides the most pairs rightly. */
function bestThreshold(pairs: readonly ScoredPair[]): number {
  const sorted = [...pairs].sort((one, other) => one.score - other.score);
  let right = sorted.filter(({ same }) => same).length;
  let [best, threshold] = [right, Number.NEGATIVE_INFINITY];
  sorted.forEach(({ same, score }, i) => {
    right += same ? -1 : 1;
    const next = sorted[i + 1]?.score ?? Number.POSITIVE_INFINITY;
    if (right > best && next > score) [best, threshold] = [right, (score + next) / 2];
  });
  return threshold;
}

function shareRight(pairs: readonly ScoredPair[], threshold: number): number {
  return meanOf(pairs.map(({ same, score }) => Number(same === score >= threshold)));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
