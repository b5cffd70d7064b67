import { CommanderError } from 'commander';
import { type Environment, loadConfig } from '../config/config.ts';
import { OperatorError, StoreUnavailable } from '../errors.ts';
import { version } from '../version.ts';
import type { EvaluationCommands, EvaluationDeps } from './commands/evaluation.ts';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

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
  const program = buildProgram(commandDeps(terminal, env));
  for (const command of [program, ...program.commands, ...program.commands.flatMap((it) => it.commands)]) {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const expected = error instanceof OperatorError || error instanceof StoreUnavailable;
    const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
    terminal.note(`wajah: ${text}`);
    return 1;
  }
}

/** Modules are imported on use: most commands need neither the inference library nor a database driver. */
function commandDeps(terminal: Terminal, env: Environment | undefined): EvaluationDeps {
  return {
    terminal,
    env,
    serve: async () => (await import('./commands/serve.ts')).serve(terminal, env),
    models: async () => (await import('../operator/models.ts')).modelOperations(loadConfig(env)),
    migrator: async (pack) =>
      (await import('../operator/template-migration.ts')).openTemplateMigrator(loadConfig(env), pack),
    storage: async () => (await import('../operator/storage.ts')).storageOperations(loadConfig(env)),
    backups: async () => (await import('../operator/backup.ts')).backupOperations(loadConfig(env), version),
    exports: async () =>
      (await import('../operator/people-file/export-people.ts')).exportOperations(loadConfig(env), version),
    imports: async () => (await import('../operator/import/operations.ts')).importOperations(loadConfig(env)),
    upgrades: async () => (await import('../operator/upgrade.ts')).upgradeOperations(loadConfig(env)),
    recordings: async () => (await import('../operator/recordings.ts')).openRecordingReader(loadConfig(env)),
    audit: async () => (await import('../operator/audit.ts')).createAuditReader(loadConfig(env)),
    doctor: async () => (await import('../doctor/doctor.ts')).runDoctor(env),
    evaluation: loadEvaluation,
    admin: async (work) => {
      const config = loadConfig(env);
      const { administer } = await import('../admin/reach.ts');
      const open = async () => {
        const { openCoreServices } = await import('../server/core-services.ts');
        const { createLogger } = await import('../server/logger.ts');
        const { admin, close } = await openCoreServices(config, createLogger('silent'));
        return { operations: admin, close };
      };
      return administer(config.database ? null : config.dataDir, open, work);
    },
  };
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
