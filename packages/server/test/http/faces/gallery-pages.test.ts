import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { startTestApp } from '../../support/test-app.ts';

const { describeGalleries } = endpoints;
const server = await startTestApp();
const client = await server.client();
const { store } = server.context;
const names = Array.from({ length: 600 }, (_, n) => `office ${String(n).padStart(4, '0')}`);
await store.clients.setQuota(client.id, { galleries: -1 });
for (const name of names) await store.galleries.create(client.id, name, () => Buffer.alloc(9));
const all = [client.gallery, ...names].sort();

const list = async (fields: object = {}) => (await client.call(describeGalleries, fields)).body;
const namesOf = ({ facegalleries }: { facegalleries: { facegallery_id: string }[] }) =>
  facegalleries.map(({ facegallery_id }) => facegallery_id);

it('galleries arrive whole without a limit, as their schema has it', async () => {
  const answer = await list();
  expect(Object.keys(answer)).toEqual(['status', 'status_message', 'facegalleries', 'face_crops']);
  expect(namesOf(answer)).toEqual(all);
  expect(describeGalleries.answer.parse(answer)).toEqual(answer);
});

it('and are the same in pages of any size', async () => {
  for (const limit of [100, 250, 251, all.length - 1, all.length, all.length + 1]) {
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
      const page = await list({ limit, cursor });
      pages.push(namesOf(page));
      cursor = page.next_cursor;
    }
    expect(pages.flat()).toEqual(all);
    expect(pages.map((page) => page.length)).toEqual([
      ...Array(pages.length - 1).fill(limit),
      pages.at(-1)!.length,
    ]);
  }
});

it('a cursor of elsewhere and a limit of nothing are refused by name', async () => {
  for (const cursor of ['*', 'YQ=='])
    expect(await list({ cursor })).toMatchObject({
      status: '400',
      detail: expect.stringMatching(/^cursor\b.*no next_cursor of describe-facegalleries/),
    });
  expect(await list({ limit: 0 })).toMatchObject({
    status: '400',
    detail: expect.stringMatching(/^limit\b/),
  });
});
