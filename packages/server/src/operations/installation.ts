import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { maxTemplates } from '@wajah/contract/values';
import {
  type Config,
  describeSettings,
  loadConfig,
  type SettingInForce,
  unknownSettings,
} from '../config/config.ts';
import { textOf, unknownSetting } from '../config/finding.ts';
import { choiceFile, packChoice } from '../config/pack-choice.ts';
import { fallbackText, settingList } from '../config/settings.ts';
import { type Demand, type Sizing, sizeFor } from '../sizing/size.ts';
import {
  argument,
  type CommandDeps,
  command,
  dataHeading,
  flag,
  serverHeading as heading,
  json,
  numberIn,
  option,
  optionOr,
  required,
  wholeNumber,
  yes,
} from './command.ts';
import { printList, snakeCase, table } from './terminal.ts';

/** Model packs. What loads the inference library is imported on use. */
export const modelCommands = [
  command({
    name: 'models',
    heading,
    line: 'install and choose model packs',
    about: 'install and choose model packs: the networks that detect, align and embed faces',
  }),
  command({
    name: 'models list',
    line: 'list the packs, and which one is in use',
    about: 'list the packs, which are installed and which one is in use',
    options: { json },
    action: async (deps, given) => (await import('./models.ts')).list(deps, given),
  }),
  command({
    name: 'models pull',
    line: 'show licence and cost of a pack, then install it',
    about:
      'install a pack: show its licence, training data and cost, download it after a confirmation, resume a partial download, verify the SHA-256 of every file',
    arguments: {
      id: argument('<pack>', 'a name that `models list` shows, or that of a pack of your own'),
    },
    options: {
      from: option(
        '--from <folder>',
        'take the files from a folder, whatever their names, with a pack.json for a pack of your own',
      ),
      print: flag('--print', 'print the address, size and SHA-256 of each file, and install nothing'),
      yes: flag('--yes', 'download without asking'),
    },
    action: async (deps, given) => (await import('./models.ts')).pull(deps, given),
  }),
  command({
    name: 'models verify',
    line: 'compare installed files with their SHA-256',
    about: 'compare the files of the installed packs with their SHA-256',
    arguments: {
      id: argument('[pack]', 'one pack (default: all)', (given: string): string | undefined => given),
    },
    action: async (deps, given) => (await import('./models.ts')).verify(deps, given),
  }),
  command({
    name: 'models use',
    line: 'choose the pack for the next start of the server',
    about: 'choose the pack that the server runs from its next start',
    arguments: { id: argument('<pack>', 'builtin, or the name of an installed pack') },
    action: async (deps, given) => (await import('./models.ts')).use(deps, given),
  }),
] as const;

export const migrate = command({
  name: 'migrate',
  heading: dataHeading,
  line: 'upgrade the schema of the store to this version',
  about: 'upgrade the schema of the store to this version, as the next start would; stop servers first',
  options: {
    dryRun: flag('--dry-run', 'say which migrations would run, on how many rows, and change nothing'),
    json,
  },
  action: async (deps, given) => (await import('./upgrade.ts')).migrate(deps, given),
});

export const rotateMaster = command({
  name: 'keys rotate-master',
  line: 'replace the master key, while no server runs',
  about:
    'seal everything stored under a new master key, while no server runs: all of it or, when it is interrupted, nothing; then the former key opens only backups from before',
  options: {
    newKeyFile: option(
      '--new-key-file <file>',
      'where the key is the setting WAJAH_SECRET_KEY: file of the new one, 64 hexadecimal digits, which is created if it does not exist',
    ),
    yes,
  },
  action: async (deps, given) => (await import('./master-key-rotation.ts')).rotateMaster(deps, given),
});

export const machineCommands = [
  command({
    name: 'size',
    heading,
    line: 'machines for a number of people and calls',
    about: 'machines for a number of people and calls, by what was measured (docs/operations/sizing.md)',
    options: {
      people: required('--people <n>', 'people in all galleries together', wholeNumber(0, 1_000_000_000)),
      pictures: optionOr(
        1,
        '--pictures <n>',
        'pictures that a person is enrolled with, in the mean',
        wholeNumber(1, maxTemplates),
      ),
      callsPerHour: required(
        '--calls-per-hour <n>',
        'calls with a picture, and liveness sessions, of a mean hour',
        wholeNumber(0, 1_000_000_000),
      ),
      liveness: optionOr(
        0,
        '--liveness <share>',
        'share of them that are liveness sessions, 0 to 1',
        numberIn(0, 1),
      ),
      peak: optionOr(
        3,
        '--peak <factor>',
        'calls of the busiest hour over those of a mean one',
        numberIn(1, 100),
      ),
      json,
    },
    action: async ({ terminal }, { json, ...demand }) => {
      const size = sizeFor(demand);
      terminal.out(
        json ? JSON.stringify({ ...snakeCase(demand), ...snakeCase(size) }) : describeSize(demand, size),
      );
    },
  }),
  command({
    name: 'config',
    heading,
    line: 'print every setting in force with its unit and source',
    about: 'print every setting in force with its unit and source; secrets are hidden',
    options: { json },
    after: () =>
      `\nSettings are environment variables, or lines of the file .env (WAJAH_ENV_FILE):\n${settingsHelp()}`,
    action: async (deps, { json }) => {
      for (const found of unknownSettings(deps.env).map(unknownSetting))
        deps.terminal.note(`Warning: ${textOf(found)}`);
      const columns = {
        setting: ({ name }: SettingInForce) => name,
        value: ({ value, unit }: SettingInForce) => [value, unit].filter(Boolean).join(' '),
        from: ({ source }: SettingInForce) => source,
      };
      printList(deps.terminal, await settingsInForce(deps), { json, columns });
    },
  }),
] as const;

/** The answer for people. */
function describeSize(demand: Demand, size: Sizing): string {
  const { servers, cores, workers, memoryGib, matchMemoryMb, diskGb, busyCores, callMs } = size;
  const machines = servers === 1 ? 'one server' : `${servers} servers, each`;
  const [disk, store, second] =
    size.store === 'embedded'
      ? [
          `${diskGb} GB of disk`,
          'the embedded database (WAJAH_DATA_DIR)',
          'a second one of the same size, to survive the loss of a machine, needs PostgreSQL',
        ]
      : [
          '10 GB of disk',
          `PostgreSQL with ${diskGb} GB of disk for one copy, and its standby`,
          'one more of the same size survives the loss of a machine',
        ];
  return [
    `machines  ${machines} with ${cores} cores, ${memoryGib} GiB of memory, ${disk}; ${second}`,
    `settings  WAJAH_ENGINE_WORKERS=${workers} WAJAH_MATCH_MEMORY_MB=${matchMemoryMb}`,
    `store     ${store}`,
    `peak      ${busyCores.toFixed(2)} cores busy: ${Math.round(demand.callsPerHour * demand.peak)} calls an hour of ${callMs.toFixed(0)} ms`,
  ].join('\n');
}

type Found = Record<string, Pick<SettingInForce, 'value' | 'source'>>;

/** The settings, those included that are in files of the data directory or come with the model pack. */
async function settingsInForce({ env }: CommandDeps): Promise<SettingInForce[]> {
  const config = loadConfig(env);
  const found: Found = { ...(await fromFiles(config)), ...(await fromPack(config)) };
  return describeSettings(env).map((setting) =>
    setting.source.startsWith('default') ? { ...setting, ...found[setting.name] } : setting,
  );
}

async function fromFiles({ dataDir, packs }: Config): Promise<Found> {
  const { id: value } = await packChoice(packs);
  const [key, choice] = [join(dataDir, 'secret.key'), choiceFile(packs.folder)];
  return {
    WAJAH_PACK: { value, source: existsSync(choice) ? `file ${choice}` : 'default' },
    ...(existsSync(key) && { WAJAH_SECRET_KEY: { value: '(hidden)', source: `file ${key}` } }),
  };
}

/** Thresholds of the pack that the next start uses, unless it cannot be read. */
async function fromPack(config: Config): Promise<Found> {
  try {
    const { threshold, spoofThreshold } = await (await import('./models.ts')).thresholdsOf(config);
    return {
      WAJAH_THRESHOLD: { value: String(threshold), source: 'model pack' },
      WAJAH_SPOOF_THRESHOLD: { value: String(spoofThreshold), source: 'default' },
    };
  } catch {
    return {};
  }
}

function settingsHelp(): string {
  const rows = settingList.map((setting) => [
    `  ${setting.name}`,
    fallbackText(setting),
    setting.description,
  ]);
  return table(['  name', 'default', ''], rows);
}
