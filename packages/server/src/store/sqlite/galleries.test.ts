import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newGallery, openStore, unlimited } from '../../../test/support/store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { SqliteDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { initial } from './migrations/0001-initial.ts';

describe('galleries', () => {
  it('have numbers that are never used again, and names within one client', async () => {
    const store = openStore();
    const first = await newGallery(store);
    expect(await store.galleries.create('alice', 'main', () => Buffer.alloc(1))).toBe('exists');
    expect(await store.galleries.remove('alice', 'main')).toBe(true);
    expect(await store.galleries.remove('alice', 'main')).toBe(false);
    const second = await newGallery(store);
    expect(second.id).toBeGreaterThan(first.id);
    const other = await newGallery(store, 'bob');
    expect(other.id).toBeGreaterThan(second.id);
    expect((await store.galleries.list('bob')).map((gallery) => gallery.id)).toEqual([other.id]);
  });

  it('are not more than the quota, however many are made at once', async () => {
    const store = openStore();
    await newGallery(store, 'a', { ...unlimited, galleries: 4 });
    const names = Array.from({ length: 10 }, (_, i) => `g${i}`);
    const made = await Promise.all(
      names.map((name) => store.galleries.create('a', name, () => Buffer.alloc(1))),
    );
    expect(made.filter((gallery) => gallery === 'quota')).toHaveLength(7);
    expect((await store.clients.get('a'))?.used.galleries).toBe(4);
  });
});

describe('what the operator sets on a gallery', () => {
  it('is kept, each apart, and taken back with null', async () => {
    const store = openStore();
    await newGallery(store);
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ threshold: null, curve: null });
    expect(await store.galleries.tune('alice', 'main', { threshold: 0.8 })).toBe(true);
    expect(await store.galleries.tune('alice', 'main', { curve: '{}' })).toBe(true);
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ threshold: 0.8, curve: '{}' });
    await store.galleries.tune('alice', 'main', { threshold: null });
    expect(await store.galleries.list('alice')).toMatchObject([{ threshold: null, curve: '{}' }]);
    expect(await store.galleries.tune('alice', 'nowhere', { threshold: 1 })).toBe(false);
  });

  it('comes to a store that an older version made', async () => {
    const directory = temporaryDirectory();
    const db = new SqliteDatabase(join(directory, 'wajah.db'));
    migrate(db, [initial]);
    db.run("INSERT INTO clients VALUES ('alice', NULL, 0, 0, -1, -1, -1, 0)");
    db.run("INSERT INTO galleries (client_id, gallery_id, created_at) VALUES ('alice', 'old', 7)");
    db.run("INSERT INTO gallery_keys VALUES (1, x'0102')");
    db.close();
    const store = openStore(directory);
    expect(await store.galleries.get('alice', 'old')).toMatchObject({ id: 1, threshold: null, curve: null });
    expect(await store.galleries.tune('alice', 'old', { threshold: 0.5 })).toBe(true);
  });
});
