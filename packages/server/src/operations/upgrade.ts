import { type Config, inOwnWords, loadConfig } from '../config/config.ts';
import { databaseFile, requireInstallation, takeDataDirectory } from '../store/data-directory.ts';
import { type MigrationPlan, requireKnownSchema } from '../store/database/upgrade.ts';
import { openSqliteDatabase, planUpgradeOf } from '../store/sqlite-store.ts';
import type { CommandDeps } from './command.ts';
import { snakeCase, table } from './terminal.ts';

type Place = Pick<Config, 'database' | 'dataDir'>;

/** `wajah migrate` */
export async function migrate(
  { terminal, env }: CommandDeps,
  { dryRun, json }: { dryRun: boolean; json: boolean },
): Promise<void> {
  const place = loadConfig(env);
  const plan = await planUpgrade(place);
  if (!dryRun && plan.migrations.length > 0) await upgrade(place);
  terminal.out(json ? JSON.stringify({ ...snakeCase(plan), dry_run: dryRun }) : planText(plan, dryRun));
}

/**
 * What the upgrade of the configured store would do; nothing is changed, and servers may run.
 * @throws OperatorError when the store has a newer schema than this program
 */
export async function planUpgrade({ database, dataDir }: Place): Promise<MigrationPlan> {
  const plan = database
    ? await (await import('../store/database/postgres-migrations.ts')).planPostgresMigration(database)
    : await planUpgradeOf(databaseFile(dataDir));
  requireKnownSchema(plan.schema, plan.migratedBy);
  return plan;
}

/** As the start of a server does. @throws OperatorError when one owns the data directory, or as its start */
async function upgrade({ database, dataDir }: Place): Promise<void> {
  if (database) {
    const { openPostgresDatabase } = await import('../store/postgres-store.ts');
    await (await openPostgresDatabase(database)).close();
    return;
  }
  requireInstallation(dataDir);
  const directory = await takeDataDirectory(dataDir);
  try {
    openSqliteDatabase(databaseFile(dataDir)).close();
  } finally {
    directory.release();
  }
}

function planText(
  { store, schema, newestSchema, migrations, seconds }: MigrationPlan,
  dryRun: boolean,
): string {
  const name = { sqlite: 'embedded database', postgres: 'PostgreSQL' }[store];
  if (migrations.length === 0) return `The store (${name}) has schema ${schema}, the newest: nothing to do.`;
  const rows = migrations.map((step) => [
    String(step.number),
    step.name,
    String(step.rows),
    step.tables.join(', ') || '–',
  ]);
  const list = table(['schema', 'migration', 'rows', 'in tables'], rows);
  const range = `from schema ${schema} to ${newestSchema}`;
  if (!dryRun) return `${list}\nThe store (${name}) was upgraded ${range}.`;
  const next = inOwnWords('The next start, or `wajah migrate`,');
  return `${list}\n${next} would upgrade the store (${name}) ${range}, in about ${seconds} s. Back it up first.`;
}
