import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/errors.ts';
import { SqliteDatabase } from '../../src/store/sqlite/database.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a full disk is no defect of the server: the write is refused whole, and the next one after it is possible', async () => {
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
