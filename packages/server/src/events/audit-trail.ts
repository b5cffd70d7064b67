import type { StatusName } from '@wajah/contract';
import { StoreUnavailable } from '../errors.ts';
import { countUp, createBatchWriter, createDelayed } from '../lib/batch-writer.ts';
import { minuteMs } from '../lib/time.ts';
import type { AuditChain, AuditEntry, AuditStore } from '../store/ports/audit.ts';
import type { Receipt } from './ports.ts';

export type AuditTrail = ReturnType<typeof createAuditTrail>;

/** Refusals of a client with a record each, in a minute. */
const maxSingle = 60;

/** Refusals that anybody can cause in any number. */
const floods: ReadonlySet<StatusName> = new Set(['busy', 'tooManyRequests', 'unauthorized']);

/**
 * Appends records to the audit trail in the background. A record that cannot be written is lost: `onLost` says so at once,
 * and the trail itself, in a record `records_lost`, as soon as it can be written again.
 *
 * So that a flood of refusals cannot fill the disk, up to 60 of a client in a minute have a record each; further ones, and
 * those of calls without a client or of too many calls, are one record `refusals` with their count for each client, status
 * and minute.
 */
export function createAuditTrail(
  audit: Pick<AuditStore, 'append'>,
  chain: AuditChain,
  onLost: (entries: readonly AuditEntry[], error: unknown) => void,
) {
  const { add, settled, isWritten } = createAppender(audit, chain, onLost);
  const append = (entry: AuditEntry, isProof = false) => add({ entry, isProof });
  const single = new Map<string, number>();
  const counted = new Map<string, { clientId: string | null; refusal: StatusName; count: number }>();
  const minute = createDelayed(() => {
    for (const { clientId, refusal, count } of counted.values())
      void append(entryOf('refusals', { refusal, count }, clientId));
    counted.clear();
    single.clear();
  }, minuteMs);
  return {
    /** Resolves with null when the record is lost. @param isProof whether it is on the disk then; otherwise 50 ms later */
    append,
    /** The record of a refusal. */
    refused(entry: AuditEntry): void {
      minute.start();
      const { clientId } = entry;
      const refusal = entry.facts['refusal'] as StatusName;
      const earlier = single.get(clientId ?? '') ?? 0;
      if (clientId !== null && !floods.has(refusal) && earlier < maxSingle) {
        single.set(clientId, earlier + 1);
        void append(entry);
        return;
      }
      countUp(counted, { clientId, refusal }, Number.POSITIVE_INFINITY);
    },
    /** Whether records can be written. After a failure it tries to write what the trail owes: how many were lost. */
    isWritten,
    /** Resolves when all records so far are written or lost, the counts of the present minute included. */
    settled(): Promise<void> {
      minute.now();
      return settled();
    },
  };
}

interface Item {
  readonly entry: AuditEntry;
  readonly isProof: boolean;
}

function createAppender(
  audit: Pick<AuditStore, 'append'>,
  chain: AuditChain,
  onLost: (entries: readonly AuditEntry[], error: unknown) => void,
) {
  let missing = 0;
  let fails = false;
  const write = async (items: readonly Item[]): Promise<Receipt[]> => {
    const gap = missing;
    const lost = gap > 0 ? [entryOf('records_lost', { count: gap }, null)] : [];
    const entries = items.map(({ entry }) => entry);
    const relaxed = !items.some(({ isProof }) => isProof);
    const links = (await audit.append([...lost, ...entries], chain, relaxed)).slice(lost.length);
    missing -= gap;
    fails = false;
    return links.map(({ number, hash }, i) => {
      return { number, hash: Buffer.from(hash).toString('hex'), at: entries[i]!.at };
    });
  };
  let last: Promise<unknown> = Promise.resolve();
  const writeInTurn = (items: readonly Item[]) => {
    const written = last.then(() => write(items));
    last = written.catch(() => {});
    return written;
  };
  const writer = createBatchWriter<Item, Receipt>({
    write: writeInTurn,
    isOutage: (error) => error instanceof StoreUnavailable,
    lost(items, error) {
      missing += items.length;
      const entries = items.map(({ entry }) => entry);
      if (error === null) return;
      fails = true;
      onLost(entries, error);
    },
  });
  return {
    ...writer,
    async isWritten(): Promise<boolean> {
      if (fails) await writeInTurn([]).catch(() => {});
      return !fails;
    },
  };
}

function entryOf(event: string, facts: AuditEntry['facts'], clientId: string | null): AuditEntry {
  return { at: new Date(), event, clientId, trxId: null, facts };
}
