import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { parseDatabaseUrl } from '../../../src/config/database-url.ts';
import { upgradeOperations } from '../../../src/operations/upgrade.ts';
import { type Migration, migrations } from '../../../src/store/database/schema.ts';
import { SqliteDatabase } from '../../../src/store/database/sqlite.ts';
import { planSteps } from '../../../src/store/database/upgrade.ts';
import { inspectPostgres, openPostgresStore } from '../../../src/store/postgres-store.ts';
import { inspectSqlite, openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { ended, linesOf, startChild } from '../../support/child.ts';
import { newDatabase, noPostgres } from '../../support/postgres.ts';
import { releasedSettings, requireEverything, verifyTrail } from '../../support/released-contents.ts';
import {
  digestOfMigrations,
  type Kind,
  releasedRows,
  stepsUpTo,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../support/released-schemas.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

async function requirePlan(env: Record<string, string>, schema: number, all: readonly Migration[]) {
  const plan = await upgradeOperations(loadConfig({ ...releasedSettings, ...env })).plan();
  expect(plan).toMatchObject({ schema, newestSchema: all.at(-1)?.number });
  const later = all.filter(({ number }) => number > schema);
  expect(plan.migrations.map(({ name }) => name)).toEqual(later.map(({ name }) => name));
}

/** A migration needs the rows of the schema before it: `npm run released:rows` on a checkout without it writes them. */
function requireRows(kind: Kind, all: readonly Migration[]): void {
  const schemas = releasedRows(kind).map(({ schema }) => schema);
  expect(schemas).toEqual(expect.arrayContaining(all.slice(0, -1).map(({ number }) => number)));
  expect(schemas.length).toBeGreaterThan(0);
}

describe('a database of each released schema is upgraded, and everything reads: SQLite', () => {
  it('has rows of every schema before the newest', () => requireRows('sqlite', migrations.sqlite));

  it.each(releasedRows('sqlite'))('schema $schema', async (rows) => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, 'wajah.db');
    writeReleasedFile(file, rows);
    await requirePlan({ WAJAH_DATA_DIR: dataDir }, rows.schema, migrations.sqlite);
    await requirePlan({ WAJAH_DATA_DIR: dataDir }, rows.schema, migrations.sqlite);
    const { schema, contents } = await inspectSqlite(file);
    expect([schema, contents?.specs.map(({ faces }) => faces)]).toEqual([rows.schema, [2]]);
    const store = openSqliteStore(file);
    await requireEverything(store, rows);
    await store.close();
    await verifyTrail({ WAJAH_DATA_DIR: dataDir });
  });

  it('goes on where a migration was killed', async () => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, 'wajah.db');
    const rows = releasedRows('sqlite').at(-1)!;
    writeReleasedFile(file, rows);
    await killInNextStep('sqlite', file);
    // The steps before it are there.
    await requirePlan({ WAJAH_DATA_DIR: dataDir }, migrations.sqlite.at(-1)!.number, migrations.sqlite);
    const store = openSqliteStore(file);
    await requireEverything(store, rows);
    await store.close();
  });
});

/** Kills a process (SIGKILL) whose migration has run the statements of a further step and not committed them. */
async function killInNextStep(kind: Kind, place: string): Promise<void> {
  const child = startChild('migrate-and-stop.mjs', kind, place);
  for await (const line of linesOf(child)) if (line === 'not committed') child.kill('SIGKILL');
  await ended(child);
  expect(child.signalCode).toBe('SIGKILL');
}

describe.skipIf(noPostgres)('a database of each released schema is upgraded: PostgreSQL', () => {
  it('has rows of every schema before the newest', () => requireRows('postgres', migrations.postgres));

  it.each(releasedRows('postgres'))('schema $schema', async (rows) => {
    const url = await newDatabase();
    await writeReleasedDatabase(url, rows);
    const env = { WAJAH_DATABASE_URL: url };
    await requirePlan(env, rows.schema, migrations.postgres);
    const { schema, contents } = await inspectPostgres(parseDatabaseUrl('URL', url), 9000);
    expect([schema, contents?.specs.map(({ faces }) => faces)]).toEqual([rows.schema, [2]]);
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    await requireEverything(store, rows);
    await verifyTrail(env);
  });

  it('starts again where a migration was killed', async () => {
    const url = await newDatabase();
    const rows = releasedRows('postgres').at(-1)!;
    await writeReleasedDatabase(url, rows);
    await killInNextStep('postgres', url);
    await requirePlan({ WAJAH_DATABASE_URL: url }, rows.schema, migrations.postgres);
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    await requireEverything(store, rows);
  });
});

describe('a store of a state before the first release', () => {
  it('is refused and left as it is', async () => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, 'wajah.db');
    writeReleasedFile(file, releasedRows('sqlite')[0]!);
    const db = new SqliteDatabase(file);
    db.script('DELETE FROM migrations WHERE number > 9');
    expect(() => openSqliteStore(file)).toThrow(/schema 9, of a state before the first release/);
    const { plan } = upgradeOperations(loadConfig({ ...releasedSettings, WAJAH_DATA_DIR: dataDir }));
    await expect(plan()).rejects.toThrow(/from 18 on/);
    expect(db.get('SELECT max(number) AS number FROM migrations')).toEqual({ number: 9 });
    db.close();
  });
});

describe('released migrations', () => {
  it('are numbered without gaps', () => {
    for (const all of Object.values(migrations))
      expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => all[0].number + i));
  });

  it('are never changed', () => {
    for (const kind of ['sqlite', 'postgres'] as const) {
      const last = releasedRows(kind).at(-1)!;
      expect(digestOfMigrations(stepsUpTo(kind, last.schema)), kind).toBe(last.digest);
    }
  });

  it('are planned with the rows of the tables that they change', async () => {
    const sql = 'ALTER TABLE audit ADD COLUMN a text; CREATE INDEX i ON faces (seq); CREATE TABLE t (a text)';
    const rows: Record<string, number> = { audit: 12, faces: 2_000_000, clients: 3 };
    const planned = await planSteps(18, [{ number: 19, name: 'x', sql }], (table) => rows[table] ?? null);
    const step = { number: 19, name: 'x', tables: ['audit', 'faces'], rows: 2_000_012 };
    expect(planned).toEqual({ migrations: [step], seconds: 11 });
    expect(await planSteps(19, [{ number: 19, name: 'x', sql }], () => 9)).toMatchObject({ migrations: [] });
  });
});
