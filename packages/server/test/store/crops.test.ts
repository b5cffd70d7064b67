import { expect, it } from 'vitest';
import type { Store } from '../../src/store/ports.ts';
import { rounds } from '../support/rounds.ts';
import { allFaces, face, newGallery, storeNext } from '../support/store.ts';
import { describeStores } from './kinds.ts';

/** Several slices of every kind, whose largest has 500 faces. */
const many = rounds(600);
const at = new Date(1_700_000_000_000);
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (given: Uint8Array) => Buffer.from(given).toString();
const withCrop = (userId: string, what = 'first', appended = false) => ({
  ...face(userId),
  crop: bytes(`${what} of ${userId}`),
  appended,
});
const cropsOf = async (store: Store, gallery: number, userId: string) =>
  (await store.crops.get(gallery, userId)).map(text);

/** Stores templates for pending faces: none for `except`, null for `out`. */
async function makeNext(store: Store, gallery: number, embeddingSpec: string, except = '', out = '') {
  const waiting = await store.templateMigration.nextPending(gallery, embeddingSpec, 0, 1000);
  const made = waiting
    .filter(({ userId }) => userId !== except)
    .map(({ userId, seq }) => ({ userId, seq, template: userId === out ? null : bytes(`new ${userId}`) }));
  expect(await storeNext(store, gallery, embeddingSpec, made)).toBe(true);
}

describeStores('face crops', (open) => {
  it('are added with appended faces, replaced with replaced ones, and erased with the face', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await store.faces.put(id, withCrop('u'), false);
    await store.faces.put(id, withCrop('v'), false);
    await store.faces.put(id, withCrop('u', 'second', true), true);
    expect(await cropsOf(store, id, 'u')).toEqual(['first of u', 'second of u']);
    // A face appended without a crop keeps the stored ones.
    await store.faces.put(id, { ...face('u'), appended: true }, true);
    expect(await cropsOf(store, id, 'u')).toHaveLength(2);
    expect(await store.crops.count()).toBe(3);
    await store.faces.put(id, withCrop('u', 'third'), true);
    expect(await cropsOf(store, id, 'u')).toEqual(['third of u']);
    await store.faces.put(id, face('u'), true);
    expect(await cropsOf(store, id, 'u')).toEqual([]);
    await store.faces.remove(id, 'v');
    expect(await store.crops.count()).toBe(0);
  });

  it('are not written in a gallery that keeps none, whoever sends them', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const keep = (keepCrops: boolean) => store.galleries.updateSettings('alice', 'main', { keepCrops });
    const kept = async () => (await store.galleries.get('alice', 'main'))?.keepCrops;
    expect(await kept()).toBeNull();
    await store.faces.put(id, withCrop('u'), false);
    await keep(false);
    expect(await kept()).toBe(false);
    await store.faces.put(id, withCrop('v'), false);
    await store.faces.put(id, withCrop('u', 'second', true), true);
    expect([await cropsOf(store, id, 'u'), await cropsOf(store, id, 'v')]).toEqual([['first of u'], []]);
    await keep(true);
    await store.faces.put(id, withCrop('v', 'second', true), true);
    await store.faces.put(id, withCrop('v', 'third', true), true);
    expect(text((await store.crops.newest(id, 'v'))!)).toBe('third of v');
    expect(await store.crops.newest(id, 'w')).toBeNull();
    expect([...(await store.crops.owners(id, 'a', 'z'))].sort()).toEqual(['u', 'v']);
    expect([...(await store.crops.owners(id, 'v', 'v'))]).toEqual(['v']);
  });

  it('are erased by gallery without the faces', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const bob = await newGallery(store, 'bob');
    await store.faces.put(bob.id, withCrop('b'), false);
    for (let i = 0; i < 130; i++) await store.faces.put(id, withCrop(`u${i}`), false);
    expect(await store.crops.erase([id])).toBe(130);
    expect(await store.crops.erase([id])).toBe(0);
    expect(await store.crops.count()).toBe(1);
    expect(await store.faces.list(id)).toHaveLength(130);
  });
});

describeStores('template migration to another embedding spec', (open) => {
  async function filled() {
    const store = await open();
    const gallery = await newGallery(store);
    for (const name of ['a', 'b', 'c']) await store.faces.put(gallery.id, withCrop(name), false);
    return { store, id: gallery.id, now: async () => (await store.galleries.get('alice', 'main'))! };
  }

  it('waits for all faces, then switches the gallery, and caches read it again', async () => {
    const { store, id, now } = await filled();
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBeNull();
    expect(await store.templateMigration.countPending(id, 'c2')).toBeNull();
    await store.templateMigration.begin(id, 'c2');
    expect(await store.templateMigration.nextPending(id, 'c2', 0, 2)).toMatchObject([
      { userId: 'a', seq: 1, crops: [expect.anything()] },
      { userId: 'b', seq: 2 },
    ]);
    await makeNext(store, id, 'c2', 'b');
    expect(await store.templateMigration.countPending(id, 'c2')).toBe(1);
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toEqual({ pending: 1 });
    expect(await store.templateMigration.switchGallery(id, 'c3', at)).toBeNull();
    expect(await now()).toMatchObject({ embeddingSpec: 'c', version: 3, faces: 3, migrated: null });
    expect(text((await store.faces.get(id, 'a'))!.template)).toBe('template a');

    await makeNext(store, id, 'c2');
    const before = await store.faces.get(id, 'a');
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBe('done');
    expect(await now()).toMatchObject({ embeddingSpec: 'c2', faces: 3, migrated: { from: 'c', at } });
    const { version } = await now();
    const after = await store.faces.get(id, 'a');
    expect(after).toMatchObject({ embeddingSpec: 'c2', createdAt: before!.createdAt, userName: 'name of a' });
    expect(text(after!.template)).toBe('new a');
    // A cache of the former version reads the whole gallery again.
    const news = await allFaces(store, id, 3);
    expect(news).toMatchObject({ version, total: 3 });
    expect(news!.faces.map(({ userId }) => userId).sort()).toEqual(['a', 'b', 'c']);
    expect(await cropsOf(store, id, 'a')).toEqual(['first of a']);
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBeNull();
    expect(await store.faces.put(id, face('d'), false)).toBe('embedding-spec');
    expect(await store.faces.put(id, { ...face('d'), embeddingSpec: 'c2' }, false)).toBe(version + 1);
  });

  it('ignores the template of a face that was replaced, appended to or erased since', async () => {
    const { store, id } = await filled();
    await store.templateMigration.begin(id, 'c2');
    const stale = await store.templateMigration.nextPending(id, 'c2', 0, 10);
    await makeNext(store, id, 'c2');
    await store.faces.put(id, withCrop('a'), true);
    await store.faces.put(id, withCrop('b', 'second', true), true);
    await store.faces.remove(id, 'c');
    await store.faces.put(id, withCrop('d'), false);
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toEqual({ pending: 3 });
    const old = stale.map(({ userId, seq }) => ({ userId, seq, template: bytes('old') }));
    expect(await storeNext(store, id, 'c2', old)).toBe(true);
    expect(await store.templateMigration.countPending(id, 'c2')).toBe(3);
    await makeNext(store, id, 'c2');
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBe('done');
    expect((await store.faces.list(id)).map(({ userId }) => userId)).toEqual(['a', 'b', 'd']);
  });

  it('deletes the faces that the operator leaves out, with their crops', async () => {
    const { store, id, now } = await filled();
    await store.templateMigration.begin(id, 'c2');
    await makeNext(store, id, 'c2', '', 'b');
    expect((await store.faces.list(id)).length).toBe(3);
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBe('done');
    expect((await store.faces.list(id)).map(({ userId }) => userId)).toEqual(['a', 'c']);
    expect(await now()).toMatchObject({ faces: 2, embeddingSpec: 'c2' });
    expect(await cropsOf(store, id, 'b')).toEqual([]);
    expect((await store.clients.get('alice'))?.used.faces).toBe(2);
  });

  it('leaves an empty gallery without embedding spec when all faces were left out', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await store.faces.put(id, face('only'), false);
    await store.templateMigration.begin(id, 'c2');
    await makeNext(store, id, 'c2', '', 'only');
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBe('done');
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ faces: 0, embeddingSpec: null });
  });

  it('has one next spec: another one starts again, the current one ends it', async () => {
    const { store, id } = await filled();
    await store.templateMigration.begin(id, 'c2');
    await makeNext(store, id, 'c2');
    await store.templateMigration.begin(id, 'c3');
    expect(await store.templateMigration.countPending(id, 'c3')).toBe(3);
    const [one] = await store.templateMigration.nextPending(id, 'c3', 0, 1);
    expect(await storeNext(store, id, 'c2', [{ ...one!, template: bytes('x') }])).toBe(false);
    expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBeNull();
    await store.templateMigration.begin(id, 'c');
    expect(await store.templateMigration.countPending(id, 'c')).toBeNull();
  });

  it('switches several slices, and is done once with concurrent calls', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const names = Array.from({ length: many }, (_, i) => `u${i}`);
    for (let i = 0; i < names.length; i += 100) {
      await Promise.all(names.slice(i, i + 100).map((name) => store.faces.put(id, face(name), false)));
    }
    await store.templateMigration.begin(id, 'c2');
    for (let waiting = many; waiting > 0; waiting -= 1000) await makeNext(store, id, 'c2');
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => store.templateMigration.switchGallery(id, 'c2', at)),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(3);
    const all = await allFaces(store, id);
    expect(all?.faces.map(({ template }) => text(template)).sort()).toEqual(
      names.map((name) => `new ${name}`).sort(),
    );
    expect(new Set(all?.faces.map(({ seq }) => seq)).size).toBe(many);
    expect(Math.max(...all!.faces.map(({ seq }) => seq))).toBeLessThanOrEqual(all!.version);
  });
});
