import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/errors.ts';
import { SqliteDatabase } from '../../src/store/database/sqlite.ts';
import { openSqliteDatabase } from '../../src/store/sqlite-store.ts';
import { ended, linesOf, startLimitedChild } from '../support/child.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a write on a full disk is refused whole, and later ones succeed when there is space', async () => {
  const database = new SqliteDatabase(join(temporaryDirectory(), 'full.db'));
  database.script('CREATE TABLE rows (name TEXT, filling BLOB)');
  const [page] = database.all<{ page_count: number }>('PRAGMA page_count');
  database.all(`PRAGMA max_page_count = ${(page?.page_count ?? 0) + 2}`);
  const put = (name: string) =>
    database.write(() => {
      database.run('INSERT INTO rows VALUES (?, ?)', name, null);
      database.run('INSERT INTO rows VALUES (?, ?)', name, new Uint8Array(100_000));
    });
  const names = () => database.all<{ name: string }>('SELECT name FROM rows').map((row) => row.name);

  const refused = await Promise.allSettled([put('a'), put('b')]);
  for (const { status, reason } of refused as PromiseRejectedResult[]) {
    expect(status).toBe('rejected');
    expect(reason).toBeInstanceOf(StoreUnavailable);
    expect(reason.message).toBe('the disk of the store is full');
  }
  expect(names()).toEqual([]);

  database.all('PRAGMA max_page_count = 1000');
  await put('c');
  expect(names()).toEqual(['c', 'c']);
  database.close();
});

it('the test write runs only after a failed write, until one succeeds', async () => {
  const file = join(temporaryDirectory(), 'full.db');
  const database = openSqliteDatabase(file);
  const [page] = database.all<{ page_count: number }>('PRAGMA page_count');
  const changes = () => database.get<{ sum: number }>('SELECT total_changes() AS sum')!.sum;
  database.all(`PRAGMA max_page_count = ${(page?.page_count ?? 0) + 2}`);
  // The disk is full already, but no write has failed yet.
  const first = changes();
  await database.requireWritable();
  expect(changes()).toBe(first);

  const fill = database.write(() => database.run("INSERT INTO meta VALUES ('a', ?)", 'x'.repeat(100_000)));
  await expect(fill).rejects.toThrow('the disk of the store is full');
  const asked = Array.from({ length: 10 }, () => database.requireWritable());
  for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[]) {
    expect(reason).toBeInstanceOf(StoreUnavailable);
  }
  // A small row would fit; the space is left to erasures.
  const add = () => database.write(() => database.run("INSERT INTO meta VALUES ('b', '')"));
  await expect(add()).rejects.toThrow('the disk of the store is full');

  database.all('PRAGMA max_page_count = 1000');
  await expect.poll(() => database.requireWritable().then(() => 'works', String)).toBe('works');
  await add();
  const added = database.all<{ key: string }>("SELECT key FROM meta WHERE key IN ('a', 'b')");
  expect(added.map(({ key }) => key)).toEqual(['b']);
  const before = changes();
  await database.requireWritable();
  expect(changes()).toBe(before);
  database.close();
});

it('an erasure on a full disk does not crash the process or block its exit', async () => {
  const file = join(temporaryDirectory(), 'full.db');
  const database = new SqliteDatabase(file);
  database.script('CREATE TABLE rows (filling BLOB)');
  await database.write(() => database.run('INSERT INTO rows VALUES (?)', new Uint8Array(1_000_000)));
  database.close();
  const limit = Math.floor(statSync(file).size / 1024);
  const child = startLimitedChild(limit, 'close-on-a-full-disk.mjs', file);
  const said: string[] = [];
  for await (const line of linesOf(child)) said.push(line);
  await ended(child);
  expect(said).toEqual(['written', 'purged', 'closed']);
  expect(child.exitCode).toBe(0);
  const again = new SqliteDatabase(file);
  const sizes = again
    .all<{ size: number }>('SELECT length(filling) AS size FROM rows')
    .map(({ size }) => size);
  expect(sizes).toEqual([1_000_000, 200_000, 10]);
  again.close();
});
