import { useState } from 'preact/hooks';
import type { SystemStatus } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import { featureSystemViews } from '../features/system-views.ts';
import { formatBytes, formatDuration, formatNumber, formatTime, locale } from '../i18n/format.ts';
import { common, messageFor, system, units } from '../i18n/messages.ts';
import type { Translation } from '../i18n/translation.ts';
import { translation } from '../state/preferences.ts';
import { useLoad } from '../state/request.ts';
import { Card, Facts, StackedTable, UsageBar } from '../ui/card.tsx';
import { Segments } from '../ui/field.tsx';
import { Button, Tag } from '../ui/icon.tsx';
import { LoadState, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/shell.tsx';

const views = ['server', ...Object.keys(featureSystemViews)];

/** Status of the server and views of features, for operators. */
export function SystemPage() {
  const [view, setView] = useState('server');
  const View = featureSystemViews[view]?.View;
  const load = useLoad((signal) => wajah.getStatus({}, { signal }));
  return (
    <Page title={common.system} lead={system.lead}>
      <LoadState load={load} lines={6} operators="system">
        {(status) => (
          <>
            <div class="row between">
              <Segments
                label={common.system}
                value={view}
                options={views.map((value) => ({
                  value,
                  text: featureSystemViews[value]?.text() ?? system.server,
                }))}
                onChoose={setView}
              />
              {!View && (
                <Button icon="refresh" disabled={load.busy} onClick={load.reload}>
                  {common.refresh}
                </Button>
              )}
            </div>
            {View ? <View /> : <Server status={status} />}
          </>
        )}
      </LoadState>
    </Page>
  );
}

function Server({ status }: StatusProps) {
  return (
    <>
      {status.findings.map((found) => (
        <Fault key={`${found.id} ${found.sentence}`} of={found} />
      ))}
      <Cards status={status} />
    </>
  );
}

/** What is wrong: in another language what it means, above what the server says of it. */
function Fault({ of: { id, severity, sentence, remedy } }: { of: SystemStatus['findings'][number] }) {
  const meaning = (translation.value as Translation).findings?.[id];
  const original = meaning === undefined ? {} : { class: 'muted small', lang: 'en' };
  return (
    <Notice tone={severity === 'bad' ? 'bad' : 'warn'}>
      {meaning !== undefined && <p>{meaning}</p>}
      <p {...original}>
        {sentence}; {remedy}.
      </p>
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
            <a class="up" href={`${common.guideAddress}configuration.html`}>
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
