import type { ToolCommands, UserIdReader } from '@wajah/server/commands';

export type { EvaluationTask, ImpostorProducts } from '@wajah/server/commands';
export type { EvaluationCommands, EvaluationData, EvaluationReport } from './evaluation.ts';

type Work = (...given: unknown[]) => Promise<void>;

/** Commands whose module is imported on use: most need neither the inference library nor a database driver. */
function lazily<Name extends keyof ToolCommands>(
  names: readonly Name[],
  load: () => Promise<Pick<ToolCommands, Name>>,
): Pick<ToolCommands, Name> {
  const entries = names.map((name) => [
    name,
    async (...given: unknown[]) => ((await load())[name] as Work)(...given),
  ]);
  return Object.fromEntries(entries) as Pick<ToolCommands, Name>;
}

/** See `user-ids.ts`. */
export const readUserIds: UserIdReader = async (file) =>
  (await import('./import/user-ids.ts')).readUserIds(file);

/** The work of the commands that the server declares for this package. */
export const commands: ToolCommands = {
  ...lazily(['backUp', 'verifyBackup', 'restore', 'migrateStore'], () => import('./backup.ts')),
  ...lazily(
    ['importFolder', 'importCsv', 'importCompreFace'],
    async () => (await import('./import/import.ts')).importCommands,
  ),
  ...lazily(['reembed'], () => import('./reembed.ts')),
  ...lazily(['evaluate', 'calibrate'], async () => (await import('./evaluation.ts')).evaluationCommands),
};
