import { useState } from 'preact/hooks';
import { commandText } from '../api/program.ts';
import type { AuditRecord, SystemStatus } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import { auditEvents, auditSentence } from '../i18n/audit.ts';
import { dayText, formatBytes, formatDuration, formatNumber, formatTime, locale } from '../i18n/format.ts';
import { activity, common, messageFor, system, units } from '../i18n/messages.ts';
import { guideAddress, language } from '../state/preferences.ts';
import { useLoad } from '../state/request.ts';
import { Card, Facts, StackedTable, UsageBar } from '../ui/card.tsx';
import { FilterField, InputField, Segments, SelectField } from '../ui/field.tsx';
import { Button, Tag } from '../ui/icon.tsx';
import { ExportButton, PagedList, readPages, usePages } from '../ui/list.tsx';
import { LoadState, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/shell.tsx';

const parts = ['server', 'audit'] as const;

/** Status and audit trail of the server, for operators. */
export function SystemPage() {
  const [part, setPart] = useState<(typeof parts)[number]>('server');
  const load = useLoad((signal) => wajah.getStatus({}, { signal }));
  return (
    <Page title={common.system} lead={system.lead}>
      <LoadState load={load} lines={6} operators="system">
        {(status) => (
          <>
            <div class="row between">
              <Segments
                label={common.system}
                value={part}
                options={parts.map((value) => ({ value, text: system[value] }))}
                onChoose={setPart}
              />
              {part === 'server' && (
                <Button icon="refresh" disabled={load.busy} onClick={load.reload}>
                  {activity.refresh}
                </Button>
              )}
            </div>
            {part === 'server' ? <Server status={status} /> : <AuditPanel />}
          </>
        )}
      </LoadState>
    </Page>
  );
}

function Server({ status }: StatusProps) {
  const { pad, calibration } = status;
  return (
    <>
      {pad.notice !== null && <Remedy text={system.padMissing(pad.notice)} commands={pad.install} />}
      {calibration.notice !== null && (
        <Remedy
          text={system.provisional(calibration.notice)}
          commands={[commandText('calibrate --gallery --install server')]}
        />
      )}
      <Cards status={status} />
    </>
  );
}

/** What the server lacks, with the commands that mend it. */
function Remedy({ text, commands }: { text: string; commands: readonly string[] }) {
  return (
    <Notice tone="warn">
      <p>{text}</p>
      {commands.map((command) => (
        <p class="mono" key={command}>
          {command}
        </p>
      ))}
    </Notice>
  );
}

interface StatusProps {
  readonly status: SystemStatus;
}

function Cards({ status }: StatusProps) {
  const { engine, memory, store } = status;
  return (
    <div class="cards">
      <Card title={system.health} aside={<Tag tone="good">{system.ready}</Tag>}>
        <Facts
          of={[
            [system.version, status.version],
            ['Node', status.node],
            [
              system.uptime,
              formatDuration(status.uptime_seconds),
              system.since(formatTime(status.started_at)),
            ],
            [common.clients, formatNumber(status.clients)],
          ]}
        />
      </Card>
      <Card title={system.engine}>
        <UsageBar name={system.running} used={engine.running} all={engine.workers} />
        <UsageBar name={system.queued} used={engine.queued} all={engine.queue} />
        <Facts
          of={[
            [system.workers, formatNumber(engine.workers)],
            [system.restarts, formatNumber(engine.restarts)],
            [system.busy, formatNumber(engine.busy)],
          ]}
        />
      </Card>
      <Card title={system.memory}>
        <UsageBar
          name={system.match}
          used={memory.match_used}
          all={memory.match_budget}
          text={system.ofBudget(formatBytes(memory.match_used), formatBytes(memory.match_budget))}
        />
        <Facts
          of={[
            [system.rss, formatBytes(memory.rss)],
            [system.loadedGalleries, formatNumber(memory.galleries_loaded)],
          ]}
        />
      </Card>
      <Card title={system.store}>
        <Facts
          of={[
            [system.kind, store.kind],
            [system.size, store.bytes === undefined ? undefined : formatBytes(store.bytes)],
          ]}
        />
      </Card>
      <PacksCard status={status} />
      <SettingsCard status={status} />
    </div>
  );
}

function PacksCard({ status: { packs } }: StatusProps) {
  return (
    <Card title={system.packs} wide>
      <StackedTable
        columns={[
          [system.pack, ({ id }) => id],
          [system.version, ({ version }) => version],
          [system.roles, ({ roles }) => roles.join(', ')],
          [system.licence, ({ licence }) => licence],
          [
            common.state,
            ({ in_use: used }) => (
              <span class={used ? 'tag good' : 'tag'}>{used ? system.inUse : system.notInUse}</span>
            ),
          ],
        ]}
        rows={packs}
        keyOf={({ id, version }) => `${id} ${version}`}
      />
    </Card>
  );
}

type Setting = SystemStatus['configuration'][number];

/** What was changed, and all settings by group. */
function SettingsCard({ status: { configuration, settings } }: StatusProps) {
  // The model pack decides where the operator did not.
  const effective: Readonly<Record<string, Setting['value'] | undefined>> = {
    WAJAH_THRESHOLD: settings['threshold'],
    WAJAH_SPOOF_THRESHOLD: settings['spoof_threshold'],
  };
  const all = configuration.map((one) => ({ ...one, value: one.value ?? effective[one.name] ?? null }));
  const changed = all.filter((one) => one.changed);
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <Card
      title={system.settings}
      hint={changed.length === 0 ? system.nothingChanged : system.changed(changed.length)}
      wide
    >
      {changed.length > 0 && <SettingTable settings={changed} label={system.settings} />}
      <details>
        <summary class="small">{system.allSettings(all.length)}</summary>
        <div class="stack">
          {groups.map((group) => (
            <div key={group} class="stack tight">
              <h3>{group}</h3>
              <SettingTable settings={all.filter((one) => one.group === group)} label={group} />
            </div>
          ))}
          <p>
            <a class="up" href={`${guideAddress.value}configuration.html`}>
              {system.aboutSettings}
            </a>
          </p>
        </div>
      </details>
    </Card>
  );
}

function SettingTable({ settings, label }: { settings: readonly Setting[]; label: string }) {
  return (
    <StackedTable
      label={label}
      columns={[
        [system.setting, ({ name }) => name, 'mono'],
        [system.value, (setting) => shown(setting.value, setting), 'numbers'],
        [system.byDefault, (setting) => shown(setting.default, setting), 'numbers muted'],
      ]}
      rows={settings}
      keyOf={({ name }) => name}
    />
  );
}

function shown(value: Setting['value'], { name, unit }: Setting): string {
  if (value === null) return name.endsWith('_THRESHOLD') ? system.ofPack : common.none;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (typeof value === 'string') return value;
  if (value === -1) return common.unlimited;
  // It is a name, not an amount.
  if (name.endsWith('_PORT')) return String(value);
  if (unit === 'bytes') return formatBytes(value);
  const number = value.toLocaleString(locale(), { maximumFractionDigits: 6, useGrouping: 'min2' });
  return unit === undefined ? number : `${number} ${messageFor(units, unit) ?? unit}`;
}

const pageLength = 25;
/** Records of an export. */
const mostExported = 10_000;

/** The audit trail of the server: who did what and when. */
function AuditPanel() {
  const [query, setQuery] = useState<AuditQuery>({});
  const read = async (before: number | undefined, limit: number, signal: AbortSignal) => {
    const page = { ...query, limit, ...(before !== undefined && { before }) };
    const { records, next_before } = await wajah.getAudit(page, { signal });
    return [records, next_before] as const;
  };
  const pages = usePages({ key: JSON.stringify(query), length: pageLength, read });
  return (
    <Card title={system.audit} hint={system.auditHow(commandText('audit verify'))}>
      <AuditFilter query={query} events={Object.keys(auditEvents)} onChange={setQuery} />
      <div class="row">
        <ExportButton
          name={system.audit}
          file="wajah-audit"
          table={async (signal) => tableOf(await readPages(read, 1000, signal, mostExported))}
        />
      </div>
      <PagedList
        pages={pages}
        look="rows records"
        empty={system.auditEmpty}
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
        <p>{auditSentence(record, language.value)}</p>
        <p class="muted trx">
          {record.number !== null && system.record(String(record.number))}
          {record.trx_id !== null && ` · ${common.trx(record.trx_id)}`}
        </p>
      </div>
    </li>
  );
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
