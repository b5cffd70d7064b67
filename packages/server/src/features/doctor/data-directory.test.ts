import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { releasedKey } from '../../../test/support/released-schemas.ts';
import { type Broken, change, requireFinding } from '../../../test/support/sound-directory.ts';
import { type Environment, loadConfig } from '../../config/config.ts';
import { checkStore } from './contents.ts';

const isRoot = process.getuid?.() === 0;
const key = (dataDir: string) => join(dataDir, 'secret.key');
const database = (dataDir: string) => join(dataDir, 'wajah.db');

/** A program that holds the database for itself. */
function hold(dataDir: string): Environment {
  const other = new Database(database(dataDir));
  onTestFinished(() => void other.close());
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  return {};
}

const broken: Readonly<Record<string, Broken>> = {
  'a missing key': [
    (dataDir) => rmSync(key(dataDir)),
    'bad',
    'key',
    /missing, but the data are sealed under one; restore secret.key/,
  ],
  'a wrong key': [
    () => ({ WAJAH_SECRET_KEY: randomBytes(32).toString('hex') }),
    'bad',
    'key',
    /is not the key that these data were sealed under; give the right one/,
  ],
  'a key that every user can read': [
    (dataDir) => chmodSync(key(dataDir), 0o644),
    'bad',
    'key',
    /every user of this machine can access it; run chmod 600/,
  ],
  'half a key': [
    (dataDir) => writeFileSync(key(dataDir), releasedKey.slice(0, 40)),
    'bad',
    'key',
    /does not hold 64 hexadecimal digits; restore it from a backup/,
  ],
  'a signing key that is none': [
    (dataDir) => writeFileSync(join(dataDir, 'signing-key.json'), '{}', { mode: 0o600 }),
    'bad',
    'signing_key',
    /signing-key\.json does not hold a private Ed25519 key \(JWK\); restore it, or move it away/,
  ],
  'a folder in place of a signing key': [
    (dataDir) => {
      rmSync(join(dataDir, 'signing-key.json'), { force: true });
      mkdirSync(join(dataDir, 'signing-key.json'));
    },
    'bad',
    'signing_key',
    /signing-key\.json is no plain file$/,
  ],
  'a signing key that every user can read': [
    (dataDir) => writeFileSync(join(dataDir, 'signing-key.json'), '{}', { mode: 0o644 }),
    'bad',
    'signing_key',
    /every user of this machine can access it; run chmod 600/,
  ],
  'migrations that were emptied': [
    change('DELETE FROM migrations'),
    'bad',
    'database_schema',
    /the table migrations was emptied beside others, .*restore a backup/,
  ],
  'the database that a restore has replaced': [
    (dataDir) => writeFileSync(`${database(dataDir)}.before-restore-2026-01-31T12-00-00-000Z`, ''),
    'doubtful',
    'restore',
    /wajah\.db\.before-restore-2026-01-31T12-00-00-000Z .*erased since.*delete/,
  ],
  'a data directory that is a file': [
    (dataDir) => {
      writeFileSync(`${dataDir}.txt`, '');
      return { WAJAH_DATA_DIR: `${dataDir}.txt` };
    },
    'bad',
    'data_directory',
    /is no directory/,
  ],
  'a data directory that others can read': [
    (dataDir) => chmodSync(dataDir, 0o755),
    'doubtful',
    'data_directory',
    /accessible to other users \(mode 755\); restrict it/,
  ],
  'a data directory that its group can write in': [
    (dataDir) => chmodSync(dataDir, 0o770),
    'bad',
    'data_directory',
    /has mode 770, so its group can write in it; run chmod 700 on it/,
  ],
  'a damaged database': [
    (dataDir) => writeFileSync(database(dataDir), randomBytes(40_000)),
    'bad',
    'database',
    /is not a database, or its header is damaged; restore it from a backup/,
  ],
  'a database that another program holds': [
    hold,
    'bad',
    'database',
    /another program holds the file; stop it/,
  ],
  'a database of a newer version': [
    change(
      "INSERT INTO migrations VALUES (99, 'x', 0); INSERT OR REPLACE INTO meta VALUES ('migrated_by', '9.8.7')",
    ),
    'bad',
    'database_schema',
    /schema 99, which version 9\.8\.7 of Wajah wrote.*start version 9\.8\.7 or newer/,
  ],
  'a `wajah restore` that was killed': [
    (dataDir) => writeFileSync(`${database(dataDir)}.restoring`, ''),
    'bad',
    'restore',
    /restoring is of a restore that was interrupted.*run `wajah restore` again/,
  ],
  'a restore by hand that was interrupted': [
    (dataDir) => {
      renameSync(database(dataDir), `${database(dataDir)}.old`);
      writeFileSync(`${database(dataDir)}-wal`, '');
    },
    'bad',
    'database',
    /wajah.db is missing beside .*wajah.db-wal in .*put the same file back/,
  ],
  'templates that are migrated in part': [
    change("UPDATE galleries SET former_spec = ''"),
    'bad',
    'partly_migrated',
    /^\d galler\w+ with \d faces? .*migrated to the model pack \S+ .*in part.*run `wajah reembed --to \S+`, which completes it/,
  ],
  'a clock that is behind the records': [
    change('UPDATE audit SET at = 4102444800000 WHERE id = (SELECT max(id) FROM audit)'),
    'bad',
    'clock',
    /newest audit record is of 2100-01-01.*set the clock/,
  ],
  ...(isRoot && {
    'files of another user': [
      (dataDir: string) => chownSync(dataDir, 65534, 65534),
      'bad',
      'users',
      /wajah.db.* belong to another user than .*; chown -R 65534 '\/.*'/,
    ],
  }),
};

it.each(Object.entries(broken))('wajah doctor finds %s, and says what to do', (_, row) =>
  requireFinding('store', row),
);

it('says nothing of a key where the tables are of a schema that is not read', () => {
  const facts = { schema: 1, migratedBy: null, foreign: null, contents: null };
  const found = checkStore(facts, loadConfig({ WAJAH_SECRET_KEY: releasedKey }));
  expect(found.map(({ id }) => id)).toEqual(['database_schema']);
});
