import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { GroupCommit, type WriteOptions } from './group-commit.ts';
import { SqliteDatabase } from './sqlite.ts';

function open(maxGroup?: number): SqliteDatabase {
  const db = new SqliteDatabase(join(temporaryDirectory(), 'x.db'), maxGroup);
  db.script('CREATE TABLE words (word TEXT PRIMARY KEY, filling BLOB) STRICT');
  onTestFinished(() => db.close());
  return db;
}

const add = (db: SqliteDatabase, word: string, bytes = 0, single = false) =>
  db.write(() => db.run('INSERT INTO words VALUES (?, ?)', word, Buffer.alloc(bytes)), { single });

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
    const answers = await Promise.allSettled([
      add(db, 'a'),
      failing,
      add(db, 'a'),
      add(db, 'a', 0, true),
      add(db, 'c', 0, true),
      add(db, 'b'),
    ]);
    const [yes, no] = ['fulfilled', 'rejected'];
    expect(answers.map(({ status }) => status)).toEqual([yes, no, no, no, yes, yes]);
    expect(words(db)).toEqual(['a', 'b', 'c']);
  });

  it('are stored exactly if they were acknowledged, also on a full disk', async () => {
    const db = open();
    db.all('PRAGMA max_page_count = 40');
    const names = Array.from({ length: 60 }, (_, i) => `word ${i}`);
    const answers = await Promise.allSettled(
      names.map((name, i) => add(db, name, (i % 7) * 2000, i % 2 === 0)),
    );
    const kept = names.filter((_, i) => answers[i]?.status === 'fulfilled');
    expect(answers.some(({ status }) => status === 'rejected')).toBe(true);
    expect(words(db)).toEqual(kept.toSorted());
    db.all('PRAGMA max_page_count = 400');
    await add(db, 'more', 5000);
    expect(words(db)).toContain('more');
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

describe('writes and the disk', () => {
  /** A group commit over a disk whose syncs end when they are told to. */
  function openDisk() {
    const events: string[] = [];
    const syncs: { resolve(): void; reject(error: Error): void }[] = [];
    const group = new GroupCommit({
      async transact(work) {
        const result = await work();
        events.push('commit');
        return result;
      },
      run: () => {},
      inTransaction: () => true,
      sync() {
        events.push('sync');
        return new Promise((resolve, reject) => {
          syncs.push({ resolve, reject });
        });
      },
    });
    const write = (name: string, onDisk: WriteOptions['onDisk']) =>
      group
        .write(() => {}, { onDisk })
        .then(
          () => events.push(name),
          (error: Error) => events.push(`${name}: ${error.message}`),
        );
    return { events, syncs, group, write };
  }

  it('those that wait are acknowledged by the next sync to begin, which they share; counters by their commit', async () => {
    const { events, syncs, write } = openDisk();
    const first = write('first', 'now');
    await expect.poll(() => syncs).toHaveLength(1);
    const more = [write('second', 'now'), write('third', 'now')];
    await write('counter', 'later');
    const fourth = write('fourth', 'now');
    await expect.poll(() => events).toEqual(['commit', 'sync', 'commit', 'counter', 'commit']);
    syncs[0]!.resolve();
    await first;
    await expect.poll(() => syncs).toHaveLength(2);
    syncs[1]!.reject(new Error('no disk'));
    await Promise.all([...more, fourth]);
    expect(events.slice(5)).toEqual([
      'sync',
      'first',
      'second: no disk',
      'third: no disk',
      'fourth: no disk',
    ]);
  });

  it('records reach it soon, counters when the database is closed', async () => {
    const { events, syncs, group, write } = openDisk();
    await write('record', 'soon');
    await expect.poll(() => syncs).toHaveLength(1);
    syncs[0]!.resolve();
    await write('counter', 'later');
    const closed = group.flush();
    await expect.poll(() => syncs).toHaveLength(2);
    syncs[1]!.resolve();
    await closed;
    expect(events).toEqual(['commit', 'record', 'sync', 'commit', 'counter', 'sync']);
  });
});
