import { endpoints } from '@wajah/contract';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../server/test/support/requests.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { startCompreface } from './server.ts';

const { server, client, call } = await startCompreface();
const { store } = server.context;
const { ani, budi } = await drawPictures();
const add = (file = ani) => call({ path: '/recognition/faces?subject=ani', json: { file } });

beforeEach(() => call({ method: 'DELETE', path: '/recognition/subjects' }));

it("a picture of somebody else is added to a subject, as CompreFace's programs expect, and the audit trail says so", async () => {
  for (let i = 0; i < 2; i += 1) expect((await add()).http).toBe(201);
  const other = await add(budi);
  expect(other).toMatchObject({ http: 201, body: { image_id: expect.any(String), subject: 'ani' } });
  expect(Object.keys(other.body).sort()).toEqual(['image_id', 'subject']);
  // Written in order: the operator's record is the last one.
  const operator = { clientId: client.id, trxId: null };
  await server.context.events.observe('administered', operator, { operation: 'last' });
  const filter = { clientId: client.id, event: 'face_enrolled', limit: 3 };
  const facts = (await store.audit.list(filter)).map((one) => one.facts);
  expect(facts).toMatchObject([
    { appended: true, differs: true },
    { appended: true, differs: false },
    { appended: false },
  ]);
  const user = { user_id: 'ani', facegallery_id: client.gallery };
  expect((await client.call(endpoints.describeFace, user)).body.n_picture).toBe(3);
});

describe('writers of one gallery', () => {
  it('take turns: an enrolment that looks for duplicates and a subject that gets pictures', async () => {
    const written = vi.spyOn(store.faces, 'put');
    onTestFinished(() => written.mockRestore());
    const flags = { replace: true, check_duplicate: true, trx_id: 'turns' };
    const enrol = async () => (await client.enrol('b', budi, flags)).http;
    const calls = Array.from({ length: 6 }, () => [enrol(), add().then(({ http }) => http)]).flat();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200, 201]));
    const outcomes = await Promise.all(written.mock.results.map(({ value }) => value));
    expect(outcomes.filter((outcome) => outcome === 'changed')).toEqual([]);
    expect(outcomes).toHaveLength(12);
  });

  it('take turns: of two enrolments of one face at the same time, the second finds the first', async () => {
    const enrol = async (userId: string) => (await client.enrol(userId, ani, { check_duplicate: true })).http;
    const results = await Promise.all(['first', 'second'].map(enrol));
    expect(results.sort()).toEqual([200, 409]);
  });
});

it('a subject whose consent has ended is recognised no more, verified no more, and not listed', async () => {
  const { image_id } = (await add()).body;
  const recognise = () => call({ path: '/recognition/recognize', json: { file: ani } });
  const verify = () => call({ path: `/recognition/faces/${image_id}/verify`, json: { file: ani } });
  expect((await recognise()).body.result[0].subjects).toMatchObject([{ subject: 'ani' }]);
  expect((await verify()).http).toBe(200);
  const gallery = (await store.galleries.get(client.id, client.gallery))!.id;
  await store.people.update(gallery, 'ani', { expiresAt: new Date(Date.now() - 1) });
  expect(JSON.stringify((await recognise()).body)).not.toContain('"ani"');
  expect((await verify()).http).toBe(404);
  const { body } = await call({ method: 'GET', path: '/recognition/subjects' });
  expect(body).toEqual({ subjects: [] });
});

it('a face that shows too little is as none: it is not added, and nobody is recognised or verified by it', async () => {
  const [covered, other] = await Promise.all(
    [2, 5].map((tilt) => base64(drawnFace({ person: 'ani', sunglasses: true, tilt }))),
  );
  const none = {
    http: 400,
    body: { code: 28, message: expect.stringMatching(/^No face is found .*sunglasses/) },
  };
  expect(await add(covered)).toMatchObject(none);
  expect((await client.enrol('ani', covered!, { force_register: true })).http).toBe(200);
  const { body } = await call({ method: 'GET', path: '/recognition/faces?subject=ani' });
  const [{ image_id }] = body.faces;
  expect(await call({ path: '/recognition/recognize', json: { file: other } })).toMatchObject(none);
  expect(await call({ path: `/recognition/faces/${image_id}/verify`, json: { file: other } })).toMatchObject(
    none,
  );
  const stranger = await call({ path: '/recognition/recognize', json: { file: budi } });
  expect(stranger.body.result[0].subjects[0].similarity).toBeLessThan(0.6);
  expect((await add()).http).toBe(201);
  expect((await call({ path: '/recognition/recognize', json: { file: ani } })).http).toBe(200);
});
