import { auditKeyName } from '../security/audit-chain.ts';
import type { AuditRecord, SealedLink } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import type { AdminInput } from './inputs.ts';

/** A record of the audit trail as plain JSON; bytes are hexadecimal. */
export type PlainRecord = ReturnType<typeof plainRecord>;

/** Operations on the audit trail. */
export function auditOperations({ audit, meta }: Pick<Store, 'audit' | 'meta'>) {
  return {
    /** Newest first. */
    listAudit: async ({ since, before, clientId, event, limit }: AdminInput<'listAudit'>) => {
      const query = {
        ...(since !== null && { since: new Date(since) }),
        ...(before !== null && { before }),
        ...(clientId !== null && { clientId }),
        ...(event !== null && { event }),
        limit,
      };
      return (await audit.list(query)).map((record) => ({ id: record.id, ...plainRecord(record) }));
    },
    /** Linked records in order of their number; `after` is exclusive. */
    readAudit: async ({ after, limit }: AdminInput<'readAudit'>) =>
      (await audit.read(after, limit)).map(plainRecord),
    /** The ends of the chain, and its key, sealed under the master key. */
    describeAudit: async (_: AdminInput<'describeAudit'>) => {
      const { head, anchor, unlinked } = await audit.ends();
      const key = await meta.get(auditKeyName);
      return { head: plainLink(head), anchor: plainLink(anchor), unlinked, key };
    },
  };
}

function plainRecord({ at, event, clientId, trxId, facts, link }: AuditRecord) {
  return {
    number: link?.number ?? null,
    time: at.toISOString(),
    event,
    client_id: clientId,
    trx_id: trxId,
    facts,
    salt: link?.salt ? hex(link.salt) : null,
    digest: link ? hex(link.digest) : null,
    hash: link ? hex(link.hash) : null,
    seal: link ? hex(link.seal) : null,
  };
}

function plainLink({ number, hash, seal }: SealedLink) {
  return { number, hash: hex(hash), seal: hex(seal) };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
