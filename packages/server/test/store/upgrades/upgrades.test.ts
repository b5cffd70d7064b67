import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { upgradeOperations } from '../../../src/operator/upgrade.ts';
import type { Migration } from '../../../src/store/migration.ts';
import { migrations as ofPostgres } from '../../../src/store/postgres/migrate.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { migrations as ofSqlite } from '../../../src/store/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { ended, linesOf, startChild } from '../../support/child.ts';
import { long } from '../../support/long.ts';
import { noPostgres, PostgresServer } from '../../support/postgres.ts';
import {
  chosenRows,
  releasedSettings,
  requireEverything,
  verifyTrail,
} from '../../support/released-contents.ts';
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
  expect(plan).toMatchObject({ schema, newestSchema: all.length });
  expect(plan.migrations.map(({ name }) => name)).toEqual(all.slice(schema).map(({ name }) => name));
  const chain = plan.migrations.find(({ name }) => name === 'audit chain');
  if (chain) expect(chain).toMatchObject({ tables: ['audit'], rows: expect.toSatisfy((rows) => rows > 9) });
}

/** A migration needs the rows of the schema before it: `npm run released:rows` on a checkout without it writes them. */
function requireRows(kind: Kind, all: readonly Migration[]): void {
  const schemas = releasedRows(kind).map(({ schema }) => schema);
  expect(schemas.slice(0, all.length - 1)).toEqual(all.slice(0, -1).map(({ number }) => number));
}

describe('a database of each released schema is upgraded, and everything reads: SQLite', () => {
  it('has rows of every schema before the newest', () => requireRows('sqlite', ofSqlite));

  it.each(chosenRows('sqlite', long || [1, 5, 8, 10, 14]))('schema $schema', async (rows) => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, 'wajah.db');
    writeReleasedFile(file, rows);
    await requirePlan({ WAJAH_DATA_DIR: dataDir }, rows.schema, ofSqlite);
    await requirePlan({ WAJAH_DATA_DIR: dataDir }, rows.schema, ofSqlite);
    const store = openSqliteStore(file);
    await requireEverything(store, rows);
    await store.close();
    await verifyTrail({ WAJAH_DATA_DIR: dataDir });
  });

  it('goes on where a migration was killed', async () => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, 'wajah.db');
    const rows = releasedRows('sqlite').find(({ schema }) => schema === 5)!;
    writeReleasedFile(file, rows);
    await killAtStep('sqlite', file, 11);
    await requirePlan({ WAJAH_DATA_DIR: dataDir }, 10, ofSqlite);
    const store = openSqliteStore(file);
    await requireEverything(store, rows);
    await store.close();
  });
});

/** Kills a process (SIGKILL) whose migration has run the statements of a step and not committed them. */
async function killAtStep(kind: Kind, place: string, step: number): Promise<void> {
  const child = startChild('migrate-and-stop.mjs', kind, place, String(step));
  for await (const line of linesOf(child)) if (line === 'not committed') child.kill('SIGKILL');
  await ended(child);
  expect(child.signalCode).toBe('SIGKILL');
}

describe.skipIf(noPostgres)('a database of each released schema is upgraded: PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start(['fsync=off']);
  });
  afterAll(() => server?.remove());

  it('has rows of every schema before the newest', () => requireRows('postgres', ofPostgres));

  it.each(chosenRows('postgres', long || [1, 9, 13]))('schema $schema', async (rows) => {
    const url = await server.database();
    await writeReleasedDatabase(url, rows);
    const env = { WAJAH_DATABASE_URL: url };
    await requirePlan(env, rows.schema, ofPostgres);
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    await requireEverything(store, rows);
    await verifyTrail(env);
  });

  it('starts again where a migration was killed', async () => {
    const url = await server.database();
    const rows = releasedRows('postgres').find(({ schema }) => schema === 4)!;
    await writeReleasedDatabase(url, rows);
    await killAtStep('postgres', url, 10);
    // The steps are one transaction.
    await requirePlan({ WAJAH_DATABASE_URL: url }, 4, ofPostgres);
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    await requireEverything(store, rows);
  });
});

describe('released migrations', () => {
  it('are numbered from 1 without gaps', () => {
    for (const all of [ofSqlite, ofPostgres]) {
      expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1));
    }
  });

  it('are never changed', () => {
    for (const kind of ['sqlite', 'postgres'] as const) {
      const last = releasedRows(kind).at(-1)!;
      expect(digestOfMigrations(stepsUpTo(kind, last.schema)), kind).toBe(last.digest);
    }
  });
});
