import type { AuditService } from '../../services/activity/status.ts';

export function auditView({ records, nextBefore }: Awaited<ReturnType<AuditService['read']>>) {
  return {
    records: records.map(({ at, event, clientId, trxId, facts, link }) => ({
      number: link?.number ?? null,
      time: at.toISOString(),
      event,
      client_id: clientId,
      trx_id: trxId,
      facts,
      hash: link && Buffer.from(link.hash).toString('hex'),
    })),
    next_before: nextBefore,
  };
}
