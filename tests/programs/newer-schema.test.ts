import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../packages/server/src/store/database/sqlite.ts';
import { newDatabase, noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { type Settings, wajah } from '../support/program.ts';

/** Commands that open the store. */
const commands = [
  'client list',
  'client create next',
  'token list acme',
  'gallery list acme',
  'keys rotate',
  'audit list',
  'audit verify',
  'crops erase --yes',
  'migrate',
  'migrate --dry-run',
];

const newer =
  /schema 99, which version 9\.8\.7 of Wajah wrote; this is version \d\S+, which supports schemas up to \d+: start version 9\.8\.7 or newer, or restore a backup/;

async function requireRefusals(settings: Settings, more: readonly string[]): Promise<void> {
  const refusals = [];
  for (const line of [...commands, ...more]) {
    const { code, err } = await wajah(settings, ...line.split(' '));
    refusals.push({ line, code, err });
  }
  expect(refusals.filter(({ code, err }) => code !== 1 || !newer.test(err))).toEqual([]);
}

describe('a store that a newer version has migrated is refused by the server and by every command', () => {
  it('SQLite', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(settings, 'client', 'create', 'acme');
    const db = new SqliteDatabase(join(settings.WAJAH_DATA_DIR, 'wajah.db'));
    db.script(
      "INSERT INTO migrations VALUES (99, 'later', 0); UPDATE meta SET value = '9.8.7' WHERE key = 'migrated_by'",
    );
    db.close();
    const to = temporaryDirectory();
    await requireRefusals(settings, ['serve', `backup ${to}/x.db`, `migrate-store --from data --to ${to}`]);
  });

  it.skipIf(noPostgres)('PostgreSQL', async () => {
    const url = await newDatabase();
    const settings = { WAJAH_DATABASE_URL: url, WAJAH_SECRET_KEY: randomBytes(32).toString('hex') };
    await wajah(settings, 'client', 'create', 'acme');
    await (await PostgresServer.shared()).query(
      "INSERT INTO wajah_migrations VALUES (99, 'later', 0); UPDATE meta SET value = '9.8.7' WHERE key = 'migrated_by'",
      url.split('/').at(-1),
    );
    await requireRefusals(settings, [`backup ${temporaryDirectory()}/x`]);
  });
});
