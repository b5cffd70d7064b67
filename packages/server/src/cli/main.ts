import { CommanderError } from 'commander';
import { administer } from '../admin/reach.ts';
import { loadConfig } from '../config/config.ts';
import { OperatorError, StoreUnavailable } from '../errors.ts';
import { openCoreServices } from '../server/core-services.ts';
import { createLogger } from '../server/logger.ts';
import type { EvaluationCommands } from './evaluation-commands.ts';
import { buildProgram } from './program.ts';
import { ignoreClosedOutput, processTerminal as terminal } from './terminal.ts';

ignoreClosedOutput();

// Imported on use: most commands need neither the inference library nor a database driver.
const program = buildProgram({
  terminal,
  serve: async () => (await import('./serve-command.ts')).serve(terminal),
  models: async () => (await import('../operator/models.ts')).modelOperations(loadConfig()),
  migrator: async (pack) =>
    (await import('../operator/template-migration.ts')).openTemplateMigrator(loadConfig(), pack),
  storage: async () => (await import('../operator/storage.ts')).storageOperations(loadConfig()),
  doctor: async () => (await import('../doctor/doctor.ts')).runDoctor(),
  evaluation: loadEvaluation,
  admin: async (work) => {
    const config = loadConfig();
    const open = async () => {
      const { admin, close } = await openCoreServices(config, createLogger('silent'));
      return { operations: admin, close };
    };
    return administer(config.database ? null : config.dataDir, open, work);
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

/** Imports the evaluation library by a name that the compiler does not resolve: it depends on the server (ADR 10). */
async function loadEvaluation(): Promise<EvaluationCommands> {
  const library: string = '@wajah/evaluation/commands';
  try {
    return (await import(library)) as EvaluationCommands;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError('This installation comes without the evaluation library.', { cause: error });
  }
}

/** 0 for help, 1 for a refusal (one line has the reason), 2 for an invalid command line. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const expected = error instanceof OperatorError || error instanceof StoreUnavailable;
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  terminal.note(`wajah: ${text}`);
  return 1;
}
