import { useState } from 'preact/hooks';
import type { AuditRecord } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { auditEvents, auditSentence } from '../../i18n/audit.ts';
import { formatTime } from '../../i18n/format.ts';
import { activity, common, messageFor, system } from '../../i18n/messages.ts';
import { language } from '../../state/preferences.ts';
import { useLoad } from '../../state/request.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { FilterField, InputField, SelectField } from '../../ui/field.tsx';
import { LoadState } from '../../ui/notice.tsx';
import { Pager, readPages, usePages } from '../../ui/pager.tsx';

const pageLength = 25;
/** Records of an export. */
const mostExported = 10_000;

/** The audit trail of the server: who did what and when. */
export function AuditPanel() {
  const [query, setQuery] = useState<AuditQuery>({});
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
      <LoadState load={load} lines={6} />
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
  return (
    <li>
      <time class="muted small numbers" dateTime={record.time}>
        {formatTime(record.time)}
      </time>
      <div>
        <p>{auditSentence(record, language.value)}</p>
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
    ...[record.number, record.time, record.client_id, record.event, auditSentence(record, language.value)],
    ...[JSON.stringify(record.facts), record.trx_id, record.hash],
  ]);
  return { heading, rows };
}

/** Which records are listed. */
interface AuditQuery {
  readonly client_id?: string;
  readonly event?: string;
  /** ISO 8601. */
  readonly since?: string;
}

function AuditFilter(props: {
  query: AuditQuery;
  events: readonly string[];
  onChange: (query: AuditQuery) => void;
}) {
  const { client_id, event, since } = props.query;
  const change = (part: { [Name in keyof AuditQuery]?: AuditQuery[Name] | '' }) => {
    const all = { client_id, event, since, ...part };
    props.onChange({
      ...(all.client_id && { client_id: all.client_id }),
      ...(all.event && { event: all.event }),
      ...(all.since && { since: all.since }),
    });
  };
  return (
    <div class="filters">
      <FilterField
        label={system.client}
        value={client_id ?? ''}
        onChange={(typed) => change({ client_id: typed })}
      />
      <SelectField
        label={system.event}
        value={event ?? ''}
        options={[
          ['', common.allOf] as const,
          ...props.events.map((name) => [name, messageFor(system, `event_${name}`) ?? name] as const),
        ]}
        onChange={(chosen) => change({ event: chosen })}
      />
      <InputField
        label={system.sinceDay}
        type="date"
        value={since === undefined ? '' : dayOf(since)}
        onChange={(day) => change({ since: midnightOf(day) })}
      />
    </div>
  );
}

/** Midnight of a day in the time zone of the browser; '' for none. */
function midnightOf(day: string): string {
  const time = new Date(`${day}T00:00`);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

function dayOf(instant: string): string {
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
