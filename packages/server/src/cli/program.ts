import { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { version } from '../version.ts';
import { groupCommands } from './command-groups.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addClientCommands } from './commands/client.ts';
import { addCropCommands } from './commands/crops.ts';
import { addBackupCommands } from './commands/data/backup.ts';
import { addExportCommand } from './commands/data/export.ts';
import { addImportCommands } from './commands/data/import.ts';
import { addEvaluationCommands, type EvaluationDeps } from './commands/evaluation.ts';
import { addGalleryCommands } from './commands/gallery.ts';
import { addDoctorCommand } from './commands/installation/doctor.ts';
import { addMigrateCommand } from './commands/installation/migrate.ts';
import { addSizeCommand } from './commands/installation/size.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addModelsCommands } from './commands/models.ts';
import { addPersonCommands } from './commands/people/person.ts';
import { addProcessingCommand } from './commands/people/processing.ts';
import { addSessionCommands } from './commands/sessions.ts';
import { addStorageCommands } from './commands/storage.ts';
import { addTokenCommands } from './commands/token.ts';
import { addWebhookCommands } from './commands/webhooks/webhook.ts';
import { addConfigCommand } from './settings-in-force.ts';
import { processTerminal } from './terminal.ts';

/** Builds the command line without parsing it; the documentation is generated from it too. */
export function buildProgram(deps: EvaluationDeps): Command {
  const program = new Command('wajah')
    // Options after a command are its own, also those that a command above it has as well.
    .enablePositionalOptions()
    .description('Face recognition and liveness over HTTP.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError('(--help says more)');
  program
    .command('serve')
    .description('start the server; Ctrl-C drains and stops it')
    .action(() => deps.serve());
  addClientCommands(program, deps);
  addGalleryCommands(program, deps);
  addPersonCommands(program, deps);
  addTokenCommands(program, deps);
  addWebhookCommands(program, deps);
  addKeyCommands(program, deps);
  addModelsCommands(program, deps);
  addCropCommands(program, deps);
  addImportCommands(program, deps);
  addExportCommand(program, deps);
  addMigrateCommand(program, deps);
  addBackupCommands(program, deps);
  addStorageCommands(program, deps);
  addDoctorCommand(program, deps);
  addSizeCommand(program, deps);
  addSessionCommands(program, deps);
  addAuditCommands(program, deps);
  addProcessingCommand(program, deps);
  addEvaluationCommands(program, deps);
  addConfigCommand(program, deps);
  groupCommands(program);
  program.addHelpText(
    'after',
    '\nDetails of a command: wajah <command> --help. All settings: wajah config --help.',
  );
  return program;
}

/** The help of the program and of every command, at 100 columns, for docs/commands.md. */
export function commandHelp(): { name: string; help: string }[] {
  const unused = () => Promise.reject(new OperatorError('This program only prints help.'));
  const program = buildProgram({
    terminal: processTerminal,
    admin: unused,
    models: unused,
    storage: unused,
    backups: unused,
    exports: unused,
    imports: unused,
    upgrades: unused,
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
