import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Environment } from '../../src/config/config.ts';
import { type DoctorSection, runDoctor } from '../../src/doctor/doctor.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { releasedKey, releasedRows, writeReleasedFile } from '../support/released-schemas.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** An installation that something is wrong with. */
export interface Broken {
  readonly name: string;
  /** Breaks a sound data directory. @returns settings besides WAJAH_DATA_DIR */
  readonly make: (dataDir: string) => Environment | Promise<Environment>;
  /** The checks that must find it. */
  readonly section: DoctorSection;
  readonly finding: readonly [state: 'bad' | 'doubtful', what: string, found: RegExp];
}

let sound: string | undefined;

/** A data directory with a client, a gallery of two people and a key, as a server has left it. */
export function soundDirectory(): string {
  sound ??= writeSound(`${temporaryDirectory()}-sound`);
  const copy = join(temporaryDirectory(), 'data');
  cpSync(sound, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

function writeSound(directory: string): string {
  mkdirSync(directory, { mode: 0o700 });
  const file = join(directory, 'wajah.db');
  writeReleasedFile(file, releasedRows('sqlite').at(-1)!);
  void openSqliteStore(file).close();
  writeFileSync(join(directory, 'secret.key'), `${releasedKey}\n`, { mode: 0o600 });
  return directory;
}

/** Changes the rows of the database of a data directory. */
export function change(dataDir: string, sql: string): Environment {
  const db = new SqliteDatabase(join(dataDir, 'wajah.db'));
  db.script(sql);
  db.close();
  return {};
}

export async function requireFinding({
  make,
  section,
  finding: [state, what, found],
}: Broken): Promise<void> {
  const dataDir = soundDirectory();
  const env = { WAJAH_DATA_DIR: dataDir, ...(await make(dataDir)) };
  const findings = await runDoctor(env, [section]);
  const wrong = findings.filter((finding) => finding.state !== 'good');
  expect(wrong).toEqual(
    expect.arrayContaining([expect.objectContaining({ state, what, found: expect.stringMatching(found) })]),
  );
}
