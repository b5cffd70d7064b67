import { impostorPairsPerMatch, maxPairs, roundTo2Digits } from '../../../draw/similarity-scale.ts';
import { formatNumber, formatPercent } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { probesBelow } from './refused-share.ts';

/** @example rateText(0.75); // '1 in 10,000' */
export function rateText(threshold: number): string {
  return oneIn(impostorPairsPerMatch(threshold));
}

/** The share of people who are not enrolled that match somebody among so many people (FPIR). @example falsePositiveText(0.75, 100); // '1 in 100' */
export function falsePositiveText(threshold: number, people: number): string {
  return oneIn(impostorPairsPerMatch(threshold) / Math.max(1, people));
}

function oneIn(count: number): string {
  const { thresholds } = messages.value;
  if (count < 2) return thresholds.nearlyAll;
  return thresholds.oneIn(formatNumber(roundTo2Digits(Math.min(count, maxPairs))));
}

/** @example belowText(bins, 0.75); // '12 of 480 (2.5 %)' */
export function belowText(bins: readonly number[] | undefined, threshold: number): string {
  const { thresholds } = messages.value;
  if (!bins) return '…';
  const { below, all } = probesBelow(bins, threshold);
  if (all === 0) return thresholds.noCalls;
  const share = below / all;
  return thresholds.countOf(
    formatNumber(below),
    formatNumber(all),
    formatPercent(share, share < 0.1 && share > 0 ? 1 : 0),
  );
}
