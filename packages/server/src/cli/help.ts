import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

/** The help of the program and of every command, at 100 columns: what the documentation prints. */
export function commandHelp(): { name: string; help: string }[] {
  const idle = () => Promise.reject(new OperatorError('This program only prints help.'));
  const program = buildProgram({
    terminal: processTerminal,
    admin: idle,
    models: idle,
    storage: idle,
    doctor: idle,
    reembedder: idle,
    evaluation: idle,
    serve: idle,
  });
  return withCommands(program, '').map(({ name, command }) => {
    command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false });
    return { name, help: command.helpInformation() };
  });
}

function withCommands(command: Command, parent: string): { name: string; command: Command }[] {
  const name = `${parent} ${command.name()}`.trim();
  return [{ name, command }, ...command.commands.flatMap((child) => withCommands(child, name))];
}
