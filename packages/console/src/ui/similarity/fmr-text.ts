import { impostorPairsPerMatch, maxPairs, roundTo2Digits } from '../../draw/similarity-scale.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';

/** The false match rate of a similarity, short. @example fmrText(0.75); // 'FMR 1 in 10,000' */
export function fmrText(similarity: number): string {
  const { recognise } = messages.value;
  const count = impostorPairsPerMatch(similarity);
  if (count < 2) return recognise.fmrNearOne;
  if (count >= maxPairs) return recognise.fmrBelow(formatNumber(maxPairs));
  return recognise.fmr(formatNumber(roundTo2Digits(count)));
}
