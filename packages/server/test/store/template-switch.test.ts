import { describe, expect, it } from 'vitest';
import {
  enrolLonger,
  expectConverted,
  expectShortened,
  filled,
  galleryIn,
  longerSpec,
  open,
  openFace,
  people,
  spec,
  startOn,
  templates,
} from '../support/conversion.ts';
import { newDatabase, storeKinds } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.each(storeKinds)('templates that a start converts, in %s', (kind) => {
  const newPlace = async () => (kind === 'PostgreSQL' ? newDatabase() : temporaryDirectory());

  it('are converted with those that were prepared, and of faces that changed since', async () => {
    const store = await filled(await newPlace());
    const gallery = await galleryIn(store);
    await store.templateMigration.begin(gallery.id, spec);
    const [first] = await store.templateMigration.nextPending(gallery.id, spec, 0, 1);
    const made = [{ userId: first!.userId, seq: first!.seq, template: first!.template }];
    await store.templateMigration.storeTemplates(gallery.id, spec, made, gallery.wrappedKey);
    await enrolLonger(store, first!.userId, [templates[8]!]);
    await enrolLonger(store, 'new', [templates[9]!]);
    const removed = first!.userId === 'u8' ? 'u7' : 'u8';
    await store.faces.remove(gallery.id, removed);
    expect(await galleryIn(store)).toMatchObject({ embeddingSpec: longerSpec });
    expect(await startOn(store)).toEqual([]);
    const now = await galleryIn(store);
    expect(now).toMatchObject({ embeddingSpec: spec, faces: people });
    expect(await store.faces.get(now.id, removed)).toBeNull();
    expectShortened((await openFace(store, now, first!.userId))[0]!, templates[8]!);
    expectShortened((await openFace(store, now, 'new'))[0]!, templates[9]!);
    await store.close();
  });

  it.runIf(kind === 'PostgreSQL')('are converted by two servers that start at once', async () => {
    const place = await newPlace();
    const stores = [await filled(place), await open(place)];
    expect(await Promise.all(stores.map(startOn))).toEqual([[], []]);
    await expectConverted(stores[1]!);
    for (const store of stores) await store.close();
  });

  it('keep their gallery from nothing where one is damaged', async () => {
    const store = await filled(await newPlace());
    const { id } = await galleryIn(store);
    const damaged = { userId: 'u3', userName: 'u3', template: Buffer.alloc(1053), embeddingSpec: longerSpec };
    await store.faces.put(id, damaged, true);
    expect(await startOn(store)).toEqual([]);
    expect((await store.faces.get(id, 'u3'))?.template).toHaveLength(1053);
    expect(await openFace(store, await galleryIn(store), 'u4')).toHaveLength(1);
    await store.close();
  });
});
