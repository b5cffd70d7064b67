import type { Receipt } from '../../events.ts';

/** The field `receipt` of an erasure; empty without one. */
export function receiptView(receipt: Receipt | null) {
  return receipt === null ? {} : { receipt: { ...receipt, at: receipt.at.toISOString() } };
}
