import type { CohortStatistics } from '@wajah/engine';

/** Statistics of the people of a gallery, or of a sample of them. */
export interface GalleryCohort extends CohortStatistics {
  /** The largest `sampleKey` of the people measured: whoever has a larger one is not among them. */
  readonly lastKey: number;
}

/** Statistics of an earlier format do not open, and are measured anew. */
export const COHORT_FORMAT = 2;

const numbers = 6;

/** @returns float64 little-endian numbers, then the mean template as float32 */
export function writeCohort(cohort: GalleryCohort): Uint8Array {
  const { people, complete, product, weight, deviation, lastKey, mean } = cohort;
  const head = Float64Array.of(people, Number(complete), product, weight, deviation, lastKey);
  return Buffer.concat([
    new Uint8Array(head.buffer),
    new Uint8Array(mean.buffer, mean.byteOffset, mean.byteLength),
  ]);
}

export function readCohort(bytes: Uint8Array): GalleryCohort {
  // A copy, since the bytes need not be aligned.
  const { buffer } = new Uint8Array(bytes);
  const [people, complete, product, weight, deviation, lastKey] = new Float64Array(buffer, 0, numbers);
  return {
    ...{ people: people!, complete: complete === 1, product: product! },
    ...{ weight: weight!, deviation: deviation!, lastKey: lastKey! },
    mean: new Float32Array(buffer, numbers * 8),
  };
}
