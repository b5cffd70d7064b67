import { cutFraction } from '@wajah/contract';
import type { BatchLiveness, SingleLiveness } from '../../services/services.ts';
import { attributesView } from './attributes.ts';

export function singleView({ liveness, confidence, verified, matchStatus, results }: SingleLiveness) {
  return {
    liveness,
    confidence_level: cutFraction(confidence),
    ...(verified === undefined ? {} : { verified }),
    match_status: matchStatus,
    results: attributesView(results),
  };
}

/** Entries are keyed image1, image2, … in the order of the request. */
export function batchView({ liveness, reasons, results }: BatchLiveness) {
  return {
    liveness,
    ...(reasons.length === 0 ? {} : { reasons }),
    results: Object.fromEntries(results.map((entry, index) => [`image${index + 1}`, attributesView(entry)])),
  };
}
