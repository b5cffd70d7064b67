// Migrates a store up to a step, and stops for ever when the statements of that step have run and are not committed.
import { writeSync } from 'node:fs';

const [kind, place, step] = process.argv.slice(2);

/** The migrations of which one blocks this process at its end. */
function blocking(migrations) {
  return migrations.map((migration) => ({
    ...migration,
    get name() {
      if (migration.number === Number(step)) {
        writeSync(1, 'not committed\n');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
      return migration.name;
    },
  }));
}

if (kind === 'sqlite') {
  const { SqliteDatabase } = await import('../../dist/store/sqlite/connection/database.js');
  const { migrate, migrations } = await import('../../dist/store/sqlite/migrate.js');
  migrate(new SqliteDatabase(place), blocking(migrations));
} else {
  const { PostgresDatabase } = await import('../../dist/store/postgres/connection/database.js');
  const { migrate, migrations } = await import('../../dist/store/postgres/migrate.js');
  const { parseDatabaseUrl } = await import('../../dist/config/database-url.js');
  const target = parseDatabaseUrl('WAJAH_DATABASE_URL', place);
  await migrate(new PostgresDatabase(target, { connections: 1, timeoutMs: 60_000 }), blocking(migrations));
}
