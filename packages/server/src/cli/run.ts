import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { type Environment, inOwnWords, loadConfig } from '../config/config.ts';
import { textOf } from '../config/finding.ts';
import { importOptional, OperatorError, StoreUnavailable } from '../errors.ts';
import type { CommandDeps, Library } from '../operations/command.ts';
import type { Terminal } from '../operations/terminal.ts';
import { buildProgram } from './program.ts';

/**
 * Runs one command of the program.
 * @param args the arguments after the name of the program
 * @param env by default the environment of the process
 * @returns the exit code: 0, 1 for a refusal (one line says why), 2 for a command line that is not understood
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  env?: Environment,
): Promise<number> {
  const own = { ...terminal, note: (text: string) => terminal.note(inOwnWords(text)) };
  const program = buildProgram(commandDeps(own, env));
  for (const command of [program, ...program.commands, ...program.commands.flatMap((it) => it.commands)]) {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => own.note(text.replace(/\n$/, '')),
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const expected =
      error instanceof OperatorError || error instanceof StoreUnavailable || isOfFileSystem(error);
    const faults = expected && !hasNoWorker(error) ? [] : await faultsOfMachine();
    for (const fault of faults) own.note(`wajah: ${fault}`);
    if (faults.length > 0) return 1;
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') {
      own.note(`wajah: ${(error as Error).message}; install the program again (in a checkout: npm ci)`);
      return 1;
    }
    const text = expected ? (error as Error).message : inspect(error);
    own.note(`wajah: ${text}${expected ? remedyFor(error) : ''}`);
    return 1;
  }
}

/** What the system says of a file, with its path: rights, a full disk, a missing folder. */
function isOfFileSystem(error: unknown): boolean {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall !== undefined && path !== undefined;
}

/** Whether the start failed since a worker ended. */
const hasNoWorker = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'crashed';

/** Parts of the program that cannot be loaded: this says more than where one was missed. */
async function faultsOfMachine(): Promise<string[]> {
  const { checkNativeParts } = await import('./native-parts.ts');
  return (await checkNativeParts()).map((found) => `${found.id}: ${textOf(found)}`);
}

function remedyFor(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'EACCES') return '; run as its owner, or chown it';
  return hasNoWorker(error) ? ' `wajah doctor` looks for the reason.' : '';
}

/** Modules are imported on use: most commands need neither the inference library nor a database driver. */
function commandDeps(terminal: Terminal, env: Environment | undefined): CommandDeps {
  return {
    terminal,
    env,
    library: (name) => importOptional(...libraries[name]),
    callAsOperator: async (work) => {
      const { callAsOperator } = await import('../operations/operator-calls.ts');
      return callAsOperator(loadConfig(env), work);
    },
  };
}

const libraries: Readonly<Record<Library, readonly [name: string, missing: string]>> = {
  tools: [
    '@wajah/tools',
    'This command needs the package @wajah/tools, which is not installed: npm install @wajah/tools',
  ],
  evaluation: ['@wajah/lab/commands', 'This installation comes without the evaluation library.'],
};
