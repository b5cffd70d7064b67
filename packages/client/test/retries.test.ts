import { createWajahClient } from '@wajah/client';
import { statuses } from '@wajah/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { openFaultyProxy } from './faulty-proxy.ts';
import { openTestServer } from './test-server.ts';

const [testServer, pictures] = await Promise.all([openTestServer(), drawPictures()]);
const proxy = await openFaultyProxy(testServer.url);
const { account } = await testServer.login();
const { id: clientId, password } = account;
const wajah = createWajahClient({ url: proxy.url, clientId, password });
await wajah.getCounters();
beforeEach(() => proxy.reset());

const counters = '/face-api/client/get-counters';
const create = '/face-api/facegallery/create-facegallery';
const verify = '/face-api/facegallery/verify-face';
const galleries = '/face-api/facegallery/my-facegalleries';

/** A refusal as the server sends it. */
function refused(name: 'busy' | 'tooManyRequests' | 'unauthorized', seconds?: string) {
  const { status, http, message } = statuses[name];
  const body = { status, status_message: message, detail: 'planned', trx_id: 'planned' };
  return { answer: http, body, ...(seconds === undefined ? {} : { headers: { 'retry-after': seconds } }) };
}

describe('a call that was not executed', () => {
  it.each(['busy', 'tooManyRequests'] as const)(
    '%s: the call is retried, whatever the endpoint',
    async (name) => {
      proxy.plan(create, refused(name, '0'), refused(name, '0'));
      expect((await wajah.createGallery({ facegallery_id: `after-${name}` })).status).toBe('200');
      expect(proxy.calls).toEqual(Array(3).fill(`POST ${create}`));
    },
  );

  it('is retried at most as often as configured', async () => {
    proxy.plan(counters, ...Array(5).fill(refused('busy', '0')));
    await expect(wajah.getCounters({}, { retries: 1 })).rejects.toMatchObject({
      status: '503',
      retryable: true,
    });
    expect(proxy.calls.length).toBe(2);
    await expect(wajah.getCounters({}, { retries: 0 })).rejects.toMatchObject({ status: '503' });
    expect(proxy.calls.length).toBe(3);
  });

  it('is not retried if the server asks for a long wait', async () => {
    proxy.plan(counters, refused('tooManyRequests', '60'));
    await expect(wajah.getCounters()).rejects.toMatchObject({ status: '429', retryAfterMs: 60_000 });
    expect(proxy.calls.length).toBe(1);
  });

  it('is not retried if the wait would exceed the timeout', async () => {
    proxy.plan(counters, refused('busy', '20'));
    await expect(wajah.getCounters({}, { timeoutMs: 19_000 })).rejects.toMatchObject({ status: '503' });
  });
});

describe('a token request that fails', () => {
  it('is requested again, without a retry of the call that needs it', async () => {
    const { id: clientId, password } = account;
    const fresh = createWajahClient({ url: proxy.url, clientId, password });
    proxy.plan('/oauth/client/token', ...Array(9).fill(refused('busy', '0')));
    await expect(fresh.getCounters()).rejects.toMatchObject({ status: '503' });
    expect(proxy.calls).toEqual(Array(3).fill('POST /oauth/client/token'));
  });

  it('does not prevent a retry of a call that was not sent', async () => {
    const { id: clientId, password } = account;
    const fresh = createWajahClient({ url: proxy.url, clientId, password });
    proxy.plan('/oauth/client/token', 'lose the answer');
    expect((await fresh.createGallery({ facegallery_id: 'later' })).status).toBe('200');
  });
});

describe('a lost answer', () => {
  it('is retried if the call changes nothing', async () => {
    proxy.plan(galleries, 'lose the answer');
    expect((await wajah.listGalleries()).facegallery_id).toContain(account.gallery);
    expect(proxy.calls).toEqual(Array(2).fill(`GET ${galleries}`));
  });

  it('throws an error if the call may have been executed', async () => {
    proxy.plan(create, 'lose the answer');
    const lost = wajah.createGallery({ facegallery_id: 'lost' });
    await expect(lost).rejects.toMatchObject({ status: 'network', code: 'unreachable', http: undefined });
    expect(proxy.calls).toEqual([`POST ${create}`]);
    expect((await wajah.listGalleries()).facegallery_id).toContain('lost');
  });

  it('throws an error if the call spends a liveness token', async () => {
    proxy.plan(verify, 'lose the answer');
    const fields = { user_id: 'ani', facegallery_id: account.gallery, image: pictures.ani };
    await expect(wajah.verifyFace({ ...fields, liveness_token: 'spent' })).rejects.toMatchObject({
      status: 'network',
    });
    expect(proxy.calls.length).toBe(1);
  });

  it('of a proxy is retried only if the call changes nothing', async () => {
    const html = { answer: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' };
    proxy.plan(galleries, html);
    expect((await wajah.listGalleries()).status).toBe('200');
    proxy.plan(create, html);
    await expect(wajah.createGallery({ facegallery_id: 'beyond' })).rejects.toMatchObject({
      status: 'unexpected',
      http: 502,
      retryable: true,
      detail: expect.stringContaining('text/html'),
    });
  });
});

describe('an abort', () => {
  it('names the call after a timeout', async () => {
    proxy.plan(counters, 'never answer');
    await expect(wajah.getCounters({}, { timeoutMs: 300 })).rejects.toMatchObject({
      status: 'timeout',
      detail: `${counters} took longer than 300 ms`,
    });
    // None when the machine stalled before the call was sent.
    expect(proxy.calls.length).toBeLessThanOrEqual(1);
  });

  it('throws the reason of the signal, also while it waits for a retry', async () => {
    proxy.plan(counters, 'never answer');
    const stop = new AbortController();
    const call = wajah.getCounters({}, { signal: stop.signal });
    stop.abort(new Error('the person left'));
    await expect(call).rejects.toThrow('the person left');
    proxy.plan(counters, refused('busy', '10'));
    const late = new AbortController();
    const waiting = wajah.getCounters({}, { signal: late.signal });
    setTimeout(() => late.abort(new Error('enough')), 200);
    await expect(waiting).rejects.toThrow('enough');
  });

  it('of one caller leaves the token request of the others running', async () => {
    const { id: clientId, password } = account;
    const fresh = createWajahClient({ url: proxy.url, clientId, password });
    const stop = new AbortController();
    const first = fresh.getCounters({}, { signal: stop.signal });
    const second = fresh.getCounters();
    stop.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect((await second).status).toBe('200');
    expect(proxy.calls.filter((call) => call.includes('/oauth/')).length).toBe(1);
  });
});

describe('a redirect', () => {
  it('is not followed: picture and token are not sent elsewhere', async () => {
    proxy.plan(counters, { answer: 307, headers: { location: `${testServer.url}${counters}` } });
    await expect(wajah.getCounters({}, { retries: 0 })).rejects.toMatchObject({ status: 'network' });
  });
});

describe('ready', () => {
  it('reports at once that the server is not ready', async () => {
    proxy.plan('/ready', refused('busy', '0'));
    await expect(wajah.ready()).rejects.toMatchObject({ status: '503' });
    expect(proxy.calls).toEqual(['GET /ready']);
  });
});

it('names a server that cannot be reached', async () => {
  const nobody = createWajahClient({ url: 'http://127.0.0.1:9', token: 'x', retries: 0 });
  await expect(nobody.getCounters()).rejects.toMatchObject({
    status: 'network',
    detail: expect.stringContaining('http://127.0.0.1:9'),
  });
});
