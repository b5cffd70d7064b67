import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { serveHttp } from '../../../server/test/support/http-server.ts';
import { TransportError } from '../errors.ts';
import { httpTransport, requireSuccess, transportFrom } from './http-transport.ts';

interface Call {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let calls: Call[] = [];
let answer: { http: number; headers?: Record<string, string>; body: string };

const { url } = await serveHttp(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(parts).toString());
  calls.push({ url: request.url ?? '', headers: request.headers, body });
  response.writeHead(answer.http, answer.headers).end(answer.body);
});
beforeEach(() => {
  calls = [];
  answer = { http: 200, body: '{"status":"200"}' };
});

const settings = (attributes: Record<string, string>, token?: string | (() => Promise<string>)) => ({
  token,
  headers: { 'X-Csrf': 'c' },
  getAttribute: (name: string) => attributes[name] ?? null,
});

describe('the transport', () => {
  it('with base-url is that of the service, with a token that is requested each time', async () => {
    let asked = 0;
    const token = async () => `token-${++asked}`;
    const given = { 'base-url': `${url}/`, steps: '4', 'user-id': 'ani', 'facegallery-id': 'demo@trial' };
    const transport = transportFrom(settings(given, token));
    await transport.createSession();
    await transport.submitSession({ session_id: 's', frames: [] });
    await transport.detect?.('aW1n', { session_id: 's', attributes: ['eyes'] });
    const user = { user_id: 'ani', facegallery_id: 'demo@trial' };
    expect(calls.map((call) => [call.url, call.body])).toEqual([
      ['/liveness-api/create-session', { steps: 4, ...user, wait: true }],
      ['/liveness-api/submit-session', { session_id: 's', frames: [] }],
      ['/liveness-api/hint-frame', { session_id: 's', image: 'aW1n', attributes: ['eyes'] }],
    ]);
    expect(calls.map(({ headers }) => headers['accesstoken'])).toEqual(['token-1', 'token-2', 'token-3']);
    expect(calls[0]?.headers).toMatchObject({
      accept: 'application/vnd.wajah+json',
      'content-type': 'application/json',
      'x-csrf': 'c',
    });
  });

  it('to a backend has no token, and detects only with a URL', async () => {
    const transport = transportFrom(settings({ 'create-url': `${url}/a`, 'submit-url': `${url}/b` }));
    await transport.createSession();
    expect(calls[0]).toMatchObject({ url: '/a', body: {} });
    expect(calls[0]?.headers).not.toHaveProperty('accesstoken');
    expect(transport.detect).toBeUndefined();
  });

  it('is required', () => {
    const missing = expect.objectContaining({ code: 'not-configured' });
    expect(() => transportFrom(settings({}))).toThrow(missing);
    expect(() => transportFrom(settings({ 'create-url': '/a' }))).toThrow(missing);
  });
});

describe('a refusal', () => {
  const refused = async () => {
    const transport = httpTransport({ createUrl: url, submitUrl: url });
    const error: unknown = await transport.createSession().catch((thrown: unknown) => thrown);
    if (!(error instanceof TransportError)) throw new Error('it was not refused');
    return { status: error.status, message: error.message, retryAfter: error.retryAfter };
  };

  it('has the status, the detail and the delay of the answer', async () => {
    const body = JSON.stringify({ status: '429', status_message: 'Too many requests', detail: 'limit: 60' });
    answer = { http: 429, headers: { 'retry-after': '7' }, body };
    expect(await refused()).toEqual({ status: '429', message: 'limit: 60', retryAfter: 7 });
  });

  it('is recognised with HTTP 200 and without a JSON body', async () => {
    answer = { http: 200, body: '{"status":"411","status_message":"Face not verified"}' };
    expect(await refused()).toEqual({ status: '411', message: 'Face not verified', retryAfter: undefined });
    answer = { http: 502, body: '<html>' };
    expect(await refused()).toMatchObject({ status: '502', message: 'the server answered 502' });
    for (const body of ['null', '[]', '"x"']) {
      answer = { http: 500, body };
      expect(await refused()).toMatchObject({ status: '500' });
    }
  });

  it('may be returned by a custom transport', () => {
    expect(requireSuccess({ session_id: 's', steps: [] })).toEqual({ session_id: 's', steps: [] });
    expect(() => requireSuccess({ status: 420, detail: 'over' })).toThrow('over');
  });
});
