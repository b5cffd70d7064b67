import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { backupOperations } from '../../../../tools/src/backup.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { parseDatabaseUrl } from '../../../src/config/database-url.ts';
import { runDoctor } from '../../../src/features/doctor/doctor.ts';
import { planUpgrade } from '../../../src/operations/upgrade.ts';
import { PostgresDatabase } from '../../../src/store/database/postgres.ts';
import * as postgres from '../../../src/store/database/postgres-migrations.ts';
import { type Migration, migrations, newestSchema } from '../../../src/store/database/schema.ts';
import { SqliteDatabase } from '../../../src/store/database/sqlite.ts';
import * as sqlite from '../../../src/store/database/sqlite-migrations.ts';
import { planSteps } from '../../../src/store/database/upgrade.ts';
import { inspectPostgres } from '../../../src/store/postgres-store.ts';
import { inspectSqlite, openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { activityStore } from '../../support/activity.ts';
import { patientStatementMs } from '../../support/patient.ts';
import { newDatabase, noPostgres } from '../../support/postgres.ts';
import {
  releasedSettings,
  requireEverything,
  requirePlan,
  verifyTrail,
} from '../../support/released-contents.ts';
import {
  digestUpTo,
  type ReleasedRows,
  releasedRows,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../support/released-schemas.ts';
import { openDatabaseStore } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

type Environment = Record<string, string>;

const fileIn = ({ WAJAH_DATA_DIR = '' }: Environment) => join(WAJAH_DATA_DIR, 'wajah.db');
const urlIn = ({ WAJAH_DATABASE_URL = '' }: Environment) => WAJAH_DATABASE_URL;
const backups = (env: Environment) => backupOperations(loadConfig({ ...releasedSettings, ...env }), '0.0.1');

const stores = {
  sqlite: {
    newPlace: async (): Promise<Environment> => ({ WAJAH_DATA_DIR: temporaryDirectory() }),
    write: async (env: Environment, rows: ReleasedRows) => writeReleasedFile(fileIn(env), rows),
    inspect: (env: Environment) => inspectSqlite(fileIn(env)),
    open: async (env: Environment) => openSqliteStore(fileIn(env)),
    async migrate(env: Environment, steps: readonly Migration[], read: string) {
      const db = new SqliteDatabase(fileIn(env));
      sqlite.migrate(db, steps);
      const rows = db.all<object>(read);
      db.close();
      return rows;
    },
  },
  postgres: {
    newPlace: async (): Promise<Environment> => ({ WAJAH_DATABASE_URL: await newDatabase() }),
    write: (env: Environment, rows: ReleasedRows) => writeReleasedDatabase(urlIn(env), rows),
    inspect: (env: Environment) => inspectPostgres(parseDatabaseUrl('URL', urlIn(env)), patientStatementMs),
    open: (env: Environment) => openDatabaseStore(urlIn(env)),
    async migrate(env: Environment, steps: readonly Migration[], read: string) {
      const options = { connections: 1, timeoutMs: patientStatementMs };
      const db = new PostgresDatabase(parseDatabaseUrl('URL', urlIn(env)), options);
      await postgres.migrate(db, steps);
      return db.all<object>(read).finally(() => db.close());
    },
  },
};

/** Calls that a server has counted; by the hour until schema 26. */
const callsIn = (rows: ReleasedRows['rows']) =>
  rows
    .filter(([table, { seconds }]) => table === 'call_counts' || (table === 'activity' && seconds === 3600))
    .reduce((sum, [, { count }]) => sum + Number(count), 0);

describe.each(['sqlite', 'postgres'] as const)('a database of a released schema: %s', (kind) => {
  const { newPlace, write, inspect, open, migrate } = stores[kind];
  const test = it.skipIf(kind === 'postgres' && noPostgres);
  const all = migrations[kind];

  async function requireUpgrade(env: Environment, rows: ReleasedRows): Promise<void> {
    const store = await open(env);
    await requireEverything(store, rows);
    await store.close();
    await verifyTrail(env);
  }

  // `npm run released:rows` on a checkout without a new migration writes the rows of the schema before it.
  it('has rows of every schema', () => {
    expect(releasedRows().map(({ schema }) => schema)).toEqual(
      expect.arrayContaining(all.slice(0, -1).map(({ number }) => number)),
    );
    expect(releasedRows().length).toBeGreaterThan(0);
  });

  test.each(releasedRows())('schema $schema is upgraded, and everything reads', async (rows) => {
    const env = await newPlace();
    await write(env, rows);
    // Plans change nothing.
    for (let plans = 0; plans < 2; plans++) await requirePlan(env, rows.schema, all);
    const { schema, contents } = await inspect(env);
    expect(schema).toBe(rows.schema);
    expect(contents?.keyCheck).toMatch(/^[0-9a-f]{64}$/);
    await requireUpgrade(env, rows);
    const store = await open(env);
    const counted = await activityStore(store).countsByRoute('acme', { from: new Date(0), to: new Date() });
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(callsIn(rows.rows));
    await store.close();
  });

  test.each(releasedRows())('a backup of schema $schema is restored and upgraded', async (rows) => {
    const [from, to] = [await newPlace(), await newPlace()];
    await write(from, rows);
    const file = join(temporaryDirectory(), 'backup');
    await backups(from).backup(file, {}, () => undefined);
    expect((await backups(from).verify(file, {})).head.schema).toBe(rows.schema);
    await backups(to).restore(file, {}, false, () => undefined);
    await requireUpgrade(to, rows);
  });

  test('statistics that were frozen follow their gallery', async () => {
    const env = await newPlace();
    const [first] = releasedRows();
    const frozen = first!.rows.map(([table, row]): ReleasedRows['rows'][number] =>
      table === 'galleries' ? [table, { ...row, cohort_mode: 'frozen' }] : [table, row],
    );
    await write(env, { ...first!, rows: frozen });
    const store = await open(env);
    const modes = (await store.galleries.list('acme')).map(({ cohortMode }) => cohortMode);
    expect(new Set(modes)).toEqual(new Set(['auto']));
    await store.close();
  });

  test('takes a further step with the rows that it has, and this version refuses it from then on', async () => {
    const env = await newPlace();
    await write(env, releasedRows().at(-1)!);
    const sql = 'ALTER TABLE clients ADD COLUMN later integer; UPDATE clients SET later = quota_faces';
    const steps = [...all, { number: newestSchema + 1, name: 'later', sql }];
    const read = "SELECT client_id, later FROM clients WHERE client_id = 'acme'";
    const rows = [{ client_id: 'acme', later: 7 }];
    expect(await migrate(env, steps, read)).toEqual(rows);
    const refusal = new RegExp(
      `schema ${newestSchema + 1}, which version \\S+ of Wajah wrote; .* supports schemas up to ${newestSchema}: start version \\S+ or newer`,
    );
    await expect((async () => open(env))()).rejects.toThrow(refusal);
    const found = await runDoctor({ ...releasedSettings, ...env }, ['store']);
    expect(found).toEqual(
      expect.arrayContaining([
        {
          severity: 'bad',
          id: 'database_schema',
          sentence: expect.stringMatching(refusal),
          remedy: null,
        },
      ]),
    );
  });
});

describe('a store of a state before the first release', () => {
  it('is refused and left as it is', async () => {
    const env = { WAJAH_DATA_DIR: temporaryDirectory() };
    writeReleasedFile(fileIn(env), releasedRows()[0]!);
    const db = new SqliteDatabase(fileIn(env));
    db.script('UPDATE migrations SET number = 24');
    const way =
      /schema 24, and .* from 25 on: with the version that wrote it run `wajah backup .* `wajah restore/;
    expect(() => openSqliteStore(fileIn(env))).toThrow(way);
    const plan = planUpgrade(loadConfig({ ...releasedSettings, ...env }));
    await expect(plan).rejects.toThrow(way);
    const doctor = await runDoctor({ ...releasedSettings, ...env }, ['store']);
    expect(doctor).toContainEqual({
      severity: 'bad',
      id: 'database_schema',
      sentence: expect.stringMatching(way),
      remedy: null,
    });
    expect(doctor.map(({ id }) => id)).not.toContain('key');
    expect(db.get('SELECT max(number) AS number FROM migrations')).toEqual({ number: 24 });
    // Such states had the number of the first schema, too.
    db.script('UPDATE migrations SET number = 25; ALTER TABLE liveness_sessions DROP COLUMN min_face');
    expect(() => openSqliteStore(fileIn(env))).toThrow(way);
    db.close();
  });

  // Written by `wajah backup` of commit 4b1efb69: a client, three drawn people.
  it.each(['sqlite', 'postgres'] as const)(
    'is restored into %s from a backup of its own version',
    async (kind) => {
      if (kind === 'postgres' && noPostgres) return;
      const key = { WAJAH_SECRET_KEY: '8f9a0c5b0582019b509c518e5a7e0931b5ca08cfd29339aa52556470e2351900' };
      const env = { ...(await stores[kind].newPlace()), ...key };
      const file = fileURLToPath(new URL('0024.backup', import.meta.url));
      const { restore } = backupOperations(loadConfig(env), '0.0.1');
      const { left } = await restore(file, {}, false, () => undefined);
      expect(left).toEqual(['former_gallery_keys', 'next_templates', 'liveness_sessions', 'activity']);
      const store = await stores[kind].open(env);
      const { id } = (await store.galleries.get('demo', 'office'))!;
      expect((await store.faces.list(id)).map(({ userId }) => userId)).toEqual(['citra', 'darma', 'selfie']);
      await store.close();
    },
  );
});

describe('migrations', () => {
  it('are numbered without gaps, alike for both databases', () => {
    for (const all of Object.values(migrations))
      expect(all.map(({ number }) => number)).toEqual(migrations.sqlite.map((_, i) => 25 + i));
  });

  it('are never changed behind a newer one', () => {
    for (const { schema, digests } of releasedRows().filter((rows) => rows.schema < newestSchema))
      for (const kind of ['sqlite', 'postgres'] as const)
        expect(digestUpTo(kind, schema), kind).toBe(digests[kind]);
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
