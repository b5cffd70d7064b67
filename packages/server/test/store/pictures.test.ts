import { expect, it } from 'vitest';
import type { Store } from '../../src/store/ports/store.ts';
import { face, newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const withCrop = (userId: string, what: string, appended = false) => ({
  ...face(userId),
  crop: bytes(what),
  appended,
});
const rewritten = (userId: string, pictures: string[], crops: string[] = []) => ({
  ...face(userId),
  crops: crops.map(bytes),
  pictures,
});
const picturesOf = async (store: Store, gallery: number) =>
  (await store.pictures.page(gallery, { offset: 0, limit: 100 })).map(
    ({ userId, place, pictureId }) => `${userId} ${place} ${pictureId}`,
  );

describeStores('pictures of faces', (open) => {
  it('get ids once, keep them when one is appended, and lose them when the face is replaced or erased', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const seq = Number(await store.faces.put(id, face('u'), false));
    await store.pictures.assign(id, [
      { userId: 'u', seq, ids: ['u0', 'u1', 'u2'] },
      { userId: 'nobody', seq, ids: ['n0'] },
    ]);
    await store.pictures.assign(id, [{ userId: 'u', seq, ids: ['other', 'other1'] }]);
    expect(await picturesOf(store, id)).toEqual(['u 0 u0', 'u 1 u1']);
    await store.faces.put(id, { ...face('u'), appended: true, picture: { id: 'u2', place: 2 } }, true);
    await store.pictures.assign(id, [{ userId: 'u', seq, ids: ['of an older face'] }]);
    expect(await store.pictures.get(id, 'u2')).toEqual({ pictureId: 'u2', userId: 'u', place: 2 });
    expect(await store.pictures.count(id)).toBe(3);
    await store.faces.put(id, { ...face('v'), picture: { id: 'v0', place: 0 } }, false);
    expect(await store.pictures.page(id, { userId: 'v', offset: 0, limit: 5 })).toHaveLength(1);
    expect(await store.pictures.page(id, { offset: 1, limit: 2 })).toMatchObject([
      { pictureId: 'u1' },
      { pictureId: 'u2' },
    ]);
    await store.faces.put(id, face('u'), true);
    expect(await picturesOf(store, id)).toEqual(['v 0 v0']);
    await store.faces.remove(id, 'v');
    expect(await store.pictures.count(id)).toBe(0);
    expect(await store.pictures.get(id, 'v0')).toBeNull();
  });

  it('are rewritten with their face in one transaction: another name, fewer pictures, none', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await store.faces.put(id, withCrop('u', 'first'), false);
    await store.faces.put(id, withCrop('u', 'second', true), true);
    await store.faces.put(id, withCrop('v', 'of v'), false);
    const createdAt = new Date(1_700_000_000_000);
    const change = {
      remove: 'u',
      face: { ...rewritten('w', ['p0', 'p1'], ['first', 'second']), createdAt },
    };
    expect(await store.faces.rewrite(id, change, 2)).toBe('changed');
    expect(await store.faces.rewrite(id + 1, change, 3)).toBe('gone');
    const expiresAt = new Date(1_900_000_000_000);
    await store.people.update(id, 'u', { expiresAt });
    expect(await store.faces.rewrite(id, change, 3)).toBe(5);
    expect((await store.people.get(id, 'w')).expiresAt).toEqual(expiresAt);
    expect((await store.people.get(id, 'u')).expiresAt).toBeNull();
    expect((await store.faces.list(id)).map(({ userId }) => userId)).toEqual(['v', 'w']);
    expect((await store.faces.get(id, 'w'))?.createdAt).toEqual(createdAt);
    expect(await picturesOf(store, id)).toEqual(['w 0 p0', 'w 1 p1']);
    expect(await store.crops.get(id, 'u')).toEqual([]);
    expect(await store.crops.get(id, 'w')).toHaveLength(2);

    expect(await store.faces.rewrite(id, { face: rewritten('w', ['p1'], ['second']) }, 5)).toBe(6);
    expect(await picturesOf(store, id)).toEqual(['w 0 p1']);
    expect((await store.crops.get(id, 'w')).map((crop) => Buffer.from(crop).toString())).toEqual(['second']);
    expect((await store.faces.get(id, 'w'))?.createdAt).toEqual(createdAt);
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 6, faces: 2 });

    expect(await store.faces.rewrite(id, { remove: 'w' }, 6)).toBe(7);
    expect(await store.faces.rewrite(id, { remove: 'w' }, 7)).toBe('changed');
    const other = { face: { ...rewritten('v', []), embeddingSpec: 'other' } };
    expect(await store.faces.rewrite(id, other, 7)).toBe('embedding-spec');
    expect(await store.crops.count()).toBe(1);
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 7, faces: 1 });
  });

  it('have ids of their gallery, and so have names without a picture, which are given once', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const bob = await newGallery(store, 'bob');
    for (const gallery of [id, bob.id]) {
      await store.faces.put(gallery, { ...face('u'), picture: { id: 'same', place: 0 } }, false);
      expect(await store.subjects.add(gallery, 'without a picture')).toBe(true);
      expect(await store.subjects.add(gallery, 'u')).toBe(true);
      expect(await store.subjects.add(gallery, 'u')).toBe(false);
    }
    expect(await store.subjects.list(id)).toEqual(['u', 'without a picture']);
    await store.faces.remove(id, 'u');
    expect(await store.subjects.list(id)).toEqual(['without a picture']);
    expect(await store.subjects.remove(id, 'without a picture')).toBe(true);
    expect(await store.subjects.remove(id, 'without a picture')).toBe(false);
    await store.galleries.remove('alice', 'main');
    expect(await store.subjects.add(id, 'late')).toBe(false);
    expect(await picturesOf(store, bob.id)).toEqual(['u 0 same']);
  });
});
