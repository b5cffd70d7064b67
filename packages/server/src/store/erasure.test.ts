import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { allFaces, face, newGallery, openStore, unlimited } from '../../test/support/store.ts';
import { temporaryDirectory } from '../../test/support/temporary.ts';
import { SqliteDatabase } from './database/sqlite.ts';
import { detachGalleries } from './erase.ts';

/** Every byte that the store has on disk. */
function rawBytes(directory: string): Buffer {
  return Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
}

describe('erasing', () => {
  const marker = (i: number) => `marker-${i}-${'x'.repeat(i % 40)}-end`;

  async function filled(directory: string) {
    const store = openStore(directory);
    const { id } = await newGallery(store);
    for (let i = 0; i < 60; i++) {
      const row = { userId: `user ${marker(i)}`, userName: `name ${marker(i)}`, embeddingSpec: 'c' };
      await store.faces.put(id, { ...row, template: Buffer.from(`template ${marker(i)}`) }, false);
    }
    expect(rawBytes(directory).includes(marker(7))).toBe(true);
    return { store, id };
  }

  it.each(['face', 'replace', 'crops', 'gallery', 'migrate'] as const)(
    'of a face removes every byte of it from the disk, and no other: %s',
    async (way) => {
      const directory = temporaryDirectory();
      const store = openStore(directory);
      const { id } = await newGallery(store);
      const large = (text: string) => Buffer.from(`${text}${'x'.repeat(40_000)}${text}`);
      const user = (i: number) => `user ${marker(i)}`;
      const faceOf = (i: number) => ({ ...face(user(i), `${i}`), userName: `name ${marker(i)}` });
      for (let i = 0; i < 20; i++)
        await store.faces.put(id, { ...faceOf(i), crop: large(`crop ${marker(i)}`) }, false);
      const there = (...texts: string[]) => texts.map((text) => rawBytes(directory).includes(text));
      const seven = [user(7), `name ${marker(7)}`, 'template 7', `crop ${marker(7)}`];
      expect(there(...seven)).toEqual(seven.map(() => true));
      if (way === 'face') await store.faces.remove(id, user(7));
      if (way === 'replace') await store.faces.put(id, face(user(7), 'other'), true);
      if (way === 'crops') expect(await store.crops.erase([id])).toBe(20);
      if (way === 'gallery') await store.galleries.remove('alice', 'main');
      if (way === 'migrate') {
        await store.reembedding.begin(id, 'c2');
        const pending = await store.reembedding.next(id, 'c2', 0, 100, false);
        const made = pending.map((one) => ({ ...one, template: Buffer.from('new') }));
        expect(await store.alone(({ reembedding }) => reembedding.replace(id, 'c2', made))).toBe(true);
      }
      const left = {
        face: [false, false, false, false],
        replace: [true, false, false, false],
        crops: [true, true, true, false],
        gallery: [false, false, false, false],
        migrate: [true, true, false, true],
      }[way];
      expect(there(...seven)).toEqual(left);
      const others = way !== 'gallery';
      expect(there(user(8), `crop ${marker(8)}`)).toEqual([others, others && way !== 'crops']);
    },
  );

  it.each(['unregister', 'remove', 'gallery'] as const)('by %s leaves no byte on the disk', async (way) => {
    const directory = temporaryDirectory();
    const { store, id } = await filled(directory);
    if (way === 'unregister') await store.clients.unregister('alice');
    if (way === 'remove') await store.clients.remove('alice');
    if (way === 'gallery') await store.galleries.remove('alice', 'main');
    expect(rawBytes(directory).includes('marker-')).toBe(false);
    expect(rawBytes(directory).includes(`key ${id}`)).toBe(false);
  });

  it('is visible to others at once, before the disk is overwritten', async () => {
    const store = openStore();
    const gallery = await newGallery(store, 'alice', { ...unlimited, faces: 1200 });
    for (let i = 0; i < 1200; i++) await store.faces.put(gallery.id, face(`u${i}`), false);
    let erased = false;
    const erasing = store.galleries.remove('alice', 'main').then(() => {
      erased = true;
    });
    await nextTurn();
    expect(erased).toBe(false);
    expect(await store.galleries.list('alice')).toEqual([]);
    expect((await store.clients.get('alice'))?.used).toMatchObject({ faces: 0, galleries: 0 });
    expect(await store.faces.put(gallery.id, face('late'), false)).toBe('gone');
    expect(await allFaces(store, gallery.id)).toBeNull();
    const again = await newGallery(store, 'alice');
    expect(await store.faces.put(again.id, face('u1'), false)).toBe(1);
    await erasing;
    expect(await store.faces.list(gallery.id)).toEqual([]);
    expect((await store.faces.list(again.id)).map((f) => f.userId)).toEqual(['u1']);
  });

  it('is completed at the next start when it was interrupted', async () => {
    const directory = temporaryDirectory();
    const { store } = await filled(directory);
    await store.close();
    const db = new SqliteDatabase(join(directory, 'wajah.db'));
    await detachGalleries(db.shared, 'client_id = $1', 'alice');
    db.close();
    expect(rawBytes(directory).includes('marker-')).toBe(true);
    openStore(directory);
    expect(rawBytes(directory).includes('marker-')).toBe(false);
  });
});
