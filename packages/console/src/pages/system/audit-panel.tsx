import { useState } from 'preact/hooks';
import { readPages } from '../../api/read-pages.ts';
import type { AuditRecord } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatTime } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { auditEvents } from '../../i18n/server/audit-events.ts';
import { auditSentence } from '../../i18n/server/audit-sentence.ts';
import { usePages } from '../../state/use-pages.ts';
import { useLoad } from '../../state/use-request.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { AuditFilter, type AuditQuery } from './audit-filter.tsx';

const pageLength = 25;
/** Records of an export. */
const mostExported = 10_000;

/** The audit trail of the server: who did what and when. */
export function AuditPanel() {
  const [query, setQuery] = useState<AuditQuery>({});
  const { system } = messages.value;
  const pages = usePages(JSON.stringify(query));
  const page = { ...query, limit: pageLength, ...(pages.before !== undefined && { before: pages.before }) };
  const load = useLoad((signal) => wajah.getAudit(page, { signal }), JSON.stringify(page));
  const records = load.answer?.records;
  return (
    <section class="card" aria-labelledby="audit">
      <div class="stack tight">
        <h2 id="audit">{system.audit}</h2>
        <p class="hint">{system.auditHow}</p>
      </div>
      <AuditFilter query={query} events={Object.keys(auditEvents)} onChange={setQuery} />
      <div class="row">
        <ExportButton
          name={system.audit}
          file="wajah-audit"
          table={async (signal) => tableOf(await readAll(query, signal))}
        />
      </div>
      {load.error && <ErrorNotice error={load.error} onRetry={load.reload} />}
      {!records && load.busy && <Skeleton lines={6} />}
      {records?.length === 0 && <p class="muted">{system.auditEmpty}</p>}
      {records && records.length > 0 && (
        <ol class="records" aria-busy={load.busy}>
          {records.map((record) => (
            <Record key={`${record.number} ${record.time}`} record={record} />
          ))}
        </ol>
      )}
      <Pager pages={pages} next={load.answer?.next_before ?? null} busy={load.busy} />
    </section>
  );
}

function Record({ record }: { record: AuditRecord }) {
  const { activity, system } = messages.value;
  return (
    <li>
      <time class="muted small numbers" dateTime={record.time}>
        {formatTime(record.time)}
      </time>
      <div>
        <p>{auditSentence(record)}</p>
        <p class="muted trx">
          {record.number !== null && system.record(String(record.number))}
          {record.trx_id !== null && ` · ${activity.transaction} ${record.trx_id}`}
        </p>
      </div>
    </li>
  );
}

function readAll(query: AuditQuery, signal: AbortSignal): Promise<AuditRecord[]> {
  return readPages(async (from) => {
    const { records, next_before } = await wajah.getAudit({ ...query, limit: 1000, ...from }, { signal });
    return [records, next_before];
  }, mostExported);
}

function tableOf(records: readonly AuditRecord[]) {
  const heading = ['number', 'time', 'client_id', 'event', 'sentence', 'facts', 'trx_id', 'hash'];
  const rows = records.map((record) => [
    ...[record.number, record.time, record.client_id, record.event, auditSentence(record)],
    ...[JSON.stringify(record.facts), record.trx_id, record.hash],
  ]);
  return { heading, rows };
}
