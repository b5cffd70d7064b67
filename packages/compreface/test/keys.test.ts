import { randomBytes } from 'node:crypto';
import { endpoints, maxTemplates, type Scope, scopes } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../server/src/errors.ts';
import { createTemplateVault } from '../../server/src/security/vaults/template-vault.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { comprefaceEndpoints } from '../src/endpoints.ts';
import { errorOf } from '../src/errors.ts';
import { unknownId as anId, startCompreface } from './server.ts';

const secretKey = randomBytes(32);
const compreface = await startCompreface({
  WAJAH_COMPAT: 'risetai,compreface',
  WAJAH_CORS_ORIGINS: 'https://app.example',
  WAJAH_SECRET_KEY: secretKey.toString('base64'),
});
const pictures = await drawPictures();

const call = (key: string, method: string, path: string, json?: unknown, headers = {}) =>
  compreface.call({ key, method, path, json, headers });

const walked = Object.values(comprefaceEndpoints).map((endpoint) => {
  const [method] = endpoint.methods;
  const path = endpoint.path.slice('/api/v1'.length).replace(':image_id', anId).replace(':name', 'ani');
  return { name: endpoint.id, method, path, endpoint };
});

/** The key is in the path of one endpoint. */
const callAs = (key: string, { method, path }: { method: string; path: string }) =>
  path.includes(':api_key')
    ? call('', method, path.replace(':api_key', key || '%20'))
    : call(key, method, path, method === 'GET' ? undefined : {});

describe.each(walked)('$name', (one) => {
  const { service, scope, hit } = one.endpoint;

  it('needs a key of its service', async () => {
    const { keys, client } = compreface;
    expect((await callAs('', one)).body).toMatchObject({ code: 20 });
    const others = Object.entries(keys).filter(([name]) => name !== service);
    for (const key of ['nonsense', 'waj_nonsense', client.token, ...others.map(([, other]) => other)]) {
      const { http, body } = await callAs(key, one);
      expect([http, body.code]).toEqual([404, 10]);
      expect(body.message).not.toContain(key);
      expect(Object.keys(body)).toEqual(['message', 'code']);
    }
  });

  it('needs its scope, and takes a hit', async () => {
    const { server, client, keys } = compreface;
    const { store } = server.context;
    if (service === 'recognition') {
      const useful: Scope[] = ['recognise', 'enrol', 'read', 'pictures'];
      const { token } = await compreface.key(useful.filter((other) => other !== scope));
      const { http, body } = await callAs(token, one);
      expect([http, body.code]).toEqual([403, 0]);
      expect(body.message).toContain(scope);
    }
    const used = async () => (await store.clients.get(client.id))!.used.hits;
    const before = await used();
    expect((await callAs(keys[service], one)).http).toBeLessThan(500);
    expect(await used()).toBe(before + 1);
    await store.clients.setQuota(client.id, { hits: 0 });
    const { http, body } = await callAs(keys[service], one);
    await store.clients.setQuota(client.id, { hits: -1 });
    if (hit === 'before')
      expect([http, body.code, body.message]).toEqual([403, 0, expect.stringContaining('n_api_hits')]);
    else expect(http).not.toBe(403);
  });
});

it('a key is refused by the own interface, can be revoked, and is listed with what it is for', async () => {
  const { server, client } = compreface;
  const { id, token } = await compreface.key(['read']);
  expect((await server.call(token, endpoints.listFaces, {})).body.risetai).toMatchObject({ status: '403' });
  const { store } = server.context;
  expect(await store.tokens.list(client.id)).toContainEqual(
    expect.objectContaining({
      id,
      scopes: ['read'],
      binding: { service: 'recognition', galleryId: client.gallery },
    }),
  );
  const { body } = await client.call(endpoints.listApiTokens, {});
  const listed = body.risetai.tokens.find((one: { token_id: string }) => one.token_id === id);
  expect(listed).toMatchObject({ compreface: 'recognition', facegallery_id: client.gallery });
  expect((await call(token, 'GET', '/recognition/subjects')).http).toBe(200);
  await server.operate(endpoints.revokeApiToken, { token_id: id });
  expect((await call(token, 'GET', '/recognition/subjects')).body.code).toBe(10);
  await expect(compreface.key(['manage'])).rejects.toThrow(/scopes: .*no use for manage/);
  await expect(compreface.key(undefined, 'none')).rejects.toThrow(/gallery: .*none/);
  const detection = { name: 'x', compreface: 'detection', facegallery_id: client.gallery };
  await expect(server.operate(endpoints.createApiToken, detection, client.id)).rejects.toThrow(/has none/);
  for (const scope of scopes) await compreface.key([scope]).catch(() => {});
});

it('a key sees its gallery only, and pictures of the own interface have ids there', async () => {
  const { client, keys, server } = compreface;
  await client.enrol('ani', pictures.ani);
  await client.enrol('ani', pictures.aniAgain, { append: true });
  await client.call(endpoints.createGallery, { facegallery_id: 'other' });
  const other = (await compreface.key(undefined, 'other')).token;
  const { body } = await call(keys.recognition, 'GET', '/recognition/faces');
  expect(body).toMatchObject({ total_elements: 2, faces: [{ subject: 'ani' }, { subject: 'ani' }] });
  const [first, second] = body.faces.map(({ image_id: id }: { image_id: string }) => id);
  expect((await call(other, 'GET', '/recognition/faces')).body.faces).toEqual([]);
  expect((await call(other, 'DELETE', `/recognition/faces/${first}`)).body.code).toBe(44);
  expect((await call(other, 'GET', `/recognition/faces/${first}/img`)).body).toHaveLength(0);

  // Erased are the template, its id and its crop; what remains is the other picture.
  const { store } = server.context;
  const gallery = (await store.galleries.get(client.id, client.gallery))!;
  expect(await store.crops.get(gallery.id, 'ani')).toHaveLength(2);
  expect((await call(keys.recognition, 'DELETE', `/recognition/faces/${first}`)).http).toBe(200);
  expect(await store.crops.get(gallery.id, 'ani')).toHaveLength(1);
  const ani = { facegallery_id: client.gallery, user_id: 'ani' };
  expect((await client.call(endpoints.describeFace, ani)).body.risetai.n_picture).toBe(1);
  const listed = (await call(keys.recognition, 'GET', '/recognition/faces')).body.faces;
  expect(listed).toEqual([{ image_id: second, subject: 'ani' }]);
  // The own interface finds the person at once under the new name.
  await call(keys.recognition, 'PUT', '/recognition/subjects/ani', { subject: 'Ani Lestari' });
  const probe = { facegallery_id: client.gallery, image: pictures.aniAgain };
  const found = await client.call(endpoints.identifyFace, probe);
  expect(found.body.risetai.return).toMatchObject([{ user_id: 'Ani Lestari' }]);
  // A replaced face has another id.
  await client.enrol('Ani Lestari', pictures.ani, { replace: true });
  const after = (await call(keys.recognition, 'GET', '/recognition/faces')).body.faces;
  expect(after).toHaveLength(1);
  expect(after[0].image_id).not.toBe(second);
  await call(keys.recognition, 'DELETE', '/recognition/subjects');
  expect((await client.call(endpoints.identifyFace, probe)).body.risetai.status).toBe('411');
  expect(await store.pictures.count(gallery.id)).toBe(0);
});

/** Gives a subject so many templates of its only picture. */
async function repeatPicture(userId: string, count: number): Promise<void> {
  const { client, server } = compreface;
  const { galleries, faces } = server.context.store;
  const gallery = (await galleries.get(client.id, client.gallery))!;
  const face = (await faces.get(gallery.id, userId))!;
  const vault = createTemplateVault(secretKey).gallery(gallery);
  const template = vault.sealAll(userId, new Array(count).fill(vault.open(userId, face.template)));
  await faces.put(gallery.id, { ...face, template, appended: true }, true);
}

it('a subject has 50 pictures: none is lost when several are added at once, pages list each once', async () => {
  const { recognition: key } = compreface.keys;
  const add = (subject: string) =>
    call(key, 'POST', `/recognition/faces?subject=${subject}`, { file: pictures.ani });
  const { image_id: first } = (await add('ani')).body;
  await repeatPicture('ani', maxTemplates - 2);
  await add('budi');
  const added = await Promise.all([add('ani'), add('ani'), add('ani'), add('ani')]);
  const answers = added.map(({ http, body }) => [http, body.code ?? null, body.message ?? '']);
  expect(answers.sort()).toEqual([
    [201, null, ''],
    [201, null, ''],
    [400, 36, expect.stringContaining('at most 50')],
    [400, 36, expect.stringContaining('at most 50')],
  ]);
  const listed: string[] = [];
  for (let page = 0; page < 3; page += 1) {
    const { body } = await call(key, 'GET', `/recognition/faces?page=${page}`);
    expect(body).toMatchObject({ page_number: page, total_pages: 3, total_elements: maxTemplates + 1 });
    listed.push(...body.faces.map(({ image_id: id, subject }: Record<string, string>) => `${subject} ${id}`));
  }
  expect(new Set(listed).size).toBe(maxTemplates + 1);
  const ids = added.flatMap(({ body }) => body.image_id ?? []);
  expect(listed).toEqual(expect.arrayContaining([first, ...ids].map((id) => `ani ${id}`)));
  // A subject that would have more is not joined with another; one picture fewer makes room.
  const rename = () => call(key, 'PUT', '/recognition/subjects/budi', { subject: 'ani' });
  expect((await rename()).body.code).toBe(36);
  expect((await call(key, 'DELETE', `/recognition/faces/${first}`)).http).toBe(200);
  expect((await rename()).body).toEqual({ updated: true });
  expect((await call(key, 'DELETE', '/recognition/faces?subject=ani')).body).toEqual({
    deleted: maxTemplates,
  });
});

it('rules of the gallery and limits hold', async () => {
  const { client, keys, server } = compreface;
  const add = (subject = 'ani') =>
    call(keys.recognition, 'POST', `/recognition/faces?subject=${subject}`, { file: pictures.ani });
  await server.context.store.galleries.updateSettings(client.id, client.gallery, { requireLiveness: true });
  const { http, body } = await add('budi');
  expect([http, body.code, body.message]).toEqual([403, 0, expect.stringContaining('liveness_token')]);
  await server.context.store.galleries.updateSettings(client.id, client.gallery, { requireLiveness: false });
  const large = await call(keys.recognition, 'POST', '/recognition/recognize', {
    file: 'A'.repeat(20 << 20),
  });
  expect([large.http, large.body.code]).toEqual([400, 21]);
  await call(keys.recognition, 'DELETE', '/recognition/faces');
});

it('reads requests as the Python SDK writes them', async () => {
  const { recognition: key } = compreface.keys;
  const json = { 'content-type': 'application/json' };
  const subjects = '/recognition/subjects';
  await call(key, 'POST', subjects, { subject: 'cici' });
  const renamed = { subject: 'dedi', api_endpoint: 'cici' };
  expect((await call(key, 'PUT', `${subjects}/cici`, renamed)).body).toEqual({ updated: true });
  // The header of a body, and none.
  expect((await call(key, 'GET', subjects, undefined, json)).body).toEqual({ subjects: ['dedi'] });
  expect((await call(key, 'DELETE', `${subjects}/dedi`, undefined, json)).body).toEqual({ subject: 'dedi' });
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="image.jpg"\r\n\r\n';
  const picture = Buffer.from(pictures.ani, 'base64');
  const form = Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--b--\r\n')]);
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const path = '/recognition/recognize?&limit=1&det_prob_threshold=0.8&status=true';
  expect((await call(key, 'POST', path, form, type)).body).toMatchObject({ result: [{ subjects: [] }] });
});

it('a subject may have the longest name that a user may have', async () => {
  const { recognition: key } = compreface.keys;
  const name = '😀'.repeat(120);
  expect((await call(key, 'POST', '/recognition/subjects', { subject: name })).http).toBe(201);
  const path = `/recognition/subjects/${encodeURIComponent(name)}`;
  expect((await call(key, 'DELETE', path)).body).toEqual({ subject: name });
  const long = await call(key, 'POST', '/recognition/subjects', { subject: `${name}x` });
  expect([long.http, long.body.code]).toEqual([400, 26]);
});

it('refusals name what a client sends', () => {
  const { body } = errorOf(new Refusal('tooManyBadTokens', { most: 6, seconds: 9 }));
  expect(body.message).toMatch(/^x-api-key: /);
});

it('keys are in no log line and no audit record, and the calls are in both', async () => {
  const { server, keys } = compreface;
  await call('', 'GET', `/static/${keys.recognition}/images/${anId}`);
  await call(keys.recognition, 'POST', '/recognition/recognize', { file: pictures.ani });
  for (const key of Object.values(keys)) expect(server.log()).not.toContain(key);
  expect(server.log()).toContain('/api/v1/recognition/recognize');
  expect(server.log()).toContain('face_identified');
});

it('pages of allowed origins may call it, beside the other profile', async () => {
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'x-api-key',
  };
  const preflight = await call('', 'OPTIONS', '/recognition/subjects/ani', undefined, headers);
  expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
  expect(preflight.headers['access-control-allow-headers']).toContain('X-Api-Key');
  const unknown = await compreface.server.app.inject({ url: '/face-api/none' });
  expect(unknown.json()).toHaveProperty('risetai.status', '404');
  const below = await compreface.server.app.inject({ url: '/api/v1/none' });
  expect(below.json()).toEqual({ message: expect.any(String), code: 0 });
});
