import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { createAuditReader } from '../../../src/operator/audit.ts';
import { upgradeOperations } from '../../../src/operator/upgrade.ts';
import { digestOf } from '../../../src/security/tokens/api-tokens.ts';
import { createTemplateVault } from '../../../src/security/vaults/template-vault.ts';
import { openCoreServices } from '../../../src/server/core-services.ts';
import { createLogger } from '../../../src/server/logger.ts';
import type { Migration } from '../../../src/store/migration.ts';
import { migrations as ofPostgres } from '../../../src/store/postgres/migrate.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { migrations as ofSqlite } from '../../../src/store/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { ended, linesOf, startChild } from '../../support/child.ts';
import { long } from '../../support/long.ts';
import { noPostgres, PostgresServer } from '../../support/postgres.ts';
import {
  type Kind,
  type ReleasedRows,
  releasedKey,
  releasedRows,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../support/released-schemas.ts';
import { face } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const vault = createTemplateVault(Buffer.from(releasedKey, 'hex'));

/** Settings of the server that goes on with the data; nothing is so old that it is erased. */
const settings = { WAJAH_SECRET_KEY: releasedKey, WAJAH_AUDIT_DAYS: '0', WAJAH_EVENT_DAYS: '3650' };

async function requireEverything(store: Store, { sql, token }: ReleasedRows): Promise<void> {
  expect(await store.clients.get('acme')).toMatchObject({
    quota: { faces: 7 },
    used: { faces: 2, galleries: 3 },
  });
  expect((await store.clients.get('acme'))?.used.hits).toBeGreaterThan(5);
  const gallery = (await store.galleries.get('acme', 'acme@staff'))!;
  expect(gallery).toMatchObject({ faces: 2, requireLiveness: false });
  expect(gallery.threshold).toBe(0.6);
  const spec = JSON.parse(gallery.embeddingSpec ?? '{}') as { dimensions: number };
  const people = await store.faces.list(gallery.id);
  expect(people.map(({ userId, userName }) => [userId, userName])).toEqual([
    ['3174001', 'Sri Rahayu'],
    ['3174002', "Budi Ma'ruf"],
  ]);
  const opened = vault.gallery(gallery);
  for (const { userId } of people) {
    const template = opened.open(userId, (await store.faces.get(gallery.id, userId))!.template);
    expect(template.length).toBe(spec.dimensions);
    expect(Math.hypot(...template)).toBeCloseTo(1, 3);
  }
  const crops = await store.crops.get(gallery.id, '3174001');
  expect(crops.length).toBe(sql.includes('INTO face_crops') ? 1 : 0);
  for (const crop of crops) expect(opened.openCrop('3174001', crop)).toBeDefined();
  expect(await store.tokens.find(digestOf(token))).toMatchObject({ clientId: 'acme', revokedAt: null });
  expect((await store.tokens.list('acme')).find(({ name }) => name === 'old one')?.revokedAt).not.toBeNull();
  expect((await store.audit.list({ limit: 99 })).map(({ event }) => event)).toContain('face_enrolled');
  const sessions = [...sql.matchAll(/INTO liveness_sessions VALUES \('([^']+)'/g)];
  expect(sessions.length).toBe(sql.includes('INTO liveness_sessions') ? 2 : 0);
  const found = await Promise.all(
    sessions.map(([, id = '']) => store.sessions.find('acme', id, new Date(0))),
  );
  if (found.length > 0)
    expect(found).toEqual(expect.arrayContaining(['judged', expect.objectContaining({ userId: null })]));

  // And it goes on.
  expect(
    await store.faces.enrol(gallery.id, { ...face('new'), embeddingSpec: gallery.embeddingSpec! }, false),
  ).toBe(gallery.version + 1);
  expect(await store.faces.remove(gallery.id, 'new')).toBe(gallery.version + 2);
}

/** The audit trail of the upgraded store by the services of a server. */
async function verifyTrail(env: Record<string, string>): Promise<void> {
  const config = loadConfig({ ...settings, ...env });
  const services = await openCoreServices(config, createLogger('silent'));
  try {
    await services.accounts.setQuota('acme', { faces: 9 });
    await services.events.settled();
    const found = await createAuditReader(config).verify(services.admin);
    expect(found).toMatchObject({ fault: null, sealed: true });
  } finally {
    await services.close();
  }
}

async function requirePlan(env: Record<string, string>, schema: number, all: readonly Migration[]) {
  const plan = await upgradeOperations(loadConfig({ ...settings, ...env })).plan();
  expect(plan).toMatchObject({ schema, newestSchema: all.length });
  expect(plan.migrations.map(({ name }) => name)).toEqual(all.slice(schema).map(({ name }) => name));
  const chain = plan.migrations.find(({ name }) => name === 'audit chain');
  if (chain) expect(chain).toMatchObject({ tables: ['audit'], rows: expect.toSatisfy((rows) => rows > 9) });
}

/** All of them in the long run; otherwise the first, the last, and those around large changes. */
function chosen(kind: Kind, few: readonly number[]): ReleasedRows[] {
  const all = releasedRows(kind);
  return long ? all : all.filter(({ schema }) => few.includes(schema));
}

describe('a database of each released schema is upgraded, and everything reads: SQLite', () => {
  it('has rows of the schemas from 2 on without gaps: no server wrote the first one', () => {
    const schemas = releasedRows('sqlite').map(({ schema }) => schema);
    expect(schemas).toEqual(Array.from({ length: schemas.length }, (_, i) => i + 2));
  });

  it.each(chosen('sqlite', [2, 5, 8, 10, 14]))('schema $schema', async (rows) => {
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

  it('has rows of the schemas from 1 on without gaps', () => {
    const schemas = releasedRows('postgres').map(({ schema }) => schema);
    expect(schemas).toEqual(Array.from({ length: schemas.length }, (_, i) => i + 1));
  });

  it.each(chosen('postgres', [1, 9, 13]))('schema $schema', async (rows) => {
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
  const digest = (steps: readonly Migration[]) =>
    createHash('sha256')
      .update(steps.map(({ sql }) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()).join(';'))
      .digest('hex');

  it('are numbered from 1 without gaps', () => {
    for (const all of [ofSqlite, ofPostgres]) {
      expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1));
    }
  });

  it('are never changed', () => {
    expect(digest(ofSqlite.slice(0, 15))).toBe(
      '37d50349d1e95c0d90e48545c9fa5e4fd366a577f3b309aeaaff74642b860af8',
    );
    expect(digest(ofPostgres.slice(0, 14))).toBe(
      'aaa87c28b4dbc29f8ae24e6b995e60e89ccc8b8310f7c1743f6241e1717e4078',
    );
  });
});
