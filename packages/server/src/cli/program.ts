import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import type { CommandDeps, Parameter, Command as Row } from '../operations/command.ts';
import { commands } from '../operations/table.ts';
import { processTerminal } from '../operations/terminal.ts';
import { version } from '../version.ts';

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
    .showHelpAfterError('(--help says more)');
  for (const row of commands) add(program, row, deps);
  program.addHelpText(
    'after',
    '\nDetails of a command: wajah <command> --help. All settings: wajah config --help.',
  );
  return program;
}

function add(program: Command, row: Row, deps: CommandDeps): void {
  const words = row.name.split(' ');
  const parent = words.length === 1 ? program : program.commands.find((one) => one.name() === words[0])!;
  const command = parent.command(words.at(-1)!).helpCommand(false).enablePositionalOptions();
  command.description(row.about);
  if (row.line !== undefined) command.summary(row.line);
  if (row.heading !== undefined) command.helpGroup(row.heading);
  for (const one of Object.values(row.arguments)) command.addArgument(argumentOf(one));
  const options = Object.entries(row.options).map(([name, one]) => [name, optionOf(one)] as const);
  for (const [, option] of options) command.addOption(option);
  if (row.after) command.addHelpText('after', row.after);
  const { action } = row;
  if (!action) return;
  command.action((...received: unknown[]) => {
    const names = Object.keys(row.arguments);
    const values = command.opts();
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

function argumentOf({ flags, about, parse }: Parameter<unknown>): Argument {
  const argument = new Argument(flags, about);
  return parse ? argument.argParser(parser(parse)) : argument;
}

function optionOf(parameter: Parameter<unknown>): Option {
  const { flags, about, parse, fallback, isRequired = false, choices, conflicts } = parameter;
  const option = new Option(flags, about).makeOptionMandatory(isRequired);
  if (fallback !== undefined) option.default(fallback);
  if (parse) option.argParser(parser(parse));
  if (choices) option.choices(choices);
  if (conflicts !== undefined) option.conflicts(conflicts);
  return option;
}

/** What a parser does not allow is an error of the command line. */
function parser<T>(parse: (given: string) => T): (given: string) => T {
  return (given) => {
    try {
      return parse(given);
    } catch (error) {
      throw error instanceof OperatorError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** The help of the program and of every command, at 100 columns, for the page of commands. */
export function commandHelp(): { name: string; help: string }[] {
  const unused = () => Promise.reject(new OperatorError('This program only prints help.'));
  const program = buildProgram({
    terminal: processTerminal,
    callAsOperator: unused,
    models: unused,
    upgrades: unused,
    audit: unused,
    doctor: unused,
    serve: unused,
    library: unused,
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
