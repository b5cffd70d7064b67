import { existsSync } from 'node:fs';
import { SqliteDatabase } from '../sqlite/connection/database.ts';
import { hasTable, migratedBy, migrations, schemaNumber } from '../sqlite/migrate.ts';
import { type MigrationPlan, planSteps } from './plan.ts';

/** Reads which migrations the next start would run on an embedded database; a server may have it open. */
export async function planSqliteMigration(file: string): Promise<MigrationPlan> {
  const newestSchema = migrations.length;
  if (!existsSync(file)) {
    const steps = await planSteps(0, migrations, () => null);
    return { store: 'sqlite', schema: 0, newestSchema, migratedBy: null, ...steps };
  }
  const db = new SqliteDatabase(file, undefined, true);
  try {
    const schema = schemaNumber(db);
    const steps = await planSteps(schema, migrations, (table) =>
      hasTable(db, table) ? (db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0) : null,
    );
    return { store: 'sqlite', schema, newestSchema, migratedBy: migratedBy(db), ...steps };
  } finally {
    db.close();
  }
}
