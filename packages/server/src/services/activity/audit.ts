import type { AuditRequest } from '@wajah/contract';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { StatusService } from './status.ts';

const defaultLimit = 100;

export type AuditService = ReturnType<typeof createAuditService>;

/** The audit trail of the server, for operators. */
export function createAuditService(
  { store }: Pick<ServiceDependencies, 'store'>,
  { requireOperator }: Pick<StatusService, 'requireOperator'>,
) {
  return {
    /** Newest first. @throws Refusal `denied` when the caller is no operator */
    async read(caller: Caller, { since, clientId, event, limit, before }: AuditRequest) {
      await requireOperator(caller);
      const most = limit ?? defaultLimit;
      const records = await store.audit.list({
        ...{ before, clientId, event, limit: most },
        since: since === undefined ? undefined : new Date(since),
      });
      const last = records.length === most ? records.at(-1) : undefined;
      return { records, nextBefore: last?.id ?? null };
    },
  };
}
