import type { SystemStatus } from '../../api/types.ts';
import { formatBytes, locale } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { unitName } from '../../i18n/server/units.ts';

type Setting = SystemStatus['configuration'][number];

/** What was changed, and all settings by group. */
export function SettingsCard({ status: { configuration, settings } }: { status: SystemStatus }) {
  const { system } = messages.value;
  // The model pack decides where the operator did not.
  const effective: Readonly<Record<string, Setting['value'] | undefined>> = {
    WAJAH_THRESHOLD: settings['threshold'],
    WAJAH_SPOOF_THRESHOLD: settings['spoof_threshold'],
  };
  const all = configuration.map((one) => ({ ...one, value: one.value ?? effective[one.name] ?? null }));
  const changed = all.filter((one) => one.changed);
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <section class="card span" aria-labelledby="settings">
      <div class="stack tight">
        <h2 id="settings">{system.settings}</h2>
        <p class="hint">{changed.length === 0 ? system.nothingChanged : system.changed(changed.length)}</p>
      </div>
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
            <a class="up" href="/docs/guide">
              {system.aboutSettings}
            </a>
          </p>
        </div>
      </details>
    </section>
  );
}

function SettingTable({ settings, label }: { settings: readonly Setting[]; label: string }) {
  const { system } = messages.value;
  return (
    <table class="stacked" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{system.setting}</th>
          <th scope="col">{system.value}</th>
          <th scope="col">{system.byDefault}</th>
        </tr>
      </thead>
      <tbody>
        {settings.map((setting) => (
          <tr key={setting.name}>
            <th scope="row" class="mono">
              {setting.name}
            </th>
            <td class="numbers" data-label={system.value}>
              {setting.changed ? (
                <strong>{shown(setting.value, setting)}</strong>
              ) : (
                shown(setting.value, setting)
              )}
            </td>
            <td class="numbers muted" data-label={system.byDefault}>
              {shown(setting.default, setting)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(value: Setting['value'], { name, unit }: Setting): string {
  const { system, common } = messages.value;
  if (value === null) return name.endsWith('_THRESHOLD') ? system.ofPack : common.none;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (typeof value === 'string') return value;
  if (value === -1) return messages.value.activity.unlimited;
  if (unit === 'bytes') return formatBytes(value);
  const number = value.toLocaleString(locale(), { maximumFractionDigits: 6, useGrouping: 'min2' });
  return unit === undefined ? number : `${number} ${unitName(unit)}`;
}
