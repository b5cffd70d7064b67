import { expect, it } from 'vitest';
import type { GalleryScoreCount } from '../../src/store/ports/scores.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { newGallery } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const dayMs = 86_400_000;
const today = 20_000 * dayMs;

describeStores('scores of galleries', (open) => {
  const probe = (gallery: number, change: Partial<GalleryScoreCount> = {}): GalleryScoreCount => ({
    gallery,
    day: today,
    comparison: 'verify',
    bin: 50,
    count: 1,
    ...change,
  });
  const read = async (store: Store, gallery: number, since = 0) =>
    (await store.scores.of(gallery, new Date(since)))
      .map(({ comparison, bin, count }) => [comparison, bin, count])
      .sort();

  it('are summed over days, by kind of comparison and bin', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await store.scores.add([probe(id), probe(id, { comparison: 'identify', count: 3 })]);
    await store.scores.add([probe(id, { count: 2 }), probe(id, { day: today - dayMs, bin: 7 })]);
    expect(await read(store, id)).toEqual([
      ['identify', 50, 3],
      ['verify', 50, 3],
      ['verify', 7, 1],
    ]);
    expect(await read(store, id, today)).toHaveLength(2);
  });

  it('are pruned by age', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await store.scores.add([probe(id), probe(id, { day: today - 2 * dayMs, bin: 7 })]);
    await store.scores.prune(new Date(today));
    expect(await read(store, id)).toEqual([['verify', 50, 1]]);
  });
});
