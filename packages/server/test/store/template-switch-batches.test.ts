import { expect, it } from 'vitest';
import { allFaces, face, openStore } from '../support/store.ts';
import { at, expectSwitched, galleryOf, ready } from '../support/template-switch.ts';

it('concurrent writes during a switch are kept', async () => {
  const store = openStore();
  const id = await ready(store);
  const order: string[] = [];
  const switched = store.templateMigration.switchGallery(id, 'c2', at).then((outcome) => {
    order.push('switched');
    return outcome;
  });
  while (!(await galleryOf(store)).migrating) await store.clients.takeHits('alice');
  const now = { ...face('someone'), embeddingSpec: 'c2' };
  expect(await store.faces.enrol(id, now, false)).toEqual(expect.any(Number));
  // Users at the end of the alphabet are not switched yet.
  expect((await store.faces.get(id, 'u998'))?.embeddingSpec).toBe('c');
  expect(await store.faces.enrol(id, { ...face('u997', 'other'), embeddingSpec: 'c2' }, true)).toEqual(
    expect.any(Number),
  );
  expect((await store.faces.get(id, 'u997'))?.embeddingSpec).toBe('c2');
  expect(await store.faces.remove(id, 'u998')).toEqual(expect.any(Number));
  expect(await store.templateMigration.nextPending(id, 'c2', 0, 10)).toEqual([]);
  expect(await store.templateMigration.storeTemplates(id, 'c2', [])).toBe(false);
  order.push('written');
  expect(await switched).toBe('done');
  expect(order).toEqual(['written', 'switched']);
  const written = { someone: 'template someone', u997: 'template other', u998: null };
  await expectSwitched(store, id, written);
});

it('a migration to another pack that begins during a switch completes the switch first', async () => {
  const store = openStore();
  const id = await ready(store);
  const switched = store.templateMigration.switchGallery(id, 'c2', at);
  while (!(await galleryOf(store)).migrating) await store.clients.takeHits('alice');
  await store.templateMigration.begin(id, 'c3');
  expect(['done', null]).toContain(await switched);
  const { embeddingSpec, faces, migrating } = await galleryOf(store);
  expect({ embeddingSpec, faces, migrating }).toEqual({ embeddingSpec: 'c2', faces: 1080, migrating: false });
  expect(await store.templateMigration.countPending(id, 'c3')).toBe(1080);
});

it('a gallery can be erased during its switch', async () => {
  const store = openStore();
  const id = await ready(store);
  const switched = store.templateMigration.switchGallery(id, 'c2', at);
  while (!(await galleryOf(store)).migrating) await store.clients.takeHits('alice');
  expect(await store.galleries.remove('alice', 'main')).toBe(true);
  expect(await switched).toBeNull();
  expect(await allFaces(store, id)).toBeNull();
});
