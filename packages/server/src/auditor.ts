import { StoreUnavailable } from './errors.ts';
import { createBatchWriter } from './lib/batch-writer.ts';
import type { AuditChain, AuditEntry, ChainLink } from './store/audit-store.ts';
import type { Store } from './store/store.ts';

/** Proof that an erasure is in the audit trail. */
export interface Receipt {
  /** Of the record. */
  readonly number: number;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  readonly at: Date;
}

/**
 * Appends records to the audit trail in the background, one batch at a time. A record that cannot be written is lost:
 * `onFailure` says so at once, and the trail itself, in a record `records_lost`, as soon as it can be written again.
 */
export function createAuditor(
  { audit }: Pick<Store, 'audit'>,
  chain: AuditChain,
  onFailure: (entries: readonly AuditEntry[], error: unknown) => void,
) {
  let missing = 0;
  const writer = createBatchWriter<AuditEntry, Receipt>({
    async write(entries) {
      const gap = missing;
      const links = await audit.append(gap > 0 ? [lostEntry(gap), ...entries] : entries, chain);
      missing -= gap;
      return links.slice(-entries.length).map((link, i) => receiptOf(entries[i]!, link));
    },
    isOutage: (error) => error instanceof StoreUnavailable,
    lost(entries, error) {
      missing += entries.length;
      if (error !== null) onFailure(entries, error);
    },
  });
  /** `append` resolves with null when the record is lost. */
  return { append: writer.add, settled: writer.settled };
}

function lostEntry(count: number): AuditEntry {
  return { at: new Date(), event: 'records_lost', clientId: null, trxId: null, facts: { count } };
}

function receiptOf({ at }: AuditEntry, { number, hash }: ChainLink): Receipt {
  return { number, hash: Buffer.from(hash).toString('hex'), at };
}
