import type { GetAuditAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import { commandText } from '../../api/program.ts';
import { wajah } from '../../api/wajah.ts';
import { auditEvents, auditSentence } from '../../i18n/audit.ts';
import { dayText, formatTime } from '../../i18n/format.ts';
import { common, messageFor, system } from '../../i18n/messages.ts';
import { Card } from '../../ui/card.tsx';
import { FilterField, InputField, SelectField } from '../../ui/field.tsx';
import { ExportButton, PagedList, readPages, usePages } from '../../ui/list.tsx';
import { audit } from './texts.ts';

type AuditRecord = GetAuditAnswer['records'][number];

const pageLength = 25;
/** Records of an export. */
const mostExported = 10_000;

/** The audit trail of the server: who did what and when. */
export function AuditPanel() {
  const [query, setQuery] = useState<AuditQuery>({});
  const read = async (before: number | undefined, limit: number, signal: AbortSignal) => {
    const page = { ...query, limit, ...(before !== undefined && { before }) };
    const { records, next_before } = await wajah.getAudit(page, { signal });
    return [records, next_before] as const;
  };
  const pages = usePages({ key: JSON.stringify(query), length: pageLength, read });
  return (
    <Card title={audit.title} hint={audit.how(commandText('audit verify'))}>
      <AuditFilter query={query} events={Object.keys(auditEvents)} onChange={setQuery} />
      <div class="row">
        <ExportButton
          name={audit.title}
          file="wajah-audit"
          table={async (signal) => tableOf(await readPages(read, 1000, signal, mostExported))}
        />
      </div>
      <PagedList
        pages={pages}
        look="rows records"
        empty={audit.empty}
        entry={(record) => <Record key={`${record.number} ${record.time}`} record={record} />}
      />
    </Card>
  );
}

function Record({ record }: { record: AuditRecord }) {
  return (
    <li>
      <time class="muted small numbers" dateTime={record.time}>
        {formatTime(record.time)}
      </time>
      <div>
        <p>{auditSentence(record)}</p>
        <p class="muted trx">
          {record.number !== null && audit.record(String(record.number))}
          {record.trx_id !== null && ` · ${common.trx(record.trx_id)}`}
        </p>
      </div>
    </li>
  );
}

function tableOf(records: readonly AuditRecord[]) {
  const heading = ['number', 'time', 'client_id', 'event', 'sentence', 'facts', 'trx_id', 'hash'];
  const rows = records.map((record) => [
    ...[record.number, record.time, record.client_id, record.event, auditSentence(record)],
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
        label={audit.client}
        value={client_id ?? ''}
        onChange={(typed) => change({ client_id: typed })}
      />
      <SelectField
        label={audit.event}
        value={event ?? ''}
        options={[
          ['', common.allOf] as const,
          ...props.events.map((name) => [name, messageFor(system, `event_${name}`) ?? name] as const),
        ]}
        onChange={(chosen) => change({ event: chosen })}
      />
      <InputField
        label={audit.sinceDay}
        type="date"
        value={since === undefined ? '' : dayText(new Date(since))}
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
