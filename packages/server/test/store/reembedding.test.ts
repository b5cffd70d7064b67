import { expect, it } from 'vitest';
import type { PendingFace } from '../../src/store/ports/reembedding.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { allFaces, face, newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (given: Uint8Array) => Buffer.from(given).toString();
const made = (faces: readonly PendingFace[]) =>
  faces.map(({ userId, seq }) => ({ userId, seq, template: bytes(`new ${userId}`) }));

describeStores('templates that are replaced in place', (open) => {
  /** A gallery with three people; `c` has no crop. */
  async function filled() {
    const store = await open();
    const { id } = await newGallery(store);
    for (const name of ['a', 'b']) await store.faces.put(id, { ...face(name), crop: bytes('crop') }, false);
    await store.faces.put(id, face('c'), false);
    const { reembedding } = store;
    return {
      store,
      id,
      reembedding,
      now: async () => (await store.galleries.get('alice', 'main'))!,
      next: (limit = 9) => reembedding.next(id, 'c2', 0, limit, true),
    };
  }

  const namesOf = async (store: Store, id: number) =>
    (await store.faces.list(id)).map(({ userId }) => userId);

  it('are counted before anything is changed, with those who have no crop', async () => {
    const { id, reembedding, now, next } = await filled();
    const before = await now();
    expect(await reembedding.countPending(id, 'c2')).toBe(3);
    expect(await reembedding.withoutCrop(id, 'c2')).toEqual(['c']);
    expect(await reembedding.countPending(id, 'c')).toBe(0);
    expect(await reembedding.replace(id, 'c2', made(await next()))).toBe(false);
    expect(await reembedding.finish(id, 'c2')).toBe(false);
    expect(await now()).toEqual(before);
  });

  it('keep the gallery closed until all are replaced; a further run begins with those that are left', async () => {
    const { store, id, reembedding, now, next } = await filled();
    const before = await store.faces.get(id, 'a');
    await reembedding.begin(id, 'c2');
    expect(await now()).toMatchObject({ embeddingSpec: 'c2', formerSpec: 'c' });
    expect(await reembedding.replace(id, 'c2', made(await next(1)))).toBe(true);
    expect(await reembedding.finish(id, 'c2')).toBe(false);
    expect(await store.faces.put(id, { ...face('d'), embeddingSpec: 'c2' }, false)).toBe('embedding-spec');
    expect(await store.galleries.embeddingSpecs()).toEqual([
      { embeddingSpec: 'c2', formerSpec: 'c', galleries: 1, faces: 3 },
    ]);

    await reembedding.begin(id, 'c2');
    expect(await now()).toMatchObject({ embeddingSpec: 'c2', formerSpec: 'c' });
    expect(await reembedding.countPending(id, 'c2')).toBe(2);
    expect((await next()).map(({ userId, crops }) => [userId, crops.length])).toEqual([
      ['b', 1],
      ['c', 0],
    ]);
    expect(await reembedding.replace(id, 'c2', made(await next()))).toBe(true);
    expect(await reembedding.finish(id, 'c2')).toBe(true);
    const { version, ...gallery } = await now();
    expect(gallery).toMatchObject({ embeddingSpec: 'c2', formerSpec: null, faces: 3 });
    const after = await store.faces.get(id, 'a');
    expect(after).toMatchObject({ embeddingSpec: 'c2', createdAt: before!.createdAt, userName: 'name of a' });
    expect(await store.crops.get(id, 'a')).toHaveLength(1);
    // A cache of the former version reads the whole gallery again.
    const all = await allFaces(store, id, 3);
    expect(all).toMatchObject({ version, total: 3 });
    expect(all!.faces.map(({ template }) => text(template))).toEqual(['new a', 'new b', 'new c']);
    expect(Math.max(...all!.faces.map(({ seq }) => seq))).toBeLessThanOrEqual(version);
    expect(await store.faces.put(id, { ...face('d'), embeddingSpec: 'c2' }, false)).toBe(version + 1);
  });

  it('are replaced for the person who has them only, and erased with those who are left out', async () => {
    const { store, id, reembedding, now, next } = await filled();
    await reembedding.begin(id, 'c2');
    const faces = made(await next());
    await store.faces.remove(id, 'b');
    const without = faces.map((one) => (one.userId === 'c' ? { ...one, template: null } : one));
    expect(await reembedding.replace(id, 'c2', without)).toBe(true);
    expect(await namesOf(store, id)).toEqual(['a']);
    // The same again changes nobody.
    expect(await reembedding.replace(id, 'c2', faces)).toBe(true);
    expect(await reembedding.finish(id, 'c2')).toBe(true);
    expect(await now()).toMatchObject({ faces: 1, embeddingSpec: 'c2' });
    expect((await store.clients.get('alice'))?.used.faces).toBe(1);
  });

  it('leave a gallery without people as a new one', async () => {
    const { store, id, reembedding, now, next } = await filled();
    await reembedding.begin(id, 'c2');
    const nobody = (await next(2)).map((one) => ({ ...one, template: null }));
    expect(await reembedding.replace(id, 'c2', nobody)).toBe(true);
    await store.faces.remove(id, 'c');
    expect(await now()).toMatchObject({ faces: 0, embeddingSpec: null, formerSpec: null });
    expect(await store.faces.put(id, face('d'), false)).toBe((await now()).version);
  });

  it('are all replaced where another pack, or the former one, is chosen amid it', async () => {
    const { store, id, reembedding, now, next } = await filled();
    await reembedding.begin(id, 'c2');
    const late = made(await next());
    await reembedding.replace(id, 'c2', late.slice(0, 1));
    for (const spec of ['c3', 'c']) {
      await reembedding.begin(id, spec);
      expect(await now()).toMatchObject({ embeddingSpec: spec, formerSpec: '' });
      expect(await reembedding.countPending(id, spec)).toBe(3);
    }
    expect(await reembedding.replace(id, 'c2', late)).toBe(false);
    const faces = await reembedding.next(id, 'c', 0, 9, false);
    expect(await reembedding.replace(id, 'c', made(faces))).toBe(true);
    expect(await reembedding.finish(id, 'c')).toBe(true);
    expect(await now()).toMatchObject({ embeddingSpec: 'c', formerSpec: null });
    expect(await namesOf(store, id)).toEqual(['a', 'b', 'c']);
  });
});
