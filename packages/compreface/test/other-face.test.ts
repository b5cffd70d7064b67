import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../server/test/support/requests.ts';
import { startCompreface } from './server.ts';

it("a picture of somebody else is added to a subject, as CompreFace's programs expect, and the audit trail says so", async () => {
  const { server, client, call } = await startCompreface();
  const add = async (file: Promise<string>) =>
    call({ path: '/recognition/faces?subject=ani', json: { file: await file } });
  const ani = () => base64(drawnFace({ person: 'ani' }));
  expect((await add(ani())).http).toBe(201);
  expect((await add(ani())).http).toBe(201);
  const other = await add(base64(drawnFace({ person: 'budi' })));
  expect(other).toMatchObject({ http: 201, body: { image_id: expect.any(String), subject: 'ani' } });
  expect(Object.keys(other.body).sort()).toEqual(['image_id', 'subject']);
  await server.context.events.settled();
  const filter = { clientId: client.id, event: 'face_enrolled', limit: 3 };
  const facts = (await server.context.store.audit.list(filter)).map((one) => one.facts);
  expect(facts).toMatchObject([
    { appended: true, differs: true },
    { appended: true, differs: false },
    { appended: false },
  ]);
  const user = { user_id: 'ani', facegallery_id: client.gallery };
  expect((await client.call(endpoints.describeFace, user)).body.n_picture).toBe(3);
});
