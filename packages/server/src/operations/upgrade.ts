import { type Config, defaultDataDir } from '../config/config.ts';
import { databaseFile, lockDataDirectory, requireInstallation } from '../store/data-directory.ts';
import { type MigrationPlan, requireKnownSchema } from '../store/database/upgrade.ts';
import { openSqliteDatabase } from '../store/sqlite-store.ts';

export type UpgradeOperations = ReturnType<typeof upgradeOperations>;

/** Upgrades the schema of the configured store, as the start of a server does. */
export function upgradeOperations({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>) {
  const file = databaseFile(dataDir);
  return {
    /**
     * What the upgrade would do; nothing is changed, and servers may run.
     * @throws OperatorError when the store has a newer schema than this program
     */
    async plan(): Promise<MigrationPlan> {
      const plan = database
        ? await (await import('../store/database/postgres-migrations.ts')).planPostgresMigration(database)
        : await (await import('../store/database/sqlite-migrations.ts')).planSqliteMigration(file);
      requireKnownSchema(plan.schema, plan.migratedBy);
      return plan;
    },
    /** Migrates the store. @throws OperatorError when a server owns the data directory, or as the start of a server */
    async run(): Promise<void> {
      if (database) {
        const { openPostgresDatabase } = await import('../store/postgres-store.ts');
        await (await openPostgresDatabase(database)).close();
        return;
      }
      requireInstallation(dataDir, defaultDataDir());
      const directory = lockDataDirectory(dataDir);
      try {
        openSqliteDatabase(file).close();
      } finally {
        directory.release();
      }
    },
  };
}
