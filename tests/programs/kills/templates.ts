import { expect } from 'vitest';
import {
  engine,
  expectConverted,
  filled,
  galleryIn,
  key,
  longerSpec,
  people,
  startOn,
} from '../../../packages/server/test/support/conversion.ts';
import { killAtLines, type Place, script } from './place.ts';

/**
 * Two starts are killed while they convert, and two while they switch: the gallery has all templates of one pack or of
 * the other, and the next start completes it.
 */
export async function switchIsCompleted(place: Place): Promise<void> {
  await (await filled(place.address)).close();
  const start = () =>
    script('switch-galleries.mjs', place.address, key.toString('hex'), JSON.stringify(engine));
  const isWhole = async () => {
    const store = await place.openStore();
    const gallery = await galleryIn(store);
    const { faces } = (await store.faces.slice(gallery.id, 0, people))!;
    // The first person has two templates, the others one of the same length.
    expect(new Set(faces.map(({ template }) => template.length)).size).toBe(2);
    expect(faces).toHaveLength(people);
    expect(gallery.faces).toBe(people);
    await store.close();
    return gallery.embeddingSpec;
  };
  for (const slices of [1, 3]) {
    expect(await killAtLines(start(), (lines) => lines.length >= slices)).not.toContain('done');
    expect(await isWhole()).toBe(longerSpec);
  }
  for (let kills = 0; kills < 2 && (await isWhole()) === longerSpec; kills++)
    await killAtLines(start(), (lines) => lines.includes('switching'));
  await isWhole();
  const store = await place.openStore();
  expect(await startOn(store)).toEqual([]);
  await expectConverted(store);
  await store.close();
}
