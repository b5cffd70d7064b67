import { trailView } from '../../src/http/views/records.ts';
import type { AuditSource } from '../../src/operations/audit-trail.ts';
import { createAuditChain } from '../../src/security/audit-chain.ts';
import { readTrail } from '../../src/services/administration/installation.ts';
import type { AuditEntry, Store } from '../../src/store/ports.ts';

/** The audit chain of tests. */
export const chain = createAuditChain(Buffer.alloc(32, 7));

/** An event of now. */
export function auditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return { at: new Date(), event: 'e', clientId: null, trxId: null, facts: {}, ...given };
}

/** The audit trail of a store, as commands read it. */
export const trailOf =
  (store: Pick<Store, 'audit' | 'meta'>): AuditSource =>
  async (page) =>
    trailView(await readTrail(store, page));
