import { StoreUnavailable } from './errors.ts';
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

interface Job {
  readonly entry: AuditEntry;
  readonly resolve: (receipt: Receipt | null) => void;
}

/** Records in one transaction. */
const maxBatch = 200;
/** Records that wait for the store; further ones are lost. */
const maxWaiting = 10_000;

/**
 * Appends records to the audit trail in the background, one batch at a time. A record that cannot be written is lost:
 * `onFailure` says so at once, and the trail itself, in a record `records_lost`, as soon as it can be written again.
 */
export function createAuditor(
  { audit }: Pick<Store, 'audit'>,
  chain: AuditChain,
  onFailure: (entries: readonly AuditEntry[], error: unknown) => void,
) {
  const waiting: Job[] = [];
  let running: Promise<void> | null = null;
  let lost = 0;

  const write = async (jobs: readonly Job[]): Promise<void> => {
    const gap = lost;
    const entries = [...(gap > 0 ? [lostEntry(gap)] : []), ...jobs.map(({ entry }) => entry)];
    try {
      const links = await audit.append(entries, chain);
      lost -= gap;
      const own = links.slice(entries.length - jobs.length);
      for (const [i, { entry, resolve }] of jobs.entries()) resolve(receiptOf(entry, own[i]));
    } catch (error) {
      // One of them may be the reason.
      if (jobs.length > 1 && !(error instanceof StoreUnavailable)) {
        for (const job of jobs) await write([job]);
        return;
      }
      lost += jobs.length;
      onFailure(
        jobs.map(({ entry }) => entry),
        error,
      );
      for (const { resolve } of jobs) resolve(null);
    }
  };
  const writeAll = async () => {
    while (waiting.length > 0) await write(waiting.splice(0, maxBatch));
    running = null;
  };
  return {
    /** Resolves with null when the record is lost. Never rejects. */
    append: (entry: AuditEntry): Promise<Receipt | null> =>
      new Promise((resolve) => {
        if (waiting.length >= maxWaiting) {
          lost += 1;
          resolve(null);
          return;
        }
        waiting.push({ entry, resolve });
        running ??= Promise.resolve().then(writeAll);
      }),
    /** Resolves when all records so far are written or lost. */
    async settled(): Promise<void> {
      while (running !== null) await running;
    },
  };
}

function lostEntry(count: number): AuditEntry {
  return { at: new Date(), event: 'records_lost', clientId: null, trxId: null, facts: { count } };
}

function receiptOf({ at }: AuditEntry, link: ChainLink | undefined): Receipt | null {
  return link ? { number: link.number, hash: Buffer.from(link.hash).toString('hex'), at } : null;
}
