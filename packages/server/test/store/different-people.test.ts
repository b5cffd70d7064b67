import { expect, it } from 'vitest';
import { face, newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

describeStores('pairs of different people', (open) => {
  async function marked() {
    const store = await open();
    const { id } = await newGallery(store);
    for (const user of ['u', 'v', 'w']) await store.faces.put(id, face(user), false);
    await store.differentPeople.mark(id, ['v', 'u']);
    await store.differentPeople.mark(id, ['u', 'w']);
    const isMarked = (a: string, b: string) => store.differentPeople.isMarked(id, [a, b]);
    return { store, id, isMarked };
  }

  it('are marked in any order, more than once, and unmarked', async () => {
    const { store, id, isMarked } = await marked();
    await store.differentPeople.mark(id, ['u', 'v']);
    expect([await isMarked('u', 'v'), await isMarked('v', 'u'), await isMarked('v', 'w')]).toEqual([
      true,
      true,
      false,
    ]);
    await store.differentPeople.unmark(id, ['v', 'u']);
    expect([await isMarked('u', 'v'), await isMarked('u', 'w')]).toEqual([false, true]);
  });

  it('are enrolled, and stay marked when a face is replaced', async () => {
    const { store, id, isMarked } = await marked();
    await store.differentPeople.mark(id, ['u', 'nobody']);
    expect(await isMarked('u', 'nobody')).toBe(false);
    await store.faces.put(id, face('u', 'again'), true);
    expect(await isMarked('u', 'v')).toBe(true);
  });
});
