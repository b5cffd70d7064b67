import { endpointList, endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';

const create = endpoints.createGallery.path;
const list = endpoints.listGalleries.path;

let names = 0;

const server = await startTestApp({ WAJAH_MAX_IMAGE_BYTES: '500000' });
const client = await server.client({ galleries: -1 });
const headers = { accesstoken: client.token };

/** A gallery name that is not taken. */
const fresh = () => `gallery-${names++}`;

/** Every method and path of the router. */
function servedRoutes(): string[] {
  const parents: string[] = [];
  const lines = server.app.printRoutes({ commonPrefix: false }).trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([\s│]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = (parents[depth - 1] ?? '') + part;
    parents[depth] = path;
    return methods.split(', ').map((method) => `${method} ${path}`);
  });
}

describe('the routes', () => {
  it('are those of the endpoint table, the pages, and HEAD where there is GET', () => {
    const meant = endpointList.flatMap(({ methods, path }) =>
      [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].map((method) => `${method} ${path}`),
    );
    // The printed tree leaves out the slash before a star.
    const console = ['/', '/console', '/console*', '/docs', '/docs/guide', '/docs/guide*'];
    const pages = [...console, '/liveness', '/capture/index.js'].flatMap((path) => [
      `GET ${path}`,
      `HEAD ${path}`,
    ]);
    expect(servedRoutes().sort()).toEqual([...meant, ...pages].sort());
  });
});

describe('tokens', () => {
  it('are required by every endpoint that is not public', async () => {
    for (const { path, methods, auth } of endpointList) {
      for (const method of methods) {
        const { statusCode } = await server.app.inject({ method, url: path });
        // A login without credentials is malformed. Revocation validates the token first.
        const byPassword = path === endpoints.revokeToken.path ? 401 : 400;
        const expected = { token: 401, credentials: byPassword, none: 200 }[auth];
        expect([method, path, statusCode]).toEqual([method, path, expected]);
        for (const accesstoken of auth === 'token'
          ? ['', 'nonsense', `${client.token}x`, 'waj_nonsense']
          : []) {
          const answer = await server.app.inject({ method, url: path, headers: { accesstoken } });
          expect([path, answer.statusCode]).toEqual([path, 401]);
          expect(answer.json()).toMatchObject({
            status: '401',
            status_message: 'Accesstoken not authorized',
          });
          expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
        }
      }
    }
  });

  it('may be sent as Accesstoken or as Bearer', async () => {
    const { token } = client;
    for (const given of [
      { accesstoken: token },
      { accesstoken: `Bearer ${token}` },
      { authorization: `Bearer ${token}` },
      { authorization: `bearer ${token}` },
    ]) {
      const answer = await server.app.inject({ url: list, headers: given });
      expect(answer.json()).toMatchObject({
        status: '200',
        status_message: 'Success - FaceGalleries Listed',
      });
    }
  });

  it('are refused with a reason if they are not valid', async () => {
    const { statusCode, headers } = await server.app.inject({ url: list, headers: { accesstoken: 'bad' } });
    expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
  });
});

describe('bodies', () => {
  const post = (payload: string | Buffer, type?: string) => {
    const contentType = type === undefined ? {} : { 'content-type': type };
    return server.app.inject({
      method: 'POST',
      url: create,
      headers: { ...headers, ...contentType },
      payload,
    });
  };

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'json', undefined])(
    'are parsed as JSON with any Content-Type: %s',
    async (type) => {
      const facegallery_id = fresh();
      const answer = await post(`\ufeff{"facegallery_id":"${facegallery_id}"}`, type);
      expect(answer.json()).toMatchObject({ status: '200', facegallery_id });
    },
  );

  it.each([
    [
      '{"facegallery_id":\n oops}',
      'the body: not JSON at position 20 (line 2, column 2): a word or character that JSON does not have; names and texts need double quotes',
    ],
    ['7', 'the body: found the number 7; allowed is a JSON object'],
    ['[1]', 'the body: found a list of 1; allowed is a JSON object'],
    ['"office"', 'the body: found the text "office"; allowed is a JSON object'],
    [Buffer.from([0x7b, 0xff]), 'the body: found bytes that are not UTF-8; allowed is JSON in UTF-8'],
  ])('that are not a JSON object are refused: %s', async (payload, detail) => {
    expect((await post(payload)).json()).toMatchObject({ status: '400', detail });
  });

  it('are refused with a reason if they are forms or compressed', async () => {
    expect((await post('facegallery_id=office', 'application/x-www-form-urlencoded')).json().detail).toBe(
      'the body: found a form (application/x-www-form-urlencoded); allowed is a JSON object',
    );
    // B10: a picture in a form is no text.
    expect((await post(Buffer.from([0xff, 0xd8]), 'multipart/form-data; boundary=x')).json().detail).toBe(
      'Content-Type: found a form (multipart/form-data); allowed is a JSON object, and multipart/form-data where pictures are sent',
    );
    const packed = { ...headers, 'content-encoding': 'gzip' };
    const answer = await server.app.inject({
      method: 'POST',
      url: create,
      headers: packed,
      payload: '\x1f\x8b',
    });
    expect(answer.json()).toMatchObject({
      status: '400',
      detail: expect.stringMatching(/^Content-Encoding: /),
    });
  });

  it('that are too large are refused, as an image error where an image is expected', async () => {
    const payload = JSON.stringify({ image: 'x'.repeat(2_000_000) });
    const text = await post(payload);
    expect(text.json()).toMatchObject({ status: '400', detail: expect.stringContaining('65536 bytes') });
    const url = endpoints.compareImages.path;
    const image = await server.app.inject({ method: 'POST', url, headers, payload });
    expect([image.statusCode, image.json().status]).toEqual([422, '493']);
    expect(image.json().detail).toContain('1473728 bytes');
  });

  it('may be replaced by the query with GET and DELETE; a field of the body takes precedence unless it is null', async () => {
    const [first, second, third] = [fresh(), fresh(), fresh()];
    for (const facegallery_id of [first, second, third]) {
      await client.call(endpoints.createGallery, { facegallery_id });
    }
    const remove = (query: string, payload?: object) =>
      server.app.inject({
        method: 'DELETE',
        url: `${endpoints.deleteGallery.path}?facegallery_id=${query}`,
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
    expect((await remove(first)).json().facegallery_id).toBe(first);
    expect((await remove(second, { facegallery_id: null })).json().facegallery_id).toBe(second);
    expect((await remove(first, { facegallery_id: third })).json().facegallery_id).toBe(third);
    const twice = await remove(`${first}&facegallery_id=${second}`);
    expect(twice.json()).toMatchObject({ status: '400', detail: expect.stringContaining('a list of 2') });
  });
});

describe('answers', () => {
  it('echo the trx_id, or generate one', async () => {
    const own = await client.call(endpoints.listGalleries, { trx_id: ' größe ' });
    expect(own.headers['x-trx-id']).toBe('gr%C3%B6%C3%9Fe');
    const byQuery = await server.app.inject({ method: 'POST', url: `${create}?trx_id=T-1`, headers });
    expect(byQuery.json().trx_id).toBe('T-1');
    const byHeader = { 'x-trx-id': 'H-1', accesstoken: 'none' };
    const early = await server.app.inject({ method: 'POST', url: create, headers: byHeader });
    expect(early.json()).toMatchObject({ status: '401', trx_id: 'H-1' });
    const made = await client.call(endpoints.createGallery, { trx_id: 'a\u2028b' });
    expect(made.body.trx_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(made.headers['x-trx-id']).toBe(made.body.trx_id);
  });

  it('are JSON and have the security headers', async () => {
    const { headers } = await client.call(endpoints.listGalleries);
    expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(headers['access-control-allow-origin']).toBe(undefined);
  });

  it('change nothing of other addresses, and nothing beyond themselves', async () => {
    const ofAnswer =
      /^(accept-ranges|cache-control|connection|content-.*|date|etag|link|location|vary|www-authenticate|x-trx-id)$/;
    // Each holds for the answer and the page that it is.
    const security = [
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-dns-prefetch-control',
      'x-download-options',
      'x-frame-options',
      'x-permitted-cross-domain-policies',
      'x-xss-protection',
    ];
    for (const url of ['/health', '/nowhere', '/', '/console', '/docs', '/liveness', '/openapi.json', list]) {
      const names = Object.keys((await server.app.inject(url)).headers);
      const others = names.filter((name) => !ofAnswer.test(name) && !security.includes(name));
      expect([url, others]).toEqual([url, []]);
    }
  });

  it('are in the envelope for unknown paths, wrong methods and URLs that cannot be read', async () => {
    const { app } = server;
    expect((await app.inject('/nowhere')).json()).toMatchObject({
      status: '404',
      trx_id: expect.any(String),
    });
    const wrong = await app.inject({ method: 'PUT', url: list, payload: { a: 1 } });
    expect([wrong.statusCode, wrong.json().status]).toEqual([405, '405']);
    expect(wrong.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await app.inject('/%zz')).json()).toMatchObject({ status: '400' });
  });

  it('to HEAD and OPTIONS follow HTTP', async () => {
    const head = await server.app.inject({ method: 'HEAD', url: list, headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect((await server.app.inject({ method: 'HEAD', url: list })).statusCode).toBe(401);
    const options = await server.app.inject({ method: 'OPTIONS', url: create });
    expect([options.statusCode, options.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
  });

  it('are the same with a slash at the end of the path', async () => {
    expect((await server.app.inject({ url: `${list}/`, headers })).statusCode).toBe(200);
  });

  it('name other origins only if configured so', async () => {
    const open = await startTestApp({ WAJAH_CORS_ORIGINS: 'https://a.example' });
    const preflight = await open.app.inject({
      method: 'OPTIONS',
      url: create,
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers['access-control-allow-origin']).toBe('https://a.example');
    const other = await open.app.inject({ url: '/health', headers: { origin: 'https://b.example' } });
    expect(other.headers['access-control-allow-origin']).not.toBe('https://b.example');
  });

  it.each([
    ['https://*.a.example', 'https://x.a.example', true],
    ['https://*.a.example', 'https://y.x.a.example', true],
    ['https://*.a.example', 'https://a.example', false],
    ['https://*.a.example', 'https://evila.example', false],
    ['https://*.a.example', 'https://x.aXexample', false],
    ['https://*.a.example', 'https://x.a.example.evil.example', false],
    ['https://*.a.example', 'http://x.a.example', false],
    ['capacitor://localhost, ionic://localhost, tauri://localhost', 'ionic://localhost', true],
    ['capacitor://localhost', 'capacitor://other', false],
    ['*, https://a.example', 'https://b.example', true],
  ])('with %s allow %s: %s', async (origins, origin, allowed) => {
    const { app } = await startTestApp({ WAJAH_CORS_ORIGINS: origins });
    const { headers } = await app.inject({ url: '/health', headers: { origin } });
    expect([origin, '*'].includes(String(headers['access-control-allow-origin']))).toBe(allowed);
  });
});
