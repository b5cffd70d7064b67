import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Environment } from '../../src/config/config.ts';
import { type Finding, textOf } from '../../src/config/finding.ts';
import { type DoctorSection, runDoctor } from '../../src/features/doctor/doctor.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { releasedKey, releasedRows, writeReleasedFile } from './released-schemas.ts';
import { temporaryDirectory } from './temporary.ts';

/**
 * What breaks a sound data directory, and may return settings besides WAJAH_DATA_DIR; then the finding of the section
 * and what it must say.
 */
export type Broken = readonly [
  // biome-ignore lint/suspicious/noConfusingVoidType: what breaks returns anything
  make: (dataDir: string) => Environment | Promise<Environment> | void,
  severity: Finding['severity'],
  id: string,
  found: RegExp,
];

let sound: string | undefined;

/** A data directory with a client, a gallery of two people and a key, as a server has left it. */
export function soundDirectory(): string {
  sound ??= writeSound(`${temporaryDirectory()}-sound`);
  const copy = join(temporaryDirectory(), 'data');
  // Node 22 and newer copy a folder without its mode.
  mkdirSync(copy, { mode: 0o700 });
  cpSync(sound, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

function writeSound(directory: string): string {
  mkdirSync(directory, { mode: 0o700 });
  const file = join(directory, 'wajah.db');
  writeReleasedFile(file, releasedRows().at(-1)!);
  void openSqliteStore(file).close();
  writeFileSync(join(directory, 'secret.key'), `${releasedKey}\n`, { mode: 0o600 });
  return directory;
}

/** Changes the rows of the database of a data directory. @param env settings besides */
export const change =
  (sql: string, env: Environment = {}) =>
  (dataDir: string): Environment => {
    const db = new SqliteDatabase(join(dataDir, 'wajah.db'));
    db.script(sql);
    db.close();
    return env;
  };

export async function requireFinding(
  section: DoctorSection,
  [make, severity, id, found]: Broken,
): Promise<void> {
  const dataDir = soundDirectory();
  const env = { WAJAH_DATA_DIR: dataDir, ...(await make(dataDir)) };
  const findings = await runDoctor(env, [section]);
  expect(findings.map((one) => [one.severity, one.id, textOf(one)])).toContainEqual([
    severity,
    id,
    expect.stringMatching(found),
  ]);
  // Nothing beside it says otherwise of the same thing.
  const others = findings.filter((finding) => finding.id === id && finding.severity !== severity);
  expect(others).toEqual([]);
}
