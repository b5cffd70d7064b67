import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { SqliteDatabase } from './sqlite.ts';

function open(maxGroup?: number): SqliteDatabase {
  const db = new SqliteDatabase(join(temporaryDirectory(), 'x.db'), maxGroup);
  db.script('CREATE TABLE words (word TEXT PRIMARY KEY, filling BLOB) STRICT');
  onTestFinished(() => db.close());
  return db;
}

const add = (db: SqliteDatabase, word: string, bytes = 0) =>
  db.write(() => db.run('INSERT INTO words VALUES (?, ?)', word, Buffer.alloc(bytes)));

const words = (db: SqliteDatabase) =>
  db.all<{ word: string }>('SELECT word FROM words ORDER BY word').map(({ word }) => word);

/** How many of the writes are acknowledged once the first one is. */
async function together(db: SqliteDatabase, count: number): Promise<number> {
  let acknowledged = 0;
  const writes = Array.from({ length: count }, (_, i) => add(db, String(i)).then(() => acknowledged++));
  await writes[0];
  await Promise.resolve();
  const seen = acknowledged;
  await Promise.all(writes);
  return seen;
}

describe('concurrent writes', () => {
  it('share a transaction, up to the maximum of a group', async () => {
    expect(await together(open(), 20)).toBe(20);
    expect(await together(open(5), 20)).toBe(5);
    expect(await together(open(1), 3)).toBe(1);
  });

  it('see the writes before them, and are visible only when they are acknowledged', async () => {
    const db = open();
    const seen: number[] = [];
    const writes = ['a', 'b', 'c'].map((word) =>
      db.write(() => {
        db.run('INSERT INTO words VALUES (?, NULL)', word);
        seen.push(words(db).length);
      }),
    );
    expect(words(db)).toEqual([]);
    await Promise.all(writes);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('are not read by others while they are open', async () => {
    const db = open();
    const seen = await db.shared.transaction(async (session) => {
      await session.run('INSERT INTO words VALUES ($1, NULL)', 'open');
      const sql = 'SELECT word FROM words';
      return [(await session.all(sql)).length, (await db.shared.all(sql)).length];
    });
    expect(seen).toEqual([1, 0]);
    expect(await db.shared.all('SELECT word FROM words')).toEqual([{ word: 'open' }]);
  });

  it('fail independently, and are rolled back whole', async () => {
    const db = open();
    const failing = db.write(() => {
      db.run("INSERT INTO words VALUES ('half', NULL)");
      throw new Error('no');
    });
    const answers = await Promise.allSettled([add(db, 'a'), failing, add(db, 'a'), add(db, 'b')]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(words(db)).toEqual(['a', 'b']);
  });

  it('are stored exactly if they were acknowledged, also on a full disk', async () => {
    const db = open();
    db.all('PRAGMA max_page_count = 40');
    const names = Array.from({ length: 60 }, (_, i) => `word ${i}`);
    const answers = await Promise.allSettled(names.map((name, i) => add(db, name, (i % 7) * 2000)));
    const kept = names.filter((_, i) => answers[i]?.status === 'fulfilled');
    expect(answers.some(({ status }) => status === 'rejected')).toBe(true);
    expect(words(db)).toEqual(kept.toSorted());
    db.all('PRAGMA max_page_count = 400');
    await add(db, 'more', 5000);
    expect(words(db)).toContain('more');
  });

  it('wait for the disk, unless all of a group are counters', async () => {
    const db = open();
    const synchronous = () => db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;
    const count = () => db.shared.count('UPDATE words SET filling = NULL');
    await count();
    // 1 is NORMAL, 2 is FULL.
    expect(synchronous()).toBe(1);
    await Promise.all([count(), add(db, 'a'), count()]);
    expect(synchronous()).toBe(2);
  });

  it('that are queued are committed when the database is closed; later ones are refused', async () => {
    const directory = temporaryDirectory();
    const db = new SqliteDatabase(join(directory, 'x.db'));
    db.script('CREATE TABLE words (word TEXT PRIMARY KEY, filling BLOB) STRICT');
    const write = add(db, 'last');
    const closed = db.flushAndClose();
    await write;
    await expect(add(db, 'late')).rejects.toThrow('closed');
    await closed;
    const again = new SqliteDatabase(join(directory, 'x.db'));
    expect(words(again)).toEqual(['last']);
    again.close();
  });
});
