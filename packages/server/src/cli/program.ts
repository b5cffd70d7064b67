import { Command } from 'commander';
import { describeSettings } from '../config/config.ts';
import { fallbackText, settingList } from '../config/settings.ts';
import { OperatorError } from '../errors.ts';
import { version } from '../version.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addClientCommands } from './commands/client.ts';
import { addCropCommands } from './commands/crops.ts';
import { addEvaluationCommands, type EvaluationDeps } from './commands/evaluation.ts';
import { addGalleryCommands } from './commands/gallery.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addModelsCommands } from './commands/models.ts';
import { addSessionCommands } from './commands/sessions.ts';
import { addStorageCommands } from './commands/storage.ts';
import { addTokenCommands } from './commands/token.ts';
import { printList, processTerminal, table } from './terminal.ts';

/** Builds the command line without parsing it; the documentation is generated from it too. */
export function buildProgram(deps: EvaluationDeps): Command {
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
  addKeyCommands(program, deps);
  addModelsCommands(program, deps);
  addCropCommands(program, deps);
  addStorageCommands(program, deps);
  addSessionCommands(program, deps);
  addAuditCommands(program, deps);
  addEvaluationCommands(program, deps);
  program
    .command('config')
    .description('print every setting in force, secrets hidden')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      printList(deps.terminal, await settingsInForce(deps), {
        json,
        columns: { setting: ({ name }) => name, value: ({ value }) => value, from: ({ source }) => source },
      });
    });
  program.addHelpText('after', () => `\nSettings are read from the environment:\n${settingsHelp()}`);
  return program;
}

/** Thresholds are those of the pack that the next start uses, unless it cannot be read. */
async function settingsInForce(deps: EvaluationDeps) {
  const settings = describeSettings(deps.env);
  const pack = await deps
    .models()
    .then((models) => models.thresholds())
    .catch(() => null);
  if (!pack) return settings;
  const values = new Map([
    ['WAJAH_THRESHOLD', pack.threshold],
    ['WAJAH_SPOOF_THRESHOLD', pack.spoofThreshold],
  ]);
  return settings.map((setting) => {
    const value = setting.source === 'default' ? values.get(setting.name) : undefined;
    return value === undefined ? setting : { ...setting, value: String(value), source: 'model pack' };
  });
}

function settingsHelp(): string {
  const rows = settingList.map((setting) => [
    `  ${setting.name}`,
    fallbackText(setting),
    setting.description,
  ]);
  return table(['  name', 'default', ''], rows);
}

/** The help of the program and of every command, at 100 columns, for docs/commands.md. */
export function commandHelp(): { name: string; help: string }[] {
  const unused = () => Promise.reject(new OperatorError('This program only prints help.'));
  const program = buildProgram({
    terminal: processTerminal,
    admin: unused,
    models: unused,
    storage: unused,
    migrator: unused,
    recordings: unused,
    audit: unused,
    doctor: unused,
    evaluation: unused,
    serve: unused,
  });
  return withSubcommands(program, '').map(({ name, command }) => {
    command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false });
    return { name, help: command.helpInformation() };
  });
}

function withSubcommands(command: Command, parent: string): { name: string; command: Command }[] {
  const name = `${parent} ${command.name()}`.trim();
  return [{ name, command }, ...command.commands.flatMap((child) => withSubcommands(child, name))];
}
