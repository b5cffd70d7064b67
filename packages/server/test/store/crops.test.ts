import { expect, it } from 'vitest';
import type { Store } from '../../src/store/ports/store.ts';
import { face, newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (given: Uint8Array) => Buffer.from(given).toString();
const withCrop = (userId: string, what = 'first', appended = false) => ({
  ...face(userId),
  crop: bytes(`${what} of ${userId}`),
  appended,
});
const cropsOf = async (store: Store, gallery: number, userId: string) =>
  (await store.crops.get(gallery, userId)).map(text);

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
