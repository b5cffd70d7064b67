import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { face, newGallery, openStore } from '../../../../test/support/store.ts';
import { temporaryDirectory } from '../../../../test/support/temporary.ts';
import { SqliteDatabase } from '../connection/database.ts';
import { sqliteFaces } from './faces.ts';

describe('loading', () => {
  it('answers as of one moment while others write, replace and remove', async () => {
    const directory = temporaryDirectory();
    const store = openStore(directory);
    const { id } = await newGallery(store);
    const truth = [new Map<string, string>()];
    const note = (change: (now: Map<string, string>) => void) => {
      const now = new Map(truth.at(-1));
      change(now);
      truth.push(now);
    };
    const enrol = async (userId: string, text: string) => {
      await store.faces.enrol(id, face(userId, text), true);
      note((now) => now.set(userId, `name of ${text}`));
    };
    for (let i = 0; i < 60; i++) await enrol(`u${i}`, `u${i}`);

    const reader = new SqliteDatabase(join(directory, 'wajah.db'));
    let loading = true;
    const load = sqliteFaces(reader, 10)
      .load(id)
      .finally(() => {
        loading = false;
      });
    for (let i = 0; loading; i += 3) {
      const gone = `u${i % 60}`;
      if (await store.faces.remove(id, gone)) note((now) => now.delete(gone));
      await enrol(`u${(i + 1) % 60}`, `replaced ${i}`);
      await enrol(`new ${i}`, `new ${i}`);
      await nextTurn();
    }
    const snapshot = await load;
    reader.close();
    expect(snapshot!.version).toBeGreaterThan(60);
    const expected = truth[snapshot!.version]!;
    expect(new Map(snapshot!.faces.map((f) => [f.userId, f.userName]))).toEqual(expected);
    expect(snapshot!.total).toBe(expected.size);
    const seqs = snapshot!.faces.map((f) => f.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });
});
