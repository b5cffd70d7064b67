// Migrates a store by one step more than there are, and stops for ever when its statements have run and are not
// committed; with a third argument it goes on.
import { writeSync } from 'node:fs';
import { migrations } from '../../dist/store/database/schema.js';

const [kind, place, goesOn] = process.argv.slice(2);

const next = {
  number: migrations[kind].at(-1).number + 1,
  sql: 'CREATE TABLE later (a text); ALTER TABLE clients ADD COLUMN later integer; DELETE FROM audit_ends',
  get name() {
    writeSync(1, 'not committed\n');
    if (!goesOn) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return 'later';
  },
};
const steps = [...migrations[kind], next];

if (kind === 'sqlite') {
  const { SqliteDatabase } = await import('../../dist/store/database/sqlite.js');
  const { migrate } = await import('../../dist/store/database/sqlite-migrations.js');
  migrate(new SqliteDatabase(place), steps);
} else {
  const { PostgresDatabase } = await import('../../dist/store/database/postgres.js');
  const { migrate } = await import('../../dist/store/database/postgres-migrations.js');
  const { parseDatabaseUrl } = await import('../../dist/config/database-url.js');
  const target = parseDatabaseUrl('WAJAH_DATABASE_URL', place);
  const database = new PostgresDatabase(target, { connections: 1, timeoutMs: 60_000 });
  await migrate(database, steps);
  await database.close();
}
