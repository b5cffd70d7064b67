import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backupOperations } from '../../../../tools/src/backup.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openPostgresStore } from '../../../src/store/postgres-store.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { newDatabase, noPostgres } from '../../support/postgres.ts';
import { releasedSettings, requireEverything, verifyTrail } from '../../support/released-contents.ts';
import {
  type ReleasedRows,
  releasedRows,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../support/released-schemas.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

type Environment = Record<string, string>;

const backups = (env: Environment) => backupOperations(loadConfig({ ...releasedSettings, ...env }), '0.0.1');

/** Backs up one store and restores it into another. */
async function restoreInto(target: Environment, source: Environment, schema: number): Promise<void> {
  const file = join(temporaryDirectory(), 'backup');
  await backups(source).backup(file, {}, () => undefined);
  const { head } = await backups(source).verify(file, {});
  expect(head.schema).toBe(schema);
  await backups(target).restore(file, {}, false, () => undefined);
}

function releasedDirectory(rows: ReleasedRows): Environment {
  const dataDir = temporaryDirectory();
  writeReleasedFile(join(dataDir, 'wajah.db'), rows);
  return { WAJAH_DATA_DIR: dataDir };
}

describe('a backup of each released schema is restored and upgraded: SQLite', () => {
  it.each(releasedRows('sqlite'))('schema $schema', async (rows) => {
    const target = temporaryDirectory();
    await restoreInto({ WAJAH_DATA_DIR: target }, releasedDirectory(rows), rows.schema);
    const store = openSqliteStore(join(target, 'wajah.db'));
    await requireEverything(store, rows);
    await store.close();
    await verifyTrail({ WAJAH_DATA_DIR: target });
  });
});

describe.skipIf(noPostgres)('a backup of each released schema is restored and upgraded: PostgreSQL', () => {
  it.each(releasedRows('postgres'))('schema $schema', async (rows) => {
    const [from, to] = [await newDatabase(), await newDatabase()];
    await writeReleasedDatabase(from, rows);
    await restoreInto({ WAJAH_DATABASE_URL: to }, { WAJAH_DATABASE_URL: from }, rows.schema);
    const store = await openPostgresStore({ url: to });
    onTestFinished(() => store.close());
    await requireEverything(store, rows);
    await verifyTrail({ WAJAH_DATABASE_URL: to });
  });
});
