import type { StatusName } from '@wajah/contract';
import { createDelayed } from './lib/batch-writer.ts';
import { minuteMs } from './lib/time.ts';
import type { AuditEntry } from './store/audit-store.ts';

/** Refusals of a client with a record each, in a window. */
const maxSingle = 60;

/** Refusals that anybody can cause in any number. */
const floods: ReadonlySet<StatusName> = new Set(['busy', 'tooManyRequests', 'unauthorized']);

interface Counted {
  readonly entry: Pick<AuditEntry, 'clientId'>;
  readonly refusal: StatusName;
  count: number;
}

/**
 * Bounds the audit records of refusals, so that a flood cannot fill the disk: up to 60 of a client in a minute have a
 * record each; further ones, and those of calls without a client or of too many calls, are one record `refusals` with
 * their count for each client, status and minute.
 */
export function createRefusalRecords(append: (entry: AuditEntry) => void) {
  const single = new Map<string, number>();
  const counted = new Map<string, Counted>();
  const window = createDelayed(() => {
    for (const { entry, refusal, count } of counted.values()) {
      append({
        at: new Date(),
        event: 'refusals',
        clientId: entry.clientId,
        trxId: null,
        facts: { refusal, count },
      });
    }
    counted.clear();
    single.clear();
  }, minuteMs);
  return {
    add(entry: AuditEntry, refusal: StatusName): void {
      window.start();
      const { clientId } = entry;
      const earlier = single.get(clientId ?? '') ?? 0;
      if (clientId !== null && !floods.has(refusal) && earlier < maxSingle) {
        single.set(clientId, earlier + 1);
        append(entry);
        return;
      }
      const key = JSON.stringify([clientId, refusal]);
      const sum = counted.get(key) ?? { entry, refusal, count: 0 };
      sum.count += 1;
      counted.set(key, sum);
    },
    /** Appends the counts of the window that is under way. */
    flush: window.now,
  };
}
