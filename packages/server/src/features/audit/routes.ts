import { endpoints } from '@wajah/contract';
import type { FeatureCore } from '../../feature.ts';
import type { Mount } from '../../http/routes/ports.ts';
import { recordView } from './record.ts';

const defaultLimit = 100;

/** The audit trail of the server, for operators. */
export function auditRoutes(mount: Mount, { store, requireOperator }: FeatureCore): void {
  mount(endpoints.getAudit, async (caller, { since, clientId, event, before, limit = defaultLimit }) => {
    await requireOperator(caller);
    const oldest = since === undefined ? undefined : new Date(since);
    const records = await store.audit.list({ before, clientId, event, limit, since: oldest });
    const last = records.length === limit ? records.at(-1) : undefined;
    return { records: records.map(recordView), next_before: last?.id ?? null };
  });
}
