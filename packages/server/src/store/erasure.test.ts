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
      await store.faces.enrol(id, { ...row, template: Buffer.from(`template ${marker(i)}`) }, false);
    }
    expect(rawBytes(directory).includes(marker(7))).toBe(true);
    return { store, id };
  }

  it('of a face removes every byte of it from the disk, and no other', async () => {
    const directory = temporaryDirectory();
    const { store, id } = await filled(directory);
    await store.faces.remove(id, `user ${marker(7)}`);
    expect(rawBytes(directory).includes(marker(7))).toBe(false);
    expect(rawBytes(directory).includes(marker(8))).toBe(true);
  });

  it('of a replaced template removes it from the disk', async () => {
    const directory = temporaryDirectory();
    const { store, id } = await filled(directory);
    const row = {
      userId: `user ${marker(7)}`,
      userName: 'other',
      template: Buffer.from('t'),
      embeddingSpec: 'c',
    };
    await store.faces.enrol(id, row, true);
    expect(rawBytes(directory).includes(`template ${marker(7)}`)).toBe(false);
    expect(rawBytes(directory).includes(`name ${marker(7)}`)).toBe(false);
  });

  it.each(['face', 'replace', 'crops', 'gallery', 'migrate'] as const)(
    'of crops and of templates for another pack removes them from the disk: %s',
    async (way) => {
      const directory = temporaryDirectory();
      const store = openStore(directory);
      const { id } = await newGallery(store);
      const large = (text: string) => Buffer.from(`${text}${'x'.repeat(40_000)}${text}`);
      for (let i = 0; i < 20; i++) {
        const crop = large(`crop ${marker(i)}`);
        await store.faces.enrol(id, { ...face(`u${i}`), crop }, false);
      }
      await store.templateMigration.begin(id, 'c2');
      const waiting = await store.templateMigration.nextPending(id, 'c2', 0, 100);
      const next = waiting.map((one, i) => ({ ...one, template: Buffer.from(`next ${marker(i)}`) }));
      await store.templateMigration.storeTemplates(id, 'c2', next);
      const there = (text: string) => rawBytes(directory).includes(text);
      expect([there(`crop ${marker(7)}`), there(`next ${marker(7)}`)]).toEqual([true, true]);
      if (way === 'face') await store.faces.remove(id, 'u7');
      if (way === 'replace') await store.faces.enrol(id, face('u7'), true);
      if (way === 'crops') expect(await store.crops.erase([id])).toBe(20);
      if (way === 'gallery') await store.galleries.remove('alice', 'main');
      // After the switch the new templates are in use, and the old ones are erased.
      if (way === 'migrate')
        expect(await store.templateMigration.switchGallery(id, 'c2', new Date())).toBe('done');
      expect(there(`crop ${marker(7)}`)).toBe(way === 'migrate');
      expect(there(`next ${marker(7)}`)).toBe(way === 'migrate' || way === 'crops');
      expect(there('template u7')).toBe(way === 'replace' || way === 'crops');
      expect(there(`crop ${marker(8)}`)).toBe(way !== 'gallery' && way !== 'crops');
    },
  );

  it.each(['unregister', 'remove', 'gallery'] as const)('by %s leaves nothing', async (way) => {
    const directory = temporaryDirectory();
    const { store, id } = await filled(directory);
    if (way === 'unregister') await store.clients.unregister('alice');
    if (way === 'remove') expect(await store.clients.remove('alice')).toBe(true);
    if (way === 'gallery') expect(await store.galleries.remove('alice', 'main')).toBe(true);
    expect(rawBytes(directory).includes('marker-')).toBe(false);
    expect(rawBytes(directory).includes(`key ${id}`)).toBe(false);
    expect(await store.faces.list(id)).toEqual([]);
    const client = await store.clients.get('alice');
    if (way === 'remove') expect(client).toBeNull();
    else expect(client?.used).toMatchObject({ faces: 0, hits: 0 });
    expect(client?.registeredAt ?? null).toEqual(way === 'gallery' ? expect.any(Date) : null);
  });

  it('does not affect other clients', async () => {
    const store = openStore();
    const alice = await newGallery(store, 'alice');
    const bob = await newGallery(store, 'bob');
    await store.faces.enrol(alice.id, face('u'), false);
    await store.faces.enrol(bob.id, face('u'), false);
    await store.clients.unregister('alice');
    expect(await store.faces.get(bob.id, 'u')).not.toBeNull();
    expect((await store.clients.get('bob'))?.used).toEqual({ hits: 0, faces: 1, galleries: 1 });
  });

  it('is visible to others at once, before the disk is overwritten', async () => {
    const store = openStore();
    const gallery = await newGallery(store, 'alice', { ...unlimited, faces: 1200 });
    for (let i = 0; i < 1200; i++) await store.faces.enrol(gallery.id, face(`u${i}`), false);
    let erased = false;
    const erasing = store.galleries.remove('alice', 'main').then(() => {
      erased = true;
    });
    await nextTurn();
    expect(erased).toBe(false);
    expect(await store.galleries.list('alice')).toEqual([]);
    expect((await store.clients.get('alice'))?.used).toMatchObject({ faces: 0, galleries: 0 });
    expect(await store.faces.enrol(gallery.id, face('late'), false)).toBe('gone');
    expect(await allFaces(store, gallery.id)).toBeNull();
    const again = await newGallery(store, 'alice');
    expect(await store.faces.enrol(again.id, face('u1'), false)).toBe(1);
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
