import { CommanderError } from 'commander';
import { administer, locally } from '../admin/reach.ts';
import { loadConfig } from '../config/config.ts';
import { OperatorError, StoreUnavailable } from '../errors.ts';
import { openCoreServices } from '../server/core-services.ts';
import { createLogger } from '../server/logger.ts';
import type { EvaluationCommands } from './evaluation-commands.ts';
import { buildProgram } from './program.ts';
import { outliveReaders, processTerminal as terminal } from './terminal.ts';

outliveReaders();

const program = buildProgram({
  terminal,
  // Loaded when it is meant: the other commands need no inference library.
  serve: async () => (await import('./serve-command.ts')).serve(terminal),
  models: async () => (await import('../operator/models.ts')).modelOperations(loadConfig()),
  reembedder: async (pack) =>
    (await import('../operator/template-migration.ts')).openReembedder(loadConfig(), pack),
  storage: async () => (await import('../operator/storage.ts')).storageOperations(loadConfig()),
  doctor: async () => (await import('../doctor/examine.ts')).examine(),
  evaluation: loadEvaluation,
  admin: async (work) => {
    const config = loadConfig();
    const openHere = async () => {
      const { admin, close } = await openCoreServices(config, createLogger('silent'));
      return { operations: admin, close };
    };
    // A database of its own is everybody's: no process owns it.
    if (config.database) return locally(openHere, work);
    return administer(config.dataDir, openHere, work);
  },
});
for (const command of [program, ...program.commands, ...program.commands.flatMap((it) => it.commands)]) {
  command.exitOverride();
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Found when it is meant, and not known to the compiler: evaluation stands on the server (ADR 10). */
async function loadEvaluation(): Promise<EvaluationCommands> {
  const library: string = '@wajah/evaluation/commands';
  try {
    return (await import(library)) as EvaluationCommands;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError('This installation comes without the evaluation library.', { cause: error });
  }
}

/** 0 for help, 1 for what cannot be done (one line), 2 for a command line that is not understood. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OperatorError || error instanceof StoreUnavailable)
    terminal.note(`wajah: ${error.message}`);
  else terminal.note(`wajah: ${error instanceof Error ? error.stack : String(error)}`);
  return 1;
}
