import { describe, expect, it } from 'vitest';
import { newGallery, openStore, unlimited } from '../../../test/support/store.ts';

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
