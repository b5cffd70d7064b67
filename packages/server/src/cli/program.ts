import { Command } from 'commander';
import type { AdminOperations } from '../admin/operations.ts';
import { describeSettings } from '../config/config.ts';
import { fallbackText, settingList } from '../config/settings.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import type { ModelOperations } from '../operator/models.ts';
import type { StorageOperations } from '../operator/storage.ts';
import type { Reembedder } from '../operator/template-migration.ts';
import { version } from '../version.ts';
import { addClientCommands } from './client-commands.ts';
import { addCropCommands } from './crop-commands.ts';
import { addEvaluationCommands, type EvaluationCommands } from './evaluation-commands.ts';
import { addGalleryCommands } from './gallery-commands.ts';
import { addModelsCommands } from './models-commands.ts';
import { addStorageCommands } from './storage-commands.ts';
import { type Terminal, table } from './terminal.ts';
import { addTokenCommands } from './token-commands.ts';

/** What the commands work with. */
export interface CommandDeps {
  readonly terminal: Terminal;
  /** Runs an operator's work where the data directory is owned: in the running server, or here. */
  admin<T>(work: (operations: AdminOperations) => Promise<T>): Promise<T>;
  /** Opened when it is meant: it loads the inference library. */
  models(): Promise<ModelOperations>;
  /** Opened when it is meant: it loads the database drivers. */
  storage(): Promise<StorageOperations>;
  /** Loads a pack to make templates with. */
  reembedder(pack: string): Promise<Reembedder>;
  /** Looks for what would keep a server from running well. */
  doctor(): Promise<DoctorFinding[]>;
  /** Loads the evaluation library. */
  evaluation(): Promise<EvaluationCommands>;
  /** Serves until stopped. */
  serve(): Promise<void>;
}

/** The command line, not yet parsed. It performs nothing by itself: the documentation is made from it too. */
export function buildProgram(deps: CommandDeps): Command {
  const program = new Command('wajah')
    .description('Face recognition and liveness over HTTP.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showHelpAfterError('(--help says more)');
  program
    .command('serve')
    .description('start the server; Ctrl-C drains and stops it')
    .action(() => deps.serve());
  addClientCommands(program, deps);
  addGalleryCommands(program, deps);
  addTokenCommands(program, deps);
  addModelsCommands(program, deps);
  addCropCommands(program, deps);
  addStorageCommands(program, deps);
  addEvaluationCommands(program, deps);
  program
    .command('config')
    .description('print every setting as it is in force, secrets hidden')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => printSettings(deps.terminal, options.json ?? false));
  program.addHelpText('after', () => `\nSettings are read from the environment:\n${settingsHelp()}`);
  return program;
}

function printSettings(terminal: Terminal, json: boolean): void {
  const described = describeSettings();
  if (json) terminal.out(JSON.stringify(described));
  else {
    const rows = described.map(({ name, value, source }) => [name, value, source]);
    terminal.out(table(['setting', 'value', 'from'], rows));
  }
}

function settingsHelp(): string {
  const rows = settingList.map((setting) => [`  ${setting.name}`, fallbackText(setting), setting.about]);
  return table(['  name', 'default', ''], rows);
}
