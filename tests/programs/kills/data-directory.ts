import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { lockDataDirectory, readOwner } from '../../../packages/server/src/store/data-directory.ts';
import { migrations } from '../../../packages/server/src/store/database/schema.ts';
import { requireEverything, requirePlan } from '../../../packages/server/test/support/released-contents.ts';
import {
  releasedRows,
  writeReleasedDatabase,
  writeReleasedFile,
} from '../../../packages/server/test/support/released-schemas.ts';
import { killAtLines, type Place, script } from './place.ts';

/** It is free at once, whatever the content of the lock file. */
export async function directoryIsFree({ settings: { WAJAH_DATA_DIR: path } }: Place): Promise<void> {
  const run = script('own-directory.mjs', path);
  await killAtLines(run, (lines) => lines.length > 0 && isOwnedBy(path, run.pid));
  // As if the number had been given to another process, which is alive: this one.
  const left = JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'));
  writeFileSync(join(path, 'owner.json'), JSON.stringify({ ...left, pid: process.pid }));
  expect(readOwner(path)).toBeNull();
  lockDataDirectory(path).release();
}

function isOwnedBy(path: string, pid: number): boolean {
  expect(readOwner(path)).toMatchObject({ pid, url: 'http://127.0.0.1:8080' });
  expect(() => lockDataDirectory(path)).toThrow(`process ${pid} on`);
  return true;
}

/** The next process goes on (SQLite: each step is committed) or starts again (PostgreSQL), and everything reads. */
export async function migrationIsCompleted(place: Place): Promise<void> {
  const isFile = place.kind === 'SQLite';
  const kind = isFile ? 'sqlite' : 'postgres';
  const rows = releasedRows().at(-1)!;
  const target = isFile ? place.file : place.address;
  if (isFile) writeReleasedFile(target, rows);
  else await writeReleasedDatabase(target, rows);
  // It has run the statements of a further step.
  await killAtLines(script('migrate-and-stop.mjs', kind, target), (lines) => lines.includes('not committed'));
  const schema = isFile ? migrations.sqlite.at(-1)!.number : rows.schema;
  const { WAJAH_SECRET_KEY: _, ...env } = place.settings;
  await requirePlan(env, schema, migrations[kind]);
  const store = await place.openStore();
  await requireEverything(store, rows);
  await store.close();
  // Nothing is left of the statements, which would fail the second time.
  const again = script('migrate-and-stop.mjs', kind, target, 'go on');
  expect(await again.finished).toMatchObject({ code: 0, err: '' });
}
