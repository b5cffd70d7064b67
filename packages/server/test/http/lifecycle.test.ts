import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import type { GalleryService } from '../../src/services/galleries/ports.ts';
import { startTestApp, type TestApp, type TestClient } from '../support/test-app.ts';

const list = endpoints.listGalleries.path;

/** The real app, but listing galleries does this. */
async function start(listGalleries?: GalleryService['list'], env: Record<string, string> = {}) {
  const refuse = () => Promise.reject(new Error('not called here'));
  const get = (_: unknown, name: string | symbol) => (name === 'list' ? listGalleries : refuse);
  const galleries = listGalleries && new Proxy<GalleryService>({} as GalleryService, { get });
  const counted = { quota: { hits: 1_000_000 } };
  const server = await startTestApp(env, galleries ? { ...counted, services: { galleries } } : counted);
  const { app, log } = server;
  return { server, app, log, client: await server.client() };
}

async function hitsTaken(client: TestClient): Promise<number> {
  return 1_000_000 - (await client.call(endpoints.getCounters)).body.remaining_limit.n_api_hits;
}

describe('a defect', () => {
  it('is logged with the trx_id and not described to the caller', async () => {
    const { client, log } = await start(() => Promise.reject(new Error('SQLITE_CORRUPT in secret.db')));
    const { http, body } = await client.call(endpoints.listGalleries, { trx_id: 'T-1' });
    expect(http).toBe(500);
    expect(body).toEqual({
      status: '500',
      status_message: 'Server error',
      error: 'serverError',
      params: {},
      detail: 'an error of the server; its log has more under this trx_id',
      trx_id: 'T-1',
    });
    expect(log()).toMatch(/"level":"error".*"trx_id":"T-1".*SQLITE_CORRUPT/);
    expect(await hitsTaken(client)).toBe(1);
  });
});

describe('the rate limit', () => {
  it('is per client, answers 429 with Retry-After and does not count the call', async () => {
    const { server, app, client } = await start(undefined, { WAJAH_CALLS_PER_MINUTE: '2' });
    const other = await server.client();
    const call = (token = '') => app.inject({ url: list, headers: { accesstoken: token } });
    const answers = [await call(client.token), await call(client.token), await call(client.token)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(answers[2]?.json()).toMatchObject({ status: '429', status_message: 'Too many requests' });
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(other.token)).statusCode).toBe(200);
    for (let i = 0; i < 5; i++) expect((await app.inject('/health')).statusCode).toBe(200);
    const record = await server.context.store.clients.get(client.id);
    expect(record?.used.hits).toBe(2);
  });

  it('does not apply to pages and their files', async () => {
    const { app } = await start(undefined, { WAJAH_CALLS_PER_MINUTE: '2' });
    for (let i = 0; i < 5; i++) {
      for (const url of ['/console', '/docs', '/console/icon.svg']) {
        expect((await app.inject(url)).statusCode).not.toBe(429);
      }
    }
    expect((await app.inject('/health')).statusCode).toBe(200);
  });
});

describe('refused tokens', () => {
  const bad = { accesstoken: 'waj_wrong' };

  it('are limited for an IPv6 network, not for valid tokens from there', async () => {
    const { app, client } = await start(undefined, { WAJAH_CALLS_PER_MINUTE: '20' });
    const call = (remoteAddress: string, headers: object = bad) =>
      app.inject({ url: list, remoteAddress, headers: { ...headers } });
    const answers = ['2001:db8::1', '2001:db8::2', '2001:db8::3:4'].map((address) => call(address));
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([401, 401, 429]);
    const refused = await call('2001:db8::1');
    expect(refused.json()).toMatchObject({ status: '429', detail: expect.stringContaining('was refused') });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('2001:db8:0:1::1')).statusCode).toBe(401);
    expect((await call('2001:db8::1', { accesstoken: client.token })).statusCode).toBe(200);
  });

  it.each([
    ['1', '203.0.113.9', [401, 401]],
    ['10.0.0.0/8', '203.0.113.9, 10.1.1.1', [401, 401]],
    ['false', '203.0.113.9', [401, 429]],
  ])('count for the client before the trusted proxies (%s)', async (trusted, last, statuses) => {
    const env = { WAJAH_CALLS_PER_MINUTE: '10', WAJAH_TRUST_PROXY: trusted };
    const { app } = await start(undefined, env);
    const call = (forwarded: string) =>
      app.inject({ url: list, remoteAddress: '10.0.0.1', headers: { ...bad, 'x-forwarded-for': forwarded } });
    // What the caller itself wrote into the header comes first and is not trusted.
    const answers = [await call(`198.51.100.1, ${last}`), await call('198.51.100.1, 203.0.113.10')];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(statuses);
    if (trusted !== 'false') expect((await call(`198.51.100.2, ${last}`)).statusCode).toBe(429);
  });
});

describe('the log', () => {
  it('has one line a request, without its content', async () => {
    const { app, client, log } = await start();
    const url = `${endpoints.createGallery.path}?image=private`;
    const payload = { facegallery_id: 'office', trx_id: 'T-2', password: 'private' };
    await app.inject({ method: 'POST', url, headers: { accesstoken: client.token }, payload });
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      trx_id: 'T-2',
      client_id: client.id,
      method: 'POST',
      route: endpoints.createGallery.path,
      status: '200',
      http: 200,
      ms: expect.any(Number),
    });
    expect(log()).not.toContain('private');
    expect(log()).not.toContain(client.token);
  });
});

/** A list of galleries that waits until it is released or its caller disconnects. */
function slowList() {
  const { promise: started, resolve: start } = withResolvers();
  const { promise: aborted, resolve: abort } = withResolvers();
  const { promise: released, resolve: release } = withResolvers();
  const list: GalleryService['list'] = async ({ signal }) => {
    start();
    const gone = once(signal, 'abort').then(() => {
      abort();
      throw new Error('aborted');
    });
    await Promise.race([released, gone]);
    return ['slow'];
  };
  return { list, started, aborted, release };
}

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('over a real socket', () => {
  const request = (token: string) => `GET ${list} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${token}\r\n\r\n`;

  async function dial({ app }: TestApp | { app: TestApp['app'] }) {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    return connect(Number(port), '127.0.0.1');
  }

  it('aborts the service when the caller disconnects, and counts the call without an error', async () => {
    const slow = slowList();
    const { app, client, log } = await start(slow.list);
    const socket = await dial({ app });
    socket.write(request(client.token));
    await slow.started;
    socket.destroy();
    await slow.aborted;
    while (!log().includes('"gone":true')) await turn();
    expect(log()).not.toContain('unexpected error');
    expect(await hitsTaken(client)).toBe(1);
  });

  it('finishes running calls when it closes, and refuses new ones', async () => {
    const slow = slowList();
    const { app, client } = await start(slow.list);
    const socket = await dial({ app });
    socket.write(request(client.token));
    await slow.started;
    const closed = app.close();
    await turn();
    slow.release();
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 [\s\S]*\["slow"\]/);
    socket.write(request(client.token));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 5[\s\S]*"status":"503"/i);
    await closed;
  });

  it.each([
    ['nothing', ''],
    ['half a call', 'GET /health HTTP/1.1\r\nHost: h'],
  ])('closes a connection at once that has received %s', async (_, sent) => {
    const { app } = await start();
    const socket = await dial({ app });
    await once(socket, 'connect');
    const idle = await fetch(`http://127.0.0.1:${socket.remotePort}/health`);
    expect(idle.headers.get('connection')).toBe('keep-alive');
    await idle.text();
    socket.write(sent);
    // Cut in the middle of a call it is an error to this end, too.
    socket.resume().on('error', () => undefined);
    const cut = new Promise((resolve) => socket.once('close', resolve));
    await app.close();
    await cut;
  });

  it('logs no error when the caller disconnects in the middle of a body', async () => {
    const { app, client, log } = await start();
    const socket = await dial({ app });
    const head = `POST ${endpoints.compareImages.path} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${client.token}\r\n`;
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n{`);
    await once(socket, 'data');
    socket.destroy();
    while (!log().includes('"gone":true')) await turn();
    expect(log()).not.toMatch(/unexpected error|"event":"refused"/);
  });

  it('answers a body that is too large also to a caller that sends all of it first', async () => {
    const { app, client } = await start(undefined, { WAJAH_MAX_IMAGE_BYTES: '262144' });
    const socket = await dial({ app });
    const size = 30_000_000;
    const head = `POST ${endpoints.compareImages.path} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${client.token}\r\n`;
    socket.pause();
    socket.write(`${head}Content-Length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(size, 'x'));
    if (socket.writableNeedDrain) await once(socket, 'drain');
    socket.resume();
    const [data] = await once(socket, 'data');
    expect(String(data)).toMatch(/^HTTP\/1.1 422 [\s\S]*"status":"493"/);
    socket.destroy();
  });

  it('takes a body as large as the pictures of its endpoint may be', async () => {
    const { client } = await start(undefined, { WAJAH_MAX_IMAGE_BYTES: '65536' });
    const image = 'A'.repeat(300_000);
    const two = await client.call(endpoints.compareImages, { source_image: image });
    expect(two.body).toMatchObject({
      status: '493',
      detail: expect.stringMatching(/larger than 257230 bytes/),
    });
    const eight = await client.call(endpoints.verifyLivenessBatch, { image });
    expect(eight.body).toMatchObject({ status: '400', detail: expect.stringMatching(/^batch/) });
  });
});
