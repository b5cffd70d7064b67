import { innerProduct } from '@wajah/engine';
import { expect, it } from 'vitest';
import { openStand } from '../../../test/support/stand.ts';
import { embeddingSpecText } from './embedding-spec.ts';
import { impostorProducts } from './impostor-products.ts';

const stand = await openStand();

const dimensions = () => stand.deps.engine.embeddingSpec.dimensions;

/** A unit vector between two axes. */
function templateOf(angle: number): Float32Array {
  const template = new Float32Array(dimensions());
  template[0] = Math.cos(angle);
  template[1] = Math.sin(angle);
  return template;
}

async function galleryOf(client: string, people: readonly (number | readonly number[])[], spec: string) {
  const caller = stand.caller(client);
  await stand.services.clients.register(caller);
  const read = async () => (await stand.deps.store.galleries.get(client, `${client}@trial`))!;
  for (const [i, angles] of people.entries()) {
    const gallery = await read();
    const templates = [angles].flat().map(templateOf);
    const template = stand.deps.vault.gallery(gallery).sealAll(`u${i}`, templates);
    const row = { userId: `u${i}`, userName: 'U', embeddingSpec: spec, template };
    expect(typeof (await stand.deps.store.faces.put(gallery.id, row, true))).toBe('number');
  }
  return read();
}

it('are counted between the users of each gallery, of one pack, and of nobody else', async () => {
  const spec = embeddingSpecText(stand.deps.engine.embeddingSpec);
  const galleries = [
    await galleryOf('three', [0, 0.5, 1.4], spec),
    await galleryOf('two', [0, 1], spec),
    await galleryOf('alone', [0.3], spec),
    await galleryOf('empty', [], spec),
    await galleryOf('other', [0, 1], spec.replace(/"pack":"[^"]*"/, '"pack":"another"')),
  ];
  const found = await impostorProducts(stand.deps, galleries, spec);
  expect(found).toMatchObject({ galleries: 3, otherGalleries: 1, people: 6 });
  const products = [0.5, 1.4, 0.9, 1].map((angle) => innerProduct(templateOf(0), templateOf(angle)));
  expect(found.bins).toHaveLength(4);
  for (const [i, product] of products.sort((a, b) => a - b).entries()) {
    const [lower, pairs] = found.bins[i]!;
    expect([lower <= product, product - lower < 2.01e-4, pairs]).toEqual([true, true, 1]);
  }
});

it('are those of a picture with a reference where people have several pictures', async () => {
  const spec = embeddingSpecText(stand.deps.engine.embeddingSpec);
  const gallery = await galleryOf(
    'several',
    [
      [0, 1],
      [2, 3],
    ],
    spec,
  );
  const { bins } = await impostorProducts(stand.deps, [gallery], spec);
  const mean = (one: number, a: number, b: number) => (Math.cos(one - a) + Math.cos(one - b)) / 2;
  const [[lower] = [0]] = bins;
  // Which of the two is the probe depends on the order of the sample.
  expect([mean(0, 2, 3), mean(2, 0, 1)].some((product) => Math.abs(product - lower) < 2.01e-4)).toBe(true);
});
