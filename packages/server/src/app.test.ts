import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { endpointList } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { type AppServices, buildApp } from './app.ts';
import { loadConfig } from './config.ts';
import { Refusal } from './errors.ts';
import { createLogger } from './logger.ts';

/** Services that fail in the ways that real ones do when something breaks; what is not named here is not called. */
function services(parts: Partial<AppServices> = {}) {
  const hits = { taken: 0, givenBack: 0 };
  const refused: string[] = [];
  const all: Partial<AppServices> = {
    accounts: {
      async authenticate(token) {
        if (token !== 'good') throw new Refusal('unauthorized', 'Accesstoken: the token is unknown');
        return { clientId: 'demo' };
      },
      async login() {
        throw new Refusal('tooManyRequests', 'too many failed logins', { retry_after: 77 });
      },
      async revoke() {},
    },
    quotas: {
      async take() {
        hits.taken++;
      },
      async giveBack() {
        hits.givenBack++;
      },
    },
    events: { refused: (_actor, { refusal }) => void refused.push(refusal) },
    galleries: {
      list: async () => ['office'],
      create: async () => {},
      remove: async () => {},
    },
    ready: async () => ({ ready: true, checks: { store: true } }),
    jwks: async () => ({ keys: [] }),
    ...parts,
  };
  return { hits, refused, services: all as AppServices };
}

let app: FastifyInstance | undefined;
let log = '';

async function start(parts: Partial<AppServices> = {}, env: Record<string, string> = {}) {
  const made = services(parts);
  const sink = new PassThrough();
  log = '';
  sink.on('data', (chunk) => {
    log += chunk;
  });
  app = await buildApp(made.services, { config: loadConfig(env), logger: createLogger('info', sink) });
  return { ...made, app };
}

afterEach(async () => {
  await app?.close();
  app = undefined;
});

const headers = { accesstoken: 'good' };
const create = '/face-api/facegallery/create-facegallery';
const list = '/face-api/facegallery/my-facegalleries';

describe('tokens', () => {
  it('are asked for by every endpoint that is not open', async () => {
    const { app, hits } = await start();
    for (const { path, methods, auth } of endpointList) {
      if (auth === 'none') continue;
      for (const method of methods) {
        const answer = await app.inject({ method, url: path });
        // The password is asked for before anything else where there is one; without a field it is malformed.
        const expected = auth === 'token' || path === '/oauth/token/revoke' ? 401 : 400;
        expect([path, answer.statusCode]).toEqual([path, expected]);
        if (auth !== 'token') continue;
        expect(answer.json()).toMatchObject({ status: '401', status_message: 'Accesstoken not authorized' });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
    expect(hits.taken).toBe(0);
  });

  it.each([
    { accesstoken: 'good' },
    { accesstoken: 'Bearer good' },
    { authorization: 'Bearer good' },
    { authorization: 'bearer good' },
  ])('may come as %j', async (given) => {
    const { app } = await start();
    const answer = await app.inject({ url: list, headers: given });
    expect(answer.json()).toEqual({
      status: '200',
      status_message: 'Success - FaceGalleries Listed',
      facegallery_id: ['office'],
    });
  });

  it('that are not good are named so', async () => {
    const { app } = await start();
    const answer = await app.inject({ url: list, headers: { accesstoken: 'bad' } });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });
});

describe('bodies', () => {
  const post = async (payload: string | Buffer, type?: string) => {
    const { app } = await start();
    const contentType = type === undefined ? {} : { 'content-type': type };
    return app.inject({ method: 'POST', url: create, headers: { ...headers, ...contentType }, payload });
  };

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'json', undefined])(
    'are JSON whatever the Content-Type says: %s',
    async (type) => {
      expect((await post('\ufeff{"facegallery_id":"office"}', type)).json()).toMatchObject({
        facegallery_id: 'office',
      });
    },
  );

  it.each([
    [
      '{"facegallery_id":\n oops}',
      'the body: not JSON at position 20 (line 2, column 2): a value was expected',
    ],
    ['[1]', 'the body: found a list of 1; allowed is a JSON object'],
    ['"office"', 'the body: found the text "office"; allowed is a JSON object'],
    [Buffer.from([0x7b, 0xff]), 'the body: found bytes that are not UTF-8; allowed is JSON in UTF-8'],
  ])('that are no JSON object are refused: %s', async (payload, detail) => {
    expect((await post(payload)).json()).toMatchObject({
      status: '400',
      status_message: 'Request malformed',
      detail,
    });
  });

  it('that are forms are refused by their name', async () => {
    expect((await post('facegallery_id=office', 'application/x-www-form-urlencoded')).json().detail).toBe(
      'Content-Type: found a form (application/x-www-form-urlencoded); allowed is a JSON object',
    );
  });

  it('that are too large are refused, as an image error where an image is expected', async () => {
    const { app } = await start({}, { WAJAH_MAX_BODY_BYTES: '100000' });
    const payload = JSON.stringify({ image: 'x'.repeat(100_000) });
    const text = await app.inject({ method: 'POST', url: create, headers, payload });
    expect(text.json()).toMatchObject({ status: '400', detail: expect.stringContaining('100000 bytes') });
    const url = '/face-api/compare-images';
    const image = await app.inject({ method: 'POST', url, headers, payload });
    expect([image.statusCode, image.json().status]).toEqual([422, '493']);
  });

  it('may be replaced by the query with GET and DELETE; the body wins', async () => {
    const removed: string[] = [];
    const { app } = await start({
      galleries: {
        list: async () => [],
        create: async () => {},
        remove: async (_caller, galleryId) => void removed.push(galleryId),
      },
    });
    const url = '/face-api/facegallery/delete-facegallery?facegallery_id=query';
    await app.inject({ method: 'DELETE', url, headers });
    await app.inject({ method: 'DELETE', url, headers, payload: { facegallery_id: null } });
    await app.inject({ method: 'DELETE', url, headers, payload: { facegallery_id: 'body' } });
    expect(removed).toEqual(['query', 'query', 'body']);
  });
});

describe('the envelope', () => {
  it('says nothing of what broke, and logs it with the trx_id', async () => {
    const { app, refused } = await start({
      galleries: {
        list: async () => {
          throw new Error('SQLITE_CORRUPT at /var/lib/secret');
        },
        create: async () => {},
        remove: async () => {},
      },
    });
    const answer = await app.inject({ url: `${list}?trx_id=T-1`, headers });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      status: '500',
      status_message: 'Server error',
      detail: 'an error of the server; its log has more under this trx_id',
      trx_id: 'T-1',
    });
    expect(log).toMatch(/"trx_id":"T-1".*SQLITE_CORRUPT/);
    expect(refused).toEqual(['serverError']);
  });

  it('echoes the trx_id, or makes one', async () => {
    const { app } = await start();
    const payload = { facegallery_id: 'office', trx_id: ' größe\u2028' };
    const own = await app.inject({
      method: 'POST',
      url: create,
      headers,
      payload: { ...payload, trx_id: 'größe' },
    });
    expect(own.headers['x-trx-id']).toBe('gr%C3%B6%C3%9Fe');
    const made = await app.inject({ method: 'POST', url: create, headers, payload: { trx_id: 'a\u2028b' } });
    expect(made.headers['x-trx-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(made.json().trx_id).toBe(made.headers['x-trx-id']);
  });

  it('is JSON and has the security headers', async () => {
    const { app } = await start();
    const { headers: got } = await app.inject({ url: list, headers });
    expect(got['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(got).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(got['access-control-allow-origin']).toBe(undefined);
  });

  it('covers unknown paths, wrong methods and URLs that cannot be read', async () => {
    const { app } = await start();
    expect((await app.inject('/nowhere')).json()).toMatchObject({
      status: '404',
      trx_id: expect.any(String),
    });
    const wrong = await app.inject({ method: 'PUT', url: list, payload: { a: 1 } });
    expect([wrong.statusCode, wrong.json().status, wrong.headers['allow']]).toEqual([
      405,
      '405',
      'GET, HEAD, OPTIONS',
    ]);
    expect((await app.inject('/%zz')).json()).toMatchObject({ status: '400' });
    const options = await app.inject({ method: 'OPTIONS', url: create });
    expect([options.statusCode, options.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
  });

  it('says when to come back, and gives the hit back, when the server is busy', async () => {
    const { app, hits } = await start({
      galleries: {
        list: async () => {
          throw new Refusal('busy', 'the queue is full');
        },
        create: async () => {},
        remove: async () => {},
      },
    });
    const answer = await app.inject({ url: list, headers });
    expect([answer.statusCode, answer.json().status, answer.headers['retry-after']]).toEqual([
      503,
      '503',
      '1',
    ]);
    expect(hits).toEqual({ taken: 1, givenBack: 1 });
  });

  it('counts a call whose body is malformed', async () => {
    const { app, hits } = await start();
    await app.inject({ method: 'POST', url: create, headers, payload: '{' });
    expect(hits).toEqual({ taken: 1, givenBack: 0 });
  });
});

describe('limits on rate', () => {
  it('answer 429 with Retry-After and take no hit', async () => {
    const { app, hits } = await start({}, { WAJAH_CALLS_PER_MINUTE: '2' });
    const answers = [];
    for (let call = 0; call < 3; call++) answers.push(await app.inject({ url: list, headers }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(answers[2]?.json()).toMatchObject({ status: '429', status_message: 'Too many requests' });
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(hits.taken).toBe(2);
    for (let call = 0; call < 5; call++) expect((await app.inject('/health')).statusCode).toBe(200);
  });

  it('of logins come from the service', async () => {
    const { app } = await start();
    const payload = { client_id: 'demo', password: 'guess' };
    const answer = await app.inject({ method: 'POST', url: '/oauth/client/token', payload });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '77']);
  });
});

describe('the log', () => {
  it('has one line for a request, without what it carried', async () => {
    const { app } = await start();
    const payload = { facegallery_id: 'private-name', trx_id: 'T-2' };
    await app.inject({ method: 'POST', url: `${create}?image=private`, headers, payload });
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      trx_id: 'T-2',
      client_id: 'demo',
      method: 'POST',
      route: create,
      status: '200',
      http: 200,
      ms: expect.any(Number),
    });
    expect(log).not.toMatch(/private|good/);
  });
});

/** A gallery list that waits until it is released or its caller goes away. */
function slowGalleries() {
  let release = () => {};
  let started = () => {};
  let aborted = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const hasAborted = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const galleries: AppServices['galleries'] = {
    list: ({ signal }) =>
      new Promise((resolve, reject) => {
        release = () => resolve(['slow']);
        signal.addEventListener('abort', () => {
          aborted();
          reject(new Error('aborted'));
        });
        started();
      }),
    create: async () => {},
    remove: async () => {},
  };
  return { galleries, hasStarted, hasAborted, release: () => release() };
}

describe('over a real socket', () => {
  it('aborts the service when the caller goes away, and calls that no defect', async () => {
    const slow = slowGalleries();
    const { app, hits } = await start({ galleries: slow.galleries });
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${list} HTTP/1.1\r\nHost: h\r\nAccesstoken: good\r\n\r\n`);
    await slow.hasStarted;
    socket.destroy();
    await slow.hasAborted;
    while (!log.includes('"gone":true')) await turn();
    expect(log).not.toContain('a defect');
    expect(hits.givenBack).toBe(0);
  });

  it('finishes running calls when it closes, and refuses new ones', async () => {
    const slow = slowGalleries();
    const { app, refused } = await start({ galleries: slow.galleries });
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${list} HTTP/1.1\r\nHost: h\r\nAccesstoken: good\r\n\r\n`);
    await slow.hasStarted;
    const closed = app.close();
    await turn();
    socket.write(`GET ${list} HTTP/1.1\r\nHost: h\r\n\r\n`);
    while (!refused.includes('busy')) await turn();
    slow.release();
    const received = await text(socket);
    expect(received).toMatch(/^HTTP\/1.1 200 [\s\S]*\["slow"\][\s\S]*HTTP\/1.1 503 /);
    expect(received).toMatch(/connection: close[\s\S]*"status":"503"/i);
    await closed;
  });

  it('answers what is not HTTP in the envelope', async () => {
    const { app } = await start();
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('nonsense\r\n\r\n');
    const [data] = await once(socket, 'data');
    expect(String(data)).toMatch(/^HTTP\/1.1 400 [\s\S]*"status":"400","status_message":"Request malformed"/);
  });
});

describe('CORS', () => {
  it('is there for the origins that were named', async () => {
    const { app } = await start({}, { WAJAH_CORS_ORIGINS: 'https://a.example' });
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: create,
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers['access-control-allow-origin']).toBe('https://a.example');
    const other = await app.inject({ url: '/health', headers: { origin: 'https://b.example' } });
    expect(other.headers['access-control-allow-origin']).not.toBe('https://b.example');
  });
});
