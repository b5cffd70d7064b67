import type { ComponentChildren } from 'preact';
import type { SystemStatus } from '../../api/types.ts';
import { showBytes, showNumber, showTime, words } from '../../i18n/words.ts';
import { Icon } from '../../ui/icon.tsx';
import { Share } from '../../ui/share.tsx';
import { Fact } from '../galleries/galleries-page.tsx';

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
  const { system } = words.value;
  return (
    <Card title={system.health}>
      <p>
        <span class="tag good">
          <Icon name="good" />
          {system.ready}
        </span>
      </p>
      <dl class="facts">
        <Fact name={system.version} value={status.version} />
        <Fact name={system.node} value={status.node} />
        <Fact
          name={system.uptime}
          value={duration(status.uptime_seconds)}
          note={system.since(showTime(status.started_at))}
        />
        <Fact name={system.clients} value={showNumber(status.clients)} />
      </dl>
    </Card>
  );
}

export function EngineCard({ status: { engine } }: Props) {
  const { system } = words.value;
  return (
    <Card title={system.engine}>
      <Share name={system.running} used={engine.running} all={engine.workers} />
      <Share name={system.queued} used={engine.queued} all={engine.queue} />
      <dl class="facts">
        <Fact name={system.workers} value={showNumber(engine.workers)} />
        <Fact name={system.busy} value={showNumber(engine.busy)} />
      </dl>
    </Card>
  );
}

export function MemoryCard({ status: { memory } }: Props) {
  const { system } = words.value;
  return (
    <Card title={system.memory}>
      <Share
        name={system.match}
        used={memory.match_used}
        all={memory.match_budget}
        text={system.ofBudget(showBytes(memory.match_used), showBytes(memory.match_budget))}
      />
      <dl class="facts">
        <Fact name={system.rss} value={showBytes(memory.rss)} />
        <Fact name={system.heap} value={showBytes(memory.heap_used)} />
        <Fact name={system.loadedGalleries} value={showNumber(memory.galleries_loaded)} />
      </dl>
    </Card>
  );
}

export function StoreCard({ status: { store } }: Props) {
  const { system } = words.value;
  return (
    <Card title={system.store}>
      <dl class="facts">
        <Fact name={system.kind} value={store.kind} />
        {store.bytes !== undefined && <Fact name={system.size} value={showBytes(store.bytes)} />}
        <Fact name={system.migration} value={String(store.migration)} />
      </dl>
    </Card>
  );
}

export function PacksCard({ status: { packs } }: Props) {
  const { system } = words.value;
  return (
    <Card title={system.packs} wide>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{system.pack}</th>
            <th scope="col">{system.version}</th>
            <th scope="col">{system.roles}</th>
            <th scope="col">{system.licence}</th>
            <th scope="col">{words.value.keys.state}</th>
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <tr key={`${pack.id} ${pack.version}`}>
              <th scope="row">{pack.id}</th>
              <td data-label={system.version}>{pack.version}</td>
              <td data-label={system.roles}>{pack.roles.join(', ')}</td>
              <td data-label={system.licence}>{pack.licence}</td>
              <td data-label={words.value.keys.state}>
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

export function SettingsCard({ status: { settings } }: Props) {
  const { system, common } = words.value;
  const shown = (name: string, value: string | number | boolean | null) => {
    if (value === null) return common.none;
    if (name.endsWith('_bytes')) return showBytes(Number(value));
    if (Number.isInteger(value)) return showNumber(Number(value));
    if (typeof value === 'boolean') return value ? common.yes : common.no;
    return String(value);
  };
  return (
    <Card title={system.settings} wide>
      <dl class="facts">
        {Object.entries(settings).map(([name, value]) => (
          <Fact key={name} name={name} value={shown(name, value)} />
        ))}
      </dl>
    </Card>
  );
}

/** In the largest unit that fits. @example duration(7300); // '2 hours' */
function duration(seconds: number): string {
  const { system } = words.value;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return system.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? system.hours(hours) : system.days(Math.floor(hours / 24));
}
