import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, describeSettings, loadConfig, type SettingInForce } from '../config/config.ts';
import { choiceFile, packChoice } from '../config/pack-choice.ts';
import { fallbackText, settingList } from '../config/settings.ts';
import type { CommandDeps } from './command.ts';
import { printList, table } from './terminal.ts';

/** Adds `config`. */
export function addConfigCommand(program: Command, deps: CommandDeps): void {
  program
    .command('config')
    .description('print every setting in force with its unit and source; secrets are hidden')
    .option('--json', 'print JSON')
    .addHelpText('after', () => `\nSettings are environment variables:\n${settingsHelp()}`)
    .action(async ({ json }: { json?: boolean }) => {
      const settings = await settingsInForce(deps);
      const columns = {
        setting: ({ name }: SettingInForce) => name,
        value: ({ value, unit }: SettingInForce) => [value, unit].filter(Boolean).join(' '),
        from: ({ source }: SettingInForce) => source,
      };
      printList(deps.terminal, settings, { json, columns });
    });
}

/** The settings, those included that are in files of the data directory or come with the model pack. */
async function settingsInForce(deps: CommandDeps): Promise<SettingInForce[]> {
  const config = loadConfig(deps.env);
  const found = new Map([...(await fromFiles(config)), ...(await fromPack(deps))]);
  return describeSettings(deps.env).map((setting) =>
    setting.source === 'environment' ? setting : { ...setting, ...found.get(setting.name) },
  );
}

type Found = Pick<SettingInForce, 'value' | 'source'>;

async function fromFiles({ dataDir, packs }: Config): Promise<[string, Found][]> {
  const { id } = await packChoice(packs);
  const files = [
    ['WAJAH_SECRET_KEY', '(hidden)', join(dataDir, 'secret.key')],
    ['WAJAH_SECRET_KEY_FORMER', '(hidden)', join(dataDir, 'secret.key.former')],
    ['WAJAH_PACK', id, choiceFile(packs.folder)],
  ] as const;
  const present = files.filter(([, , file]) => existsSync(file));
  return [
    ['WAJAH_PACK', { value: id, source: 'default' }],
    ['WAJAH_PACKS_DIR', { value: packs.folder, source: 'default: `packs` in the data directory' }],
    ...present.map(([name, value, file]): [string, Found] => [name, { value, source: `file ${file}` }]),
  ];
}

/** Thresholds of the pack that the next start uses, unless it cannot be read. */
async function fromPack(deps: CommandDeps): Promise<[string, Found][]> {
  const pack = await deps
    .models()
    .then((models) => models.thresholds())
    .catch(() => null);
  if (!pack) return [];
  return [
    ['WAJAH_THRESHOLD', { value: String(pack.threshold), source: 'model pack' }],
    ['WAJAH_SPOOF_THRESHOLD', { value: String(pack.spoofThreshold), source: 'model pack' }],
  ];
}

function settingsHelp(): string {
  const rows = settingList.map((setting) => [
    `  ${setting.name}`,
    fallbackText(setting),
    setting.description,
  ]);
  return table(['  name', 'default', ''], rows);
}
