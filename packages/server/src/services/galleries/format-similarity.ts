import { cutFraction } from '@wajah/contract/values';

/** A similarity or threshold as details print it: with the four decimals of the answers. */
export function formatSimilarity(value: number): string {
  return cutFraction(value).toFixed(4);
}
