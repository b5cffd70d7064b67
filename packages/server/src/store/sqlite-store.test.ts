import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditEntry, chain } from '../../test/support/audit.ts';
import { face, newGallery, openStore } from '../../test/support/store.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { OperatorError } from '../errors.ts';
import { SqliteDatabase } from './database/sqlite.ts';
import { migrate } from './database/sqlite-migrations.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** A store with 300 faces, of which some pages are overwritten. */
async function writeDatabase(directory: string, { damaged }: { damaged: boolean }): Promise<void> {
  const store = openStore(directory);
  const { id } = await newGallery(store);
  await Promise.all(Array.from({ length: 300 }, (_, i) => store.faces.put(id, face(`user ${i}`), false)));
  await store.close();
  const file = join(directory, 'wajah.db');
  const bytes = readFileSync(file);
  if (damaged) bytes.fill(0xa5, 4096 * 8, 4096 * 14);
  writeFileSync(file, bytes);
}

describe('a store that is opened', () => {
  it('keeps its log when another program reads the file and closes it', async () => {
    const directory = temporaryDirectory();
    await openStore(directory).close();
    const store = openStore(directory);
    const { id } = await newGallery(store);
    await store.faces.put(id, face('u1'), false);
    const file = join(directory, 'wajah.db');
    const driver = createRequire(import.meta.url).resolve('libsql');
    const look = `const db = new (require(process.argv[1]))(process.argv[2]);
      process.stdout.write(String(db.prepare('SELECT count(*) AS n FROM faces').get().n)); db.close();`;
    expect(execFileSync(process.execPath, ['-e', look, driver, file], { encoding: 'utf8' })).toBe('1');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await store.close();
  });

  it('returns all data unchanged after a restart, from a file that only its owner can access', async () => {
    const directory = temporaryDirectory();
    const first = openStore(directory);
    const { id } = await newGallery(first);
    await first.faces.put(id, face('u1'), false);
    await first.clients.takeHits('alice');
    const entry = auditEntry({ clientId: 'alice', facts: { a: 1, b: true, c: 'x' } });
    await first.audit.append([entry], chain);
    const modes = () =>
      readdirSync(directory)
        .filter((name) => name.startsWith('wajah.db'))
        .map((name) => `${name} ${(statSync(join(directory, name)).mode & 0o777).toString(8)}`);
    const whileOpen = [
      'wajah.db 600',
      'wajah.db-mark 600',
      'wajah.db-reserve 600',
      'wajah.db-shm 600',
      'wajah.db-wal 600',
    ];
    expect(modes()).toEqual(whileOpen);
    await first.close();
    expect(modes()).toContain('wajah.db 600');
    // As a copy that was put in place by hand.
    chmodSync(join(directory, 'wajah.db'), 0o644);

    const second = openStore(directory);
    expect(modes()).toEqual(whileOpen);
    expect(await second.faces.get(id, 'u1')).toMatchObject({ userName: 'name of u1', seq: 1 });
    expect(Buffer.from((await second.faces.get(id, 'u1'))!.template)).toEqual(Buffer.from('template u1'));
    const gallery = await second.galleries.get('alice', 'main');
    expect(gallery).toMatchObject({ id, version: 1, faces: 1, embeddingSpec: 'c' });
    expect(gallery?.wrappedKey).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(gallery!.wrappedKey)).toEqual(Buffer.from(`key ${id}`));
    expect((await second.clients.get('alice'))?.used).toEqual({ hits: 1, faces: 1, galleries: 1 });
    expect(await second.audit.list({ limit: 10 })).toMatchObject([{ ...entry, link: { number: 1 } }]);
  });

  it('is refused when the file is no database', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'wajah.db'), 'no database at all '.repeat(1000));
    expect(() => openStore(directory)).toThrow(/wajah\.db of the data directory: the file is not a database/);
  });

  it('is refused when pages are damaged', async () => {
    const directory = temporaryDirectory();
    await writeDatabase(directory, { damaged: true });
    expect(() => openStore(directory)).toThrow(/the file is damaged/);
  });

  it.each([true, false])('is checked afterwards when the file is large; damaged: %s', async (damaged) => {
    const directory = temporaryDirectory();
    await writeDatabase(directory, { damaged });
    const store = openSqliteStore(join(directory, 'wajah.db'), { checked: 0 });
    await store.ping();
    const found: string[] = [];
    const check = store.checkFile((damage) => found.push(damage));
    onTestFinished(async () => {
      check.stop();
      await store.close();
    });
    if (damaged) {
      await expect.poll(() => found.length).toBe(1);
      await expect(store.ping()).rejects.toThrow(/the file is damaged/);
    } else {
      await check.damage;
      expect(found).toEqual([]);
      await store.ping();
    }
  });

  it('is refused when another program wrote it', () => {
    const other = temporaryDirectory();
    const foreign = new SqliteDatabase(join(other, 'wajah.db'));
    foreign.script('CREATE TABLE songs (title TEXT)');
    foreign.close();
    expect(() => openStore(other)).toThrow(OperatorError);
    expect(() => openStore(other)).toThrow(/another program/);
  });

  it('rolls back a failed migration', () => {
    const db = new SqliteDatabase(join(temporaryDirectory(), 'x.db'));
    const broken = { number: 1, name: 'broken', sql: 'CREATE TABLE half (a); CREATE TABLE half (b);' };
    expect(() => migrate(db, [broken])).toThrow(/already exists/);
    expect(db.all("SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([]);
    expect(db.all('SELECT * FROM migrations')).toEqual([]);
    migrate(db, [{ ...broken, sql: 'CREATE TABLE half (a)' }]);
    expect(db.all('SELECT number, name FROM migrations')).toEqual([{ number: 1, name: 'broken' }]);
    db.close();
  });

  it.each(['removed', 'replaced'])('refuses writes after its file was %s', async (what) => {
    const directory = temporaryDirectory();
    const file = join(directory, 'wajah.db');
    const store = openStore(directory);
    const { id } = await newGallery(store);
    expect(await store.faces.put(id, face('u1'), false)).toBe(1);
    if (what === 'removed') rmSync(file);
    else copyAnew(file);
    const why = 'was removed or replaced while the server runs';
    await expect(store.faces.put(id, face('u2'), false)).rejects.toThrow(why);
    await expect(store.ping()).rejects.toThrow(why);
    expect((await store.faces.list(id)).map(({ userId }) => userId)).toEqual(['u1']);
  });
});

function copyAnew(file: string): void {
  copyFileSync(file, `${file}.other`);
  renameSync(`${file}.other`, file);
}
