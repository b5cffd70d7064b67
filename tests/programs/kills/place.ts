import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { lockDataDirectory } from '../../../packages/server/src/store/data-directory.ts';
import { SqliteDatabase } from '../../../packages/server/src/store/database/sqlite.ts';
import { type Installation, installations } from '../../support/installations.ts';
import { type Finished, Run } from '../../support/program.ts';

export type StoreKind = 'SQLite' | 'PostgreSQL';

/** An installation whose programs are killed, and what they may have left of it. */
export interface Place extends Installation {
  readonly kind: StoreKind;
  /** Master key in the settings. */
  readonly key: Buffer;
  /** File of the embedded store, also where there is none. */
  readonly file: string;
  /** What scripts open: the data directory or the URL of the database. */
  readonly address: string;
  /** Bytes that the store takes on the disk, also what is not committed. */
  size(): Promise<number>;
  /** After no process uses the database any more. */
  free(): Promise<void>;
}

export const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** A new one. @param key its master key */
export async function newPlace(kind: StoreKind, key: Buffer = randomBytes(32)): Promise<Place> {
  const made = await new Map(installations).get(kind)!();
  const { ask, settings, openStore } = made;
  const file = join(settings.WAJAH_DATA_DIR, 'wajah.db');
  const files = [`${file}.restoring`, file].flatMap((name) => [name, `${name}-wal`]);
  return {
    kind,
    key,
    file,
    ask,
    openStore,
    settings: { ...settings, WAJAH_SECRET_KEY: key.toString('hex') },
    address: settings['WAJAH_DATABASE_URL'] ?? settings.WAJAH_DATA_DIR,
    size: async () =>
      ask ? ask((name) => `pg_database_size('${name}')`) : files.reduce((sum, one) => sum + sizeOf(one), 0),
    async free() {
      const users = (name: string) => `SELECT count(*) FROM pg_stat_activity WHERE datname = '${name}'`;
      while (ask && (await ask(users)) > 0) await delay(20);
    },
  };
}

/** A script of the server's tests; it imports the output of the build. */
export function script(name: string, ...args: string[]): Run {
  const path = fileURLToPath(new URL(`../../../packages/server/test/scripts/${name}`, import.meta.url));
  return new Run({}, [path, ...args], [process.execPath]);
}

/** Kills a program when `reached` is true, or waits for its end if that comes before. */
export async function killWhen(run: Run, reached: () => boolean | Promise<boolean>): Promise<Finished> {
  let ended = false;
  const noted = run.finished.then(() => {
    ended = true;
  });
  while (!ended && !(await reached())) await delay(2);
  const done = await run.stop('SIGKILL');
  await noted;
  return done;
}

const linesOf = (out: string): string[] => out.split('\n').slice(0, -1);

/** Kills a program at the lines that it has printed; it must not have ended before. @returns all lines */
export async function killAtLines(run: Run, reached: (lines: string[]) => boolean): Promise<string[]> {
  const { out, signal } = await killWhen(run, () => reached(linesOf(run.out)));
  expect(signal, run.err).toBe('SIGKILL');
  return linesOf(out);
}

/** What holds after any kill: nobody owns the data directory, and no page or row of the store is damaged. */
export async function expectWhole(place: Place): Promise<void> {
  lockDataDirectory(place.settings.WAJAH_DATA_DIR).release();
  if (!existsSync(place.file)) return;
  const database = new SqliteDatabase(place.file);
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
  database.close();
}
