import { createAuditChain } from '../../src/security/audit-chain.ts';
import type { AuditEntry } from '../../src/store/ports/audit.ts';

/** The audit chain of tests. */
export const chain = createAuditChain(Buffer.alloc(32, 7));

/** An event of now. */
export function auditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return { at: new Date(), event: 'e', clientId: null, trxId: null, facts: {}, ...given };
}
