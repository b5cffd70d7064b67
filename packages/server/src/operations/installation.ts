import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { maxTemplates } from '@wajah/contract/values';
import { type Config, describeSettings, loadConfig, type SettingInForce } from '../config/config.ts';
import { choiceFile, packChoice } from '../config/pack-choice.ts';
import { fallbackText, settingList } from '../config/settings.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import { OperatorError } from '../errors.ts';
import { secondEmbedder, secondEmbedderAdvice } from '../sizing/measured.ts';
import { type Demand, type Sizing, sizeFor } from '../sizing/size.ts';
import type { MigrationPlan } from '../store/database/upgrade.ts';
import {
  argument,
  type CommandDeps,
  command,
  flag,
  json,
  numberIn,
  option,
  required,
  wholeNumber,
} from './command.ts';
import type { PackSummary } from './models.ts';
import { type Columns, megabytes, printList, showProgress, snakeCase, table } from './terminal.ts';

const server = 'The server:';

export const serveCommands = [
  command({
    name: 'serve',
    heading: server,
    about: 'start the server; Ctrl-C drains and stops it',
    action: ({ serve }) => serve(),
  }),
] as const;

const packColumns: Columns<PackSummary> = {
  pack: ({ id }) => id,
  version: ({ version }) => version,
  state: ({ in_use, state }) => (in_use ? 'in use' : state),
  for: ({ purpose }) => purpose,
  size: ({ bytes }) => (bytes === 0 ? '' : megabytes(bytes)),
  licence: ({ licences, commercial }) =>
    licences.join(', ') + (commercial ? '' : ' (not for commercial use)'),
  '': ({ about }) => about,
};

/** What an operator should know before an installation. */
function factsOf({ id, version, about, licences, commercial, ...pack }: PackSummary): string {
  const facts = [
    ['licence', `${licences.join(', ')}${commercial ? '' : ' (not for commercial use)'}`],
    ['training data', pack.training_data],
    ['download', megabytes(pack.bytes)],
    [
      'template',
      pack.purpose === 'recognition'
        ? (pack.cost && `${pack.cost.relative} × the time of the built-in pack (${pack.cost.basis})`) ||
          'not measured'
        : `none: it is used for ${pack.purpose}, beside any pack`,
    ],
  ];
  return [`${id} ${version}: ${about}`, ...facts.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
}

/** Model packs. */
export const modelCommands = [
  command({
    name: 'models',
    heading: server,
    line: 'install and choose model packs',
    about: 'install and choose model packs: the networks that detect, align and embed faces',
  }),
  command({
    name: 'models list',
    line: 'list the packs, and which one is in use',
    about: 'list the packs, which are installed and which one is in use',
    options: { json },
    action: async ({ models, terminal }, { json }) =>
      printList(terminal, await (await models()).list(), { json, columns: packColumns }),
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
      yes: flag('--yes', 'download without asking'),
    },
    action: async ({ models, terminal }, { id, from, yes }) => {
      const operations = await models();
      terminal.note(factsOf(await operations.describe(id, from)));
      if (from === undefined && !yes && !(await terminal.confirm('Download it?'))) {
        throw new OperatorError(
          `Nothing was downloaded: confirm on a terminal, or run wajah models pull ${id} --yes.`,
        );
      }
      const progress = showProgress(id, terminal);
      const pulled = await operations.pull(id, from, progress.update).finally(progress.end);
      terminal.out(`Installed ${id} ${pulled.version} (${pulled.licences.join(', ')}).`);
      if (pulled.note !== null) terminal.note(pulled.note);
    },
  }),
  command({
    name: 'models verify',
    line: 'compare installed files with their SHA-256',
    about: 'compare the files of the installed packs with their SHA-256',
    arguments: { id: { flags: '[pack]', about: 'one pack (default: all)' } },
    action: async ({ models, terminal }, { id }) => {
      for (const line of await (await models()).verify(id as string | undefined)) terminal.out(line);
    },
  }),
  command({
    name: 'models use',
    line: 'choose the pack for the next start of the server',
    about: 'choose the pack that the server runs from its next start',
    arguments: { id: argument('<pack>', 'builtin, or the name of an installed pack') },
    action: async ({ models, terminal }, { id }) => {
      for (const line of await (await models()).use(id)) terminal.note(line);
      terminal.out(`The server runs ${id} from its next start.`);
    },
  }),
] as const;

export const migrateCommands = [
  command({
    name: 'migrate',
    heading: 'Stored data:',
    line: 'upgrade the schema of the store to this version',
    about: 'upgrade the schema of the store to this version, as the next start would; stop servers first',
    options: {
      dryRun: flag('--dry-run', 'say which migrations would run, on how many rows, and change nothing'),
      json,
    },
    action: async ({ upgrades, terminal }, { dryRun, json }) => {
      const operations = await upgrades();
      const plan = await operations.plan();
      if (!dryRun && plan.migrations.length > 0) await operations.run();
      terminal.out(json ? JSON.stringify({ ...snakeCase(plan), dry_run: dryRun }) : planText(plan, dryRun));
    },
  }),
] as const;

function planText(
  { store, schema, newestSchema, migrations, seconds }: MigrationPlan,
  dryRun: boolean,
): string {
  const name = { sqlite: 'embedded database', postgres: 'PostgreSQL' }[store];
  if (migrations.length === 0) return `The store (${name}) has schema ${schema}, the newest: nothing to do.`;
  const rows = migrations.map((step) => [
    String(step.number),
    step.name,
    String(step.rows),
    step.tables.join(', ') || '–',
  ]);
  const list = table(['schema', 'migration', 'rows', 'in tables'], rows);
  const range = `from schema ${schema} to ${newestSchema}`;
  if (!dryRun) return `${list}\nThe store (${name}) was upgraded ${range}.`;
  const time = `about ${seconds} s`;
  return `${list}\nThe next start, or \`wajah migrate\`, would upgrade the store (${name}) ${range}, in ${time}. Back it up first.`;
}

const findingColumns: Columns<DoctorFinding> = {
  '': ({ state }) => ({ good: 'ok', doubtful: 'look', bad: 'BAD' })[state],
  what: ({ what }) => what,
  found: ({ found }) => found,
};

export const machineCommands = [
  command({
    name: 'doctor',
    heading: server,
    line: 'check settings, versions, keys, clocks and disks',
    about:
      'check the installation, settings, port, store, keys, clocks and disks; exits with 1 if something must be repaired',
    options: { json },
    action: async ({ doctor, terminal }, { json }) => {
      const findings = await doctor();
      printList(terminal, findings, { json, columns: findingColumns });
      const wrong = findings.filter(({ state }) => state === 'bad').length;
      if (wrong > 0) throw new OperatorError(`doctor: ${wrong} of ${findings.length} must be repaired`);
    },
  }),
  command({
    name: 'size',
    heading: server,
    line: 'machines for a number of people and calls',
    about: 'machines for a number of people and calls, by what was measured (docs/operations/sizing.md)',
    options: {
      people: required('--people <n>', 'people in all galleries together', wholeNumber(0, 1_000_000_000)),
      pictures: option(
        '--pictures <n>',
        'pictures that a person is enrolled with, in the mean',
        wholeNumber(1, maxTemplates),
        1,
      ),
      callsPerHour: required(
        '--calls-per-hour <n>',
        'calls with a picture, and liveness sessions, of a mean hour',
        wholeNumber(0, 1_000_000_000),
      ),
      liveness: option(
        '--liveness <share>',
        'share of them that are liveness sessions, 0 to 1',
        numberIn(0, 1),
        0,
      ),
      peak: option(
        '--peak <factor>',
        'calls of the busiest hour over those of a mean one',
        numberIn(1, 100),
        3,
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
] as const;

/** The answer for people. */
function describeSize(demand: Demand, size: Sizing): string {
  const { servers, cores, workers, memoryGib, matchMemoryMb, diskGb, busyCores, callMs } = size;
  const embedded = size.store === 'embedded';
  const machines = servers === 1 ? 'one server' : `${servers} servers, each`;
  const disk = embedded ? `${diskGb} GB of disk` : '10 GB of disk';
  const store = embedded
    ? 'the embedded database (WAJAH_DATA_DIR)'
    : `PostgreSQL with ${diskGb} GB of disk for one copy, and its standby`;
  const second = embedded
    ? 'a second one of the same size, to survive the loss of a machine, needs PostgreSQL'
    : 'one more of the same size survives the loss of a machine';
  return [
    `machines  ${machines} with ${cores} cores, ${memoryGib} GiB of memory, ${disk}; ${second}`,
    `settings  WAJAH_ENGINE_WORKERS=${workers} WAJAH_MATCH_MEMORY_MB=${matchMemoryMb}`,
    `store     ${store}`,
    ...(demand.people < secondEmbedder.people ? [] : [`pack      ${secondEmbedderAdvice}`]),
    `peak      ${busyCores.toFixed(2)} cores busy: ${Math.round(demand.callsPerHour * demand.peak)} calls an hour of ${callMs.toFixed(0)} ms`,
  ].join('\n');
}

export const configCommands = [
  command({
    name: 'config',
    heading: server,
    line: 'print every setting in force with its unit and source',
    about: 'print every setting in force with its unit and source; secrets are hidden',
    options: { json },
    after: () => `\nSettings are environment variables:\n${settingsHelp()}`,
    action: async (deps, { json }) => {
      const settings = await settingsInForce(deps);
      const columns = {
        setting: ({ name }: SettingInForce) => name,
        value: ({ value, unit }: SettingInForce) => [value, unit].filter(Boolean).join(' '),
        from: ({ source }: SettingInForce) => source,
      };
      printList(deps.terminal, settings, { json, columns });
    },
  }),
] as const;

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
    ['WAJAH_PACK', id, choiceFile(packs.folder)],
  ] as const;
  const present = files.filter(([, , file]) => existsSync(file));
  return [
    ['WAJAH_PACK', { value: id, source: 'default' }],
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
    ['WAJAH_SPOOF_THRESHOLD', { value: String(pack.spoofThreshold), source: 'default' }],
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
