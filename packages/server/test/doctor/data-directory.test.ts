import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Environment } from '../../src/config/config.ts';
import { fileSystemOf } from '../../src/doctor/disk.ts';
import { releasedKey } from '../support/released-schemas.ts';
import { type Broken, change, requireFinding } from './installation.ts';

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

const keys: Broken[] = [
  {
    name: 'a missing key',
    make: (dataDir) => {
      rmSync(key(dataDir));
      return {};
    },
    section: 'store',
    finding: ['bad', 'key', /missing, but the data are sealed under one; restore secret.key/],
  },
  {
    name: 'a wrong key',
    make: () => ({ WAJAH_SECRET_KEY: randomBytes(32).toString('hex') }),
    section: 'store',
    finding: ['bad', 'key', /not the key that the data are sealed under; restore/],
  },
  {
    name: 'a key that every user can read',
    make: (dataDir) => {
      chmodSync(key(dataDir), 0o644);
      return {};
    },
    section: 'store',
    finding: ['bad', 'key', /every user of this machine can access it; run chmod 600/],
  },
  {
    name: 'half a key',
    make: (dataDir) => {
      writeFileSync(key(dataDir), releasedKey.slice(0, 40));
      return {};
    },
    section: 'store',
    finding: ['bad', 'key', /does not hold 64 hexadecimal digits; restore it from a backup/],
  },
];

const stored: Broken[] = [
  {
    name: 'a data directory that is a file',
    make: (dataDir) => {
      writeFileSync(`${dataDir}.txt`, '');
      return { WAJAH_DATA_DIR: `${dataDir}.txt` };
    },
    section: 'store',
    finding: ['bad', 'data directory', /is no directory/],
  },
  {
    name: 'a data directory that others can read',
    make: (dataDir) => {
      chmodSync(dataDir, 0o755);
      return {};
    },
    section: 'store',
    finding: ['doubtful', 'data directory', /accessible to other users \(mode 755\); restrict it/],
  },
  {
    name: 'a damaged database',
    make: (dataDir) => {
      writeFileSync(database(dataDir), randomBytes(40_000));
      return {};
    },
    section: 'store',
    finding: ['bad', 'database', /is not a database, or its header is damaged; restore it from a backup/],
  },
  {
    name: 'a database that another program holds',
    make: hold,
    section: 'store',
    finding: ['bad', 'database', /another program holds the file; stop it/],
  },
  {
    name: 'a database of a newer version',
    make: (dataDir) =>
      change(
        dataDir,
        "INSERT INTO migrations VALUES (99, 'x', 0); INSERT OR REPLACE INTO meta VALUES ('migrated_by', '9.8.7')",
      ),
    section: 'store',
    finding: [
      'bad',
      'database schema',
      /schema 99, which version 9\.8\.7 of Wajah wrote.*start version 9\.8\.7 or newer/,
    ],
  },
  {
    name: 'a copy that was interrupted',
    make: (dataDir) => change(dataDir, "INSERT INTO meta VALUES ('copying', 'elsewhere')"),
    section: 'store',
    finding: ['bad', 'copy', /incomplete copy of elsewhere.*finish it with `wajah migrate-store`/],
  },
  {
    name: 'a `wajah restore` that was killed',
    make: (dataDir) => {
      writeFileSync(`${database(dataDir)}.restoring`, '');
      return {};
    },
    section: 'store',
    finding: ['bad', 'restore', /restoring is of a restore that was interrupted.*run `wajah restore` again/],
  },
  {
    name: 'a restore by hand that was interrupted',
    make: (dataDir) => {
      renameSync(database(dataDir), `${database(dataDir)}.old`);
      writeFileSync(`${database(dataDir)}-wal`, '');
      return {};
    },
    section: 'store',
    finding: ['bad', 'database', /wajah.db is missing beside wajah.db-wal: a restore was interrupted/],
  },
  {
    name: 'a clock that is behind the records',
    make: (dataDir) =>
      change(dataDir, 'UPDATE audit SET at = 4102444800000 WHERE id = (SELECT max(id) FROM audit)'),
    section: 'store',
    finding: ['bad', 'clock', /newest audit record is of 2100-01-01.*set the clock/],
  },
  {
    name: 'a gallery that does not fit into memory',
    make: (dataDir) => {
      change(dataDir, 'UPDATE galleries SET faces = 5000000 WHERE faces > 0');
      return { WAJAH_MATCH_MEMORY_MB: '100' };
    },
    section: 'store',
    finding: [
      'doubtful',
      'memory of galleries',
      /the largest gallery needs \d{4} MiB, WAJAH_MATCH_MEMORY_MB is 100/,
    ],
  },
  {
    name: 'galleries of another model pack',
    make: (dataDir) =>
      change(
        dataDir,
        `UPDATE galleries SET embedding_spec = replace(embedding_spec, '"builtin"', '"former"')`,
      ),
    section: 'store',
    finding: [
      'bad',
      'galleries',
      /1 with 2 faces were enrolled with the model pack former.*wajah reembed --to builtin/,
    ],
  },
  {
    name: 'a calibration of another model pack',
    make: (dataDir) =>
      change(dataDir, `INSERT INTO meta VALUES ('calibration', '{"contract":{"pack":"former"},"curve":{}}')`),
    section: 'store',
    finding: [
      'bad',
      'calibration',
      /fitted to the model pack former.*wajah calibrate --gallery --install server/,
    ],
  },
];

describe('wajah doctor on a data directory', () => {
  it.each([...keys, ...stored])('finds $name, and says what to do', requireFinding);

  it.skipIf(!isRoot)('finds files of another user, and says what to do', () =>
    requireFinding({
      name: '',
      make: (dataDir) => {
        chownSync(dataDir, 65534, 65534);
        return {};
      },
      section: 'store',
      finding: ['bad', 'users', /wajah.db.* belong to another user than .*; chown -R 65534/],
    }),
  );
});

describe('the file system of a directory', () => {
  const table =
    'overlay / overlay rw 0 0\nserver:/x /srv nfs4 rw 0 0\n/dev/sda /srv/local\\040disk ext4 rw 0 0\n';
  it.each([
    ['/srv/data', 'nfs4'],
    ['/srv/local disk/data', 'ext4'],
    ['/srvother', 'overlay'],
  ])('%s is %s', (path, type) => {
    expect(fileSystemOf(path, table)).toBe(type);
  });
});
