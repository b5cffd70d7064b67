import { type Endpoint, endpoints } from '@wajah/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPictures, startTestApp, type TestApp, type TestClient } from '../support/test-app.ts';
import { goodFields, type Pictures, readyFields, tokenEndpoints } from './fixture.ts';

let server: TestApp;
let pictures: Pictures;
/** Owns `ani`; nothing in these tests that is meant to be refused may change what it owns. */
let owner: TestClient;

async function enrolAni(client: TestClient) {
  const person = { user_id: 'ani', user_name: 'Ani', facegallery_id: client.gallery };
  const fields = { ...person, image: pictures.ani, details: true };
  const { body } = await client.call(endpoints.enrolFace, fields);
  const box = { x: expect.any(Number), y: expect.any(Number), width: expect.any(Number) };
  expect(body).toMatchObject({ status: '200', status_message: 'Success', found: 1, face: { box } });
}

beforeAll(async () => {
  [server, pictures] = await Promise.all([
    startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_LOG_LEVEL: 'trace', WAJAH_WEBHOOKS: 'true' }),
    drawPictures(),
  ]);
  owner = await server.client({}, true);
  await enrolAni(owner);
});
afterAll(() => server.close());

const statusOfAbsent: Record<string, string> = {
  image: '451',
  user_id: '452',
  user_name: '453',
  facegallery_id: '454',
  target_image: '455',
  source_image: '456',
};

const names = new Set([
  'user_id',
  'user_name',
  'facegallery_id',
  'trx_id',
  'name',
  'token_id',
  'search',
  'device',
]);

describe.each(tokenEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const good = () => goodFields(endpoint, owner.gallery, pictures);
  const fieldsOf = ({ request }: Endpoint) => Object.keys(request.shape);
  const needed = () => Object.keys(good()).filter((field) => !['trx_id', 'different'].includes(field));

  it('succeeds, by every method it has', async () => {
    for (const method of endpoint.methods) {
      const client = await server.client({}, true);
      await enrolAni(client);
      const fields = await readyFields(endpoint, client, pictures);
      const { http, body, headers } = await client.call(endpoint, fields, method);
      expect(body).toMatchObject({ status: '200', status_message: endpoint.message ?? 'Success' });
      expect(http).toBe(200);
      expect(Object.keys(body).slice(0, 2)).toEqual(['status', 'status_message']);
      expect(endpoint.answer.parse(body)).toEqual(body);
      expect(headers['x-trx-id']).toBe(`good-${id}`);
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('requires a token', async () => {
    for (const token of [undefined, 'nonsense', `${owner.token}x`, 'waj_nonsense']) {
      const { http, body, headers } = await server.call(token, endpoint, good());
      expect([http, body.status, body.status_message]).toEqual([401, '401', 'Accesstoken not authorized']);
      expect(headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  it('names each missing field', async () => {
    for (const field of needed()) {
      for (const nothing of [undefined, null, '', ...(field.endsWith('image') ? [] : [' \t'])]) {
        const { body } = await owner.call(endpoint, { ...good(), [field]: nothing });
        expect([field, body.status]).toEqual([field, statusOfAbsent[field] ?? '400']);
        expect(body.detail).toContain(field);
      }
    }
  });

  it('names each field of a wrong type', async () => {
    for (const field of fieldsOf(endpoint)) {
      const isFlag =
        /^(erase_expired|force|replace|append|check|consent$|enabled$|require|thorough|different|details|pictures$|light$)/.test(
          field,
        );
      // An empty list of attributes is valid.
      const list = field === 'attributes' ? ['ja'] : [];
      const number = field === 'expected_false_pairs' ? -3.5 : 3.5;
      for (const wrong of [{}, list, number, isFlag ? 'ja' : true]) {
        const { http, body } = await owner.call(endpoint, { ...good(), [field]: wrong });
        expect([field, http, body.status, body.status_message]).toEqual([
          field,
          400,
          '400',
          'Request malformed',
        ]);
        expect(body.detail).toMatch(new RegExp(`^${field}(\\[0\\])?: found `));
      }
    }
  });

  it('takes 120 characters and refuses 121', async () => {
    for (const field of fieldsOf(endpoint).filter((name) => names.has(name))) {
      const long = await owner.call(endpoint, { ...good(), [field]: 'é'.repeat(121) });
      expect([field, long.http, long.body.status]).toEqual([field, 400, '400']);
      expect(long.body.detail).toBe(`${field}: found 121 characters, at most 120 are allowed`);
    }
    const longest = Object.fromEntries(
      Object.entries(good()).map(([field, value]) => [field, names.has(field) ? '😀'.repeat(120) : value]),
    );
    const client = await server.client({}, true);
    const { body, headers } = await client.call(endpoint, longest);
    expect(['200', '415', '416', '418', '422', '425']).toContain(body.status);
    expect(decodeURIComponent(String(headers['x-trx-id']))).toBe('😀'.repeat(120));
  });

  it('does not know the gallery of another client', async () => {
    if (!needed().includes('facegallery_id') || id === 'createGallery') return;
    const otherClient = await server.client();
    const { http, body } = await otherClient.call(endpoint, good());
    expect([http, body.status, body.status_message]).toEqual([404, '416', 'facegallery_id not found']);
  });

  it('refuses a body that is no JSON object', async () => {
    for (const payload of ['{', '[]', '"x"', '7', '{"a":1,}']) {
      const answer = await server.app.inject({
        method: endpoint.methods[0],
        url: endpoint.path,
        headers: { accesstoken: owner.token, 'content-type': 'application/json' },
        payload,
      });
      expect([payload, answer.statusCode, answer.json().status]).toEqual([payload, 400, '400']);
    }
  });
});

it('refused calls have changed nothing', async () => {
  const { body } = await owner.call(endpoints.listFaces, { facegallery_id: owner.gallery });
  expect(body.faces).toContainEqual({ user_id: 'ani', user_name: 'Ani' });
  expect((await owner.call(endpoints.listGalleries)).body.facegallery_id).toEqual([owner.gallery]);
});

// After all of the above: every endpoint with good and bad input has been called.
describe('the log', () => {
  it('has lines about all of this, and no picture, template, password, token or key', async () => {
    const [wrong, secret] = ['wrong-password-of-a-test', 'waj_secret-of-a-query'];
    const login = '/oauth/client/token';
    const logins = [
      { client_id: owner.id, password: owner.password },
      { client_id: owner.id, password: wrong },
    ];
    for (const payload of logins) await server.app.inject({ method: 'POST', url: login, payload });
    const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`a:${wrong}`)}` };
    await server.app.inject({ method: 'POST', url: login, headers, payload: `{"password": "${wrong}"` });
    await server.app.inject({
      url: `${endpoints.listGalleries.path}?accesstoken=${secret}&password=${wrong}`,
    });
    const log = server.log();
    expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(200);
    for (const { path } of tokenEndpoints) expect(log).toContain(path);
    // Ids and names of people, of the fields above.
    const people = ['"ani"', 'new-user', 'new-card', 'Ani Lestari', 'form 12'];
    const texts = [wrong, secret, ...people, 'password of client-', owner.token, owner.diagnosticsToken];
    for (const picture of Object.values(pictures)) texts.push(picture.slice(0, 60), picture.slice(600, 660));
    expect(texts.filter((text) => log.includes(text))).toEqual([]);
    // Access tokens, API tokens, secrets of webhooks, other base64 or hexadecimal of keys and pictures, and templates.
    const forms = [/eyJ[\w-]{20,}\./, /waj_[\w-]{20,}/, /whsec_/, /[A-Za-z\d+/]{80,}/, /(?:-?\d\.\d+,){8}/];
    expect(forms.flatMap((form) => log.match(form)?.[0] ?? [])).toEqual([]);
  });
});
