import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { parseDatabaseUrl } from '../../../src/config/database-url.ts';
import { upgradeOperations } from '../../../src/operations/upgrade.ts';
import { migrations } from '../../../src/store/database/schema.ts';
import { SqliteDatabase } from '../../../src/store/database/sqlite.ts';
import { planSteps } from '../../../src/store/database/upgrade.ts';
import { inspectPostgres, openPostgresStore } from '../../../src/store/postgres-store.ts';
import { inspectSqlite, openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { newDatabase, noPostgres } from '../../support/postgres.ts';
import {
  releasedSettings,
  requireEverything,
  requirePlan,
  verifyTrail,
} from '../../support/released-contents.ts';
import {
  type ReleasedRows,
  releasedRows,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../support/released-schemas.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

type Environment = Record<string, string>;

const fileIn = ({ WAJAH_DATA_DIR = '' }: Environment) => join(WAJAH_DATA_DIR, 'wajah.db');
const urlIn = ({ WAJAH_DATABASE_URL = '' }: Environment) => WAJAH_DATABASE_URL;

const stores = {
  sqlite: {
    newPlace: async (): Promise<Environment> => ({ WAJAH_DATA_DIR: temporaryDirectory() }),
    write: async (env: Environment, rows: ReleasedRows) => writeReleasedFile(fileIn(env), rows),
    inspect: (env: Environment) => inspectSqlite(fileIn(env), async () => null),
    open: async (env: Environment) => openSqliteStore(fileIn(env)),
  },
  postgres: {
    newPlace: async (): Promise<Environment> => ({ WAJAH_DATABASE_URL: await newDatabase() }),
    write: (env: Environment, rows: ReleasedRows) => writeReleasedDatabase(urlIn(env), rows),
    inspect: (env: Environment) => inspectPostgres(parseDatabaseUrl('URL', urlIn(env)), 9000),
    open: (env: Environment) => openPostgresStore({ url: urlIn(env) }),
  },
};

describe.each(['sqlite', 'postgres'] as const)('a database of each released schema: %s', (kind) => {
  const { newPlace, write, inspect, open } = stores[kind];
  const test = it.skipIf(kind === 'postgres' && noPostgres);
  const all = migrations[kind];

  async function requireUpgrade(env: Environment, rows: ReleasedRows): Promise<void> {
    const store = await open(env);
    await requireEverything(store, rows);
    await store.close();
    await verifyTrail(env);
  }

  // `npm run released:rows` on a checkout without a new migration writes the rows of the schema before it.
  it('has rows of every schema before the newest', () => {
    const schemas = releasedRows(kind).map(({ schema }) => schema);
    expect(schemas).toEqual(expect.arrayContaining(all.slice(0, -1).map(({ number }) => number)));
    expect(schemas.length).toBeGreaterThan(0);
  });

  test.each(releasedRows(kind))('schema $schema is upgraded, and everything reads', async (rows) => {
    const env = await newPlace();
    await write(env, rows);
    // Plans change nothing.
    for (let plans = 0; plans < 2; plans++) await requirePlan(env, rows.schema, all);
    const { schema, contents } = await inspect(env);
    expect([schema, contents?.specs.map(({ faces }) => faces)]).toEqual([rows.schema, [2]]);
    await requireUpgrade(env, rows);
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

  it('are planned with the rows of the tables that they change', async () => {
    const sql = 'ALTER TABLE audit ADD COLUMN a text; CREATE INDEX i ON faces (seq); CREATE TABLE t (a text)';
    const rows: Record<string, number> = { audit: 12, faces: 2_000_000, clients: 3 };
    const planned = await planSteps(18, [{ number: 19, name: 'x', sql }], (table) => rows[table] ?? null);
    const step = { number: 19, name: 'x', tables: ['audit', 'faces'], rows: 2_000_012 };
    expect(planned).toEqual({ migrations: [step], seconds: 11 });
    expect(await planSteps(19, [{ number: 19, name: 'x', sql }], () => 9)).toMatchObject({ migrations: [] });
  });
});
