import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { inOwnWords } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { type CommandDeps, command, type Parameter, type Command as Row } from '../operations/command.ts';
import { commands } from '../operations/table.ts';
import { processTerminal } from '../operations/terminal.ts';
import { version } from '../version.ts';

const serve = command({
  name: 'serve',
  heading: 'The server:',
  about: 'start the server; Ctrl-C drains and stops it',
  action: async ({ terminal, env }) => (await import('./serve.ts')).serve(terminal, env),
});

/** Builds the command line without parsing it; the documentation is generated from it too. */
export function buildProgram(deps: CommandDeps): Command {
  const program = new Command('wajah')
    // Options after a command are its own, also those that a command above it has as well.
    .enablePositionalOptions()
    .description('Face recognition and liveness over HTTP.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError('(--help says more; several values of an option are separated by commas)');
  for (const row of [serve, ...commands]) add(program, row, deps);
  program.addHelpText(
    'after',
    inOwnWords('\nDetails of a command: wajah <command> --help. All settings: wajah config --help.'),
  );
  return program;
}

function add(program: Command, row: Row, deps: CommandDeps): void {
  const words = row.name.split(' ');
  const parent = words.length === 1 ? program : program.commands.find((one) => one.name() === words[0])!;
  const made = parent.command(words.at(-1)!).helpCommand(false).enablePositionalOptions();
  made.description(row.about);
  if (row.line !== undefined) made.summary(row.line);
  if (row.heading !== undefined) made.helpGroup(row.heading);
  const names = Object.keys(row.arguments ?? {});
  for (const { flags, about, parse } of Object.values(row.arguments ?? {})) {
    const argument = new Argument(flags, about);
    made.addArgument(parse ? argument.argParser(parser(parse)) : argument);
  }
  const options = Object.entries(row.options ?? {}).map(([name, one]) => [name, optionOf(one)] as const);
  for (const [, option] of options) made.addOption(option);
  if (row.after) made.addHelpText('after', row.after);
  const { action } = row;
  if (!action) return;
  made.action((...received: unknown[]) => {
    const values = made.opts();
    const given = Object.fromEntries([
      ...names.map((name, place) => [name, received[place]]),
      ...options.map(([name, option]) => {
        const value = values[option.attributeName()];
        return [name, value ?? (option.isBoolean() ? false : undefined)];
      }),
    ]);
    return action(deps, given as never);
  });
}

function optionOf({ flags, about, parse, fallback, isRequired = false, conflicts }: Parameter<unknown>) {
  const option = new Option(flags, about).makeOptionMandatory(isRequired);
  if (fallback !== undefined) option.default(fallback);
  if (parse) option.argParser(parser(parse));
  if (conflicts !== undefined) option.conflicts(conflicts);
  return option;
}

/** What a parser does not allow is an error of the command line. */
const parser =
  (parse: (given: string) => unknown) =>
  (given: string): unknown => {
    try {
      return parse(given);
    } catch (error) {
      throw error instanceof OperatorError ? new InvalidArgumentError(error.message) : error;
    }
  };

/** The help of the program and of every command, at 100 columns, for the page of commands. */
export function commandHelp(): { name: string; help: string }[] {
  const unused = () => Promise.reject(new OperatorError('This program only prints help.'));
  const program = buildProgram({ terminal: processTerminal, callAsOperator: unused, library: unused });
  return withSubcommands(program, '').map(({ name, command }) => {
    command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false });
    return { name, help: command.helpInformation() };
  });
}

function withSubcommands(command: Command, parent: string): { name: string; command: Command }[] {
  const name = `${parent} ${command.name()}`.trim();
  return [{ name, command }, ...command.commands.flatMap((child) => withSubcommands(child, name))];
}
