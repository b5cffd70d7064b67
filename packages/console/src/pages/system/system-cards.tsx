import type { ComponentChildren } from 'preact';
import type { SystemStatus } from '../../api/types.ts';
import { formatBytes, formatNumber, formatTime } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { Fact, UsageBar } from '../../ui/facts.tsx';
import { Tag } from '../../ui/icon.tsx';

interface Props {
  readonly status: SystemStatus;
}

function Card({ title, wide, children }: { title: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <section class={wide ? 'card span' : 'card'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function HealthCard({ status }: Props) {
  const { system } = messages.value;
  return (
    <Card title={system.health}>
      <p>
        <Tag tone="good">{system.ready}</Tag>
      </p>
      <dl class="facts">
        <Fact name={system.version} value={status.version} />
        <Fact name={system.node} value={status.node} />
        <Fact
          name={system.uptime}
          value={duration(status.uptime_seconds)}
          note={system.since(formatTime(status.started_at))}
        />
        <Fact name={system.clients} value={formatNumber(status.clients)} />
      </dl>
    </Card>
  );
}

export function EngineCard({ status: { engine } }: Props) {
  const { system } = messages.value;
  return (
    <Card title={system.engine}>
      <UsageBar name={system.running} used={engine.running} all={engine.workers} />
      <UsageBar name={system.queued} used={engine.queued} all={engine.queue} />
      <dl class="facts">
        <Fact name={system.workers} value={formatNumber(engine.workers)} />
        <Fact name={system.restarts} value={formatNumber(engine.restarts)} />
        <Fact name={system.busy} value={formatNumber(engine.busy)} />
      </dl>
    </Card>
  );
}

export function MemoryCard({ status: { memory } }: Props) {
  const { system } = messages.value;
  return (
    <Card title={system.memory}>
      <UsageBar
        name={system.match}
        used={memory.match_used}
        all={memory.match_budget}
        text={system.ofBudget(formatBytes(memory.match_used), formatBytes(memory.match_budget))}
      />
      <dl class="facts">
        <Fact name={system.rss} value={formatBytes(memory.rss)} />
        <Fact name={system.heap} value={formatBytes(memory.heap_used)} />
        <Fact name={system.loadedGalleries} value={formatNumber(memory.galleries_loaded)} />
      </dl>
    </Card>
  );
}

export function StoreCard({ status: { store } }: Props) {
  const { system } = messages.value;
  return (
    <Card title={system.store}>
      <dl class="facts">
        <Fact name={system.kind} value={store.kind} />
        {store.bytes !== undefined && <Fact name={system.size} value={formatBytes(store.bytes)} />}
        <Fact name={system.migration} value={String(store.migration)} />
      </dl>
    </Card>
  );
}

export function PacksCard({ status: { packs } }: Props) {
  const { system } = messages.value;
  return (
    <Card title={system.packs} wide>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{system.pack}</th>
            <th scope="col">{system.version}</th>
            <th scope="col">{system.roles}</th>
            <th scope="col">{system.licence}</th>
            <th scope="col">{messages.value.keys.state}</th>
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <tr key={`${pack.id} ${pack.version}`}>
              <th scope="row">{pack.id}</th>
              <td data-label={system.version}>{pack.version}</td>
              <td data-label={system.roles}>{pack.roles.join(', ')}</td>
              <td data-label={system.licence}>{pack.licence}</td>
              <td data-label={messages.value.keys.state}>
                <span class={pack.in_use ? 'tag good' : 'tag'}>
                  {pack.in_use ? system.inUse : system.notInUse}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** @example duration(7300); // '2 hours' */
function duration(seconds: number): string {
  const { system } = messages.value;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return system.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? system.hours(hours) : system.days(Math.floor(hours / 24));
}
