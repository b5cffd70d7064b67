import { expect, it } from 'vitest';
import { face, newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

describeStores('pairs of different people', (open) => {
  async function marked() {
    const store = await open();
    const { id } = await newGallery(store);
    for (const user of ['u', 'v', 'w']) await store.faces.enrol(id, face(user), false);
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
    await store.faces.enrol(id, face('u', 'again'), true);
    expect(await isMarked('u', 'v')).toBe(true);
  });

  it('are erased with a person, of either place in the pair', async () => {
    const { store, id, isMarked } = await marked();
    await store.faces.remove(id, 'v');
    await store.faces.enrol(id, face('v'), false);
    expect([await isMarked('u', 'v'), await isMarked('u', 'w')]).toEqual([false, true]);
    await store.faces.remove(id, 'u');
    await store.faces.enrol(id, face('u'), false);
    expect(await isMarked('u', 'w')).toBe(false);
  });

  it('are erased with a person whom a template migration deletes', async () => {
    const { store, id, isMarked } = await marked();
    await store.templateMigration.begin(id, 'c2');
    const waiting = await store.templateMigration.nextPending(id, 'c2', 0, 10);
    const next = waiting.map(({ userId, seq }) => ({
      ...{ userId, seq, template: userId === 'v' ? null : Buffer.from('next') },
    }));
    await store.templateMigration.storeTemplates(id, 'c2', next);
    expect(await store.templateMigration.switchGallery(id, 'c2', new Date())).toBe('done');
    expect([await isMarked('u', 'v'), await isMarked('u', 'w')]).toEqual([false, true]);
  });

  it.each(['unregister', 'remove', 'gallery'] as const)('are erased by %s', async (way) => {
    const { store, isMarked } = await marked();
    if (way === 'unregister') await store.clients.unregister('alice');
    if (way === 'remove') await store.clients.remove('alice');
    if (way === 'gallery') await store.galleries.remove('alice', 'main');
    expect(await isMarked('u', 'v')).toBe(false);
  });
});
