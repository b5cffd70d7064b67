import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { startCompreface } from '../../../../compreface/test/server.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const { listFaces } = endpoints;
const people = 1100;
const nameOf = (n: number) => `person ${String(n).padStart(5, '0')}`;

const server = await startTestApp();
const client = await server.client();
await fill(server, client, 0, people);

/** Enrols people without a picture of them. */
async function fill(
  { context }: Pick<TestApp, 'context'>,
  { id, gallery }: { id: string; gallery: string },
  from: number,
  to: number,
): Promise<void> {
  const { store } = context;
  const { id: number } = (await store.galleries.get(id, gallery))!;
  await Promise.all(
    Array.from({ length: to - from }, (_, at) => {
      const face = {
        userId: nameOf(from + at),
        userName: 'Ani',
        template: Buffer.alloc(9),
        embeddingSpec: 'c',
      };
      return store.faces.put(number, face, false);
    }),
  );
}

const list = async (fields: object = {}) =>
  (await client.call(listFaces, { facegallery_id: client.gallery, ...fields })).body;
const idsOf = ({ faces }: { faces: { user_id: string }[] }) => faces.map(({ user_id }) => user_id);
const all = Array.from({ length: people }, (_, n) => nameOf(n));

it('arrives whole, in order, as its schema has it', async () => {
  const plain = await list();
  expect([Object.keys(plain), idsOf(plain)]).toEqual([['status', 'status_message', 'faces'], all]);
  const detailed = await list({ details: true });
  expect(listFaces.answer.parse(detailed)).toEqual(detailed);
  expect(idsOf(detailed)).toEqual(all);
  expect(detailed.faces[1]).toMatchObject({ has_crop: false, consent: null });
});

it('is the same in pages of any size, and by a text', async () => {
  for (const limit of [1, 249, 250, 251, 500, people - 1, people, people + 1]) {
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
      const page = await list({ limit, cursor });
      pages.push(idsOf(page));
      cursor = page.next_cursor;
      if (limit === 1 && pages.length === 3) break;
    }
    expect(pages.flat()).toEqual(all.slice(0, limit === 1 ? 3 : people));
    expect(pages.every((page) => page.length <= limit)).toBe(true);
  }
  expect(idsOf(await list({ search: '7' }))).toEqual(all.filter((id) => id.includes('7')));
  expect(await list({ search: 'nobody' })).toMatchObject({ faces: [] });
});

it('has nobody twice and leaves nobody out while others are enrolled', async () => {
  const later = fill(server, client, people, people + 400);
  const ids = idsOf(await list());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(all));
  await later;
});

it('is wrapped in the profile of the public cloud, and has the subjects of CompreFace', async () => {
  const cloud = await startTestApp({ WAJAH_COMPAT: 'risetai' });
  const other = await cloud.client();
  await fill(cloud, other, 0, people);
  const { body } = await other.call(listFaces, { facegallery_id: other.gallery });
  expect([Object.keys(body), idsOf(body.risetai)]).toEqual([['risetai'], all]);

  const compreface = await startCompreface();
  await fill(compreface.server, compreface.client, 0, people);
  const { store } = compreface.server.context;
  const gallery = (await store.galleries.get(compreface.client.id, compreface.client.gallery))!;
  for (const name of ['aaa', nameOf(5), 'person 00300 b', 'zzz']) await store.subjects.add(gallery.id, name);
  const { subjects } = (await compreface.call({ method: 'GET', path: '/recognition/subjects' })).body as {
    subjects: string[];
  };
  expect(subjects).toEqual([...all, 'aaa', 'person 00300 b', 'zzz'].sort());
});

it('is refused to a client that reads 32 of them, and not afterwards', async () => {
  const reading = Array.from({ length: 60 }, () =>
    client.call(listFaces, { facegallery_id: client.gallery }),
  );
  const answers = await Promise.all(reading);
  const refused = answers.filter(({ http }) => http === 503);
  expect(answers.filter(({ http }) => http === 200).length).toBeGreaterThanOrEqual(32);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.body.detail).toContain('32 long lists of this client are being read');
  expect(refused[0]!.headers['retry-after']).toBeDefined();
  expect((await list()).faces.length).toBeGreaterThanOrEqual(people);
});
