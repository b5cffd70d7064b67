import type { AuditRecord, SealedLink } from '../../store/ports/audit.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** As it is exported. Bytes are hexadecimal. */
export const linkView = ({ number, hash, seal }: SealedLink) => ({
  number,
  hash: hex(hash),
  seal: hex(seal),
});

/** As it is exported; an answer for clients that are operators has neither salt, digest nor seal: its schema leaves them out. */
export function recordView({ at, event, clientId, trxId, facts, link }: AuditRecord) {
  return {
    number: link?.number ?? null,
    time: at.toISOString(),
    event,
    client_id: clientId,
    trx_id: trxId,
    facts,
    salt: link?.salt ? hex(link.salt) : null,
    digest: link && hex(link.digest),
    hash: link && hex(link.hash),
    seal: link && hex(link.seal),
  };
}
