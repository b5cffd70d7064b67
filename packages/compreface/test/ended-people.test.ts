import { expect, it } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../server/test/support/requests.ts';
import { startCompreface } from './server.ts';

it('a subject whose consent has ended is recognised no more, verified no more, and not listed', async () => {
  const { server, client, call } = await startCompreface();
  const file = await base64(drawnFace({ person: 'ani' }));
  const added = await call({ path: '/recognition/faces?subject=ani', json: { file } });
  const recognise = () => call({ path: '/recognition/recognize', json: { file } });
  const verify = () => call({ path: `/recognition/faces/${added.body.image_id}/verify`, json: { file } });
  expect((await recognise()).body.result[0].subjects).toMatchObject([{ subject: 'ani' }]);
  expect((await verify()).http).toBe(200);
  const { store } = server.context;
  const gallery = (await store.galleries.get(client.id, client.gallery))!.id;
  await store.people.update(gallery, 'ani', { expiresAt: new Date(Date.now() - 1) });
  expect(JSON.stringify((await recognise()).body)).not.toContain('"ani"');
  expect((await verify()).http).toBe(404);
  const { body } = await call({ method: 'GET', path: '/recognition/subjects' });
  expect(body).toEqual({ subjects: [] });
});
