import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Duplex } from 'node:stream';
import { endpoints, refusalAnswer, statuses } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { answerClientError } from '../../src/http/plugins/unrouted.ts';
import { exchange as exchangeBytes } from '../support/hostile/exchange.ts';
import { startTestApp } from '../support/test-app.ts';

const server = await startTestApp();
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;

/** Sends bytes, with pauses between the parts. @returns everything received until the server closed the connection */
const exchange = (parts: readonly string[], to = port): Promise<string> => {
  const paused = parts.flatMap((part) => [Buffer.from(part, 'latin1'), 30]);
  const then = 'wait';
  return exchangeBytes(to, { parts: paused, then, isHead: false });
};

/** Parses HTTP codes and bodies of answers. */
function answersIn(received: string): { http: number; body: Record<string, unknown> }[] {
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .filter((text) => !text.startsWith('HTTP/1.1 100'))
    .map((text) => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      expect(Buffer.byteLength(body)).toBe(length);
      return { http: Number(head.split(' ')[1]), body: JSON.parse(body) };
    });
}

const head = (line: string, ...headers: string[]) => `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;
const post = `POST ${endpoints.clientToken.path} HTTP/1.1`;
const close = 'Connection: close';

it('serves a path with doubled slashes, as programs join addresses', async () => {
  const call = (path: string) => exchange([head(`GET ${path} HTTP/1.1`, close)]);
  const found = ['//health', '/health//', '///face-api//compare-images', '//nowhere'];
  const answers = await Promise.all(found.map(async (path) => answersIn(await call(path))[0]?.http));
  expect(answers).toEqual([200, 200, 405, 404]);
});

describe('malformed HTTP is refused in the envelope', () => {
  it.each([
    ['garbage', /request line/, ['GARBAGE\r\n\r\n']],
    ['TLS', /./, ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
    ['HTTP/2', /./, ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ['a method that is none', /method/, [head('FOO / HTTP/1.1')]],
    ['a NUL in a header', /headers/, [head('GET /health HTTP/1.1', 'X: a\0b')]],
    ['large headers', /16 KiB/, [head('GET /health HTTP/1.1', `X: ${'a'.repeat(20_000)}`)]],
    ['a length that is no number', /Content-Length/, [head(post, 'Content-Length: abc')]],
    ['a negative length', /Content-Length/, [head(post, 'Content-Length: -1')]],
    ['two lengths', /Content-Length/, [head(post, 'Content-Length: 1', 'Content-Length: 2')]],
    [
      'a length and chunks',
      /(Content-Length|Transfer-Encoding)/,
      [head(post, 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ],
    ['a chunk without a size', /chunk/, [head(post, 'Transfer-Encoding: chunked'), 'zz\r\n\r\n']],
    ['no Host', /^Host/, [`GET /health HTTP/1.1\r\n${close}\r\n\r\n`]],
    ['a Host with a path', /^Host/, [`GET /health HTTP/1.1\r\nHost: a.example/x#\r\n${close}\r\n\r\n`]],
    ['a Host with a user', /^Host/, [`GET /health HTTP/1.1\r\nHost: b@a.example\r\n${close}\r\n\r\n`]],
    ['a URL without a path', /URL/, [head('GET http://[/ HTTP/1.1', close)]],
  ])('%s', async (_, detail, parts) => {
    const [answer, ...others] = answersIn(await exchange(parts));
    expect(others).toEqual([]);
    expect(answer).toMatchObject({
      http: 400,
      body: { status: '400', detail: expect.stringMatching(detail) },
    });
    expect(refusalAnswer.parse(answer?.body).status_message).toBe(statuses.malformed.message);
  });

  it('CONNECT', async () => {
    const [answer] = answersIn(await exchange([head('CONNECT a:80 HTTP/1.1')]));
    expect(answer).toMatchObject({ http: 405, body: { status: '405' } });
  });

  it('CONNECT of a caller that resets the connection', async () => {
    const reset = new Duplex({
      read() {},
      write: (_bytes, _encoding, done) => done(new Error('ECONNRESET')),
    });
    server.app.server.emit('connect', {}, reset, Buffer.alloc(0));
    await new Promise((closed) => reset.once('close', closed));
  });

  it('the server continues to answer', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });
});

it('closes the connection of a caller that does not close its side', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const open = () => new Promise<number>((resolve) => server.app.server.getConnections((_, n) => resolve(n)));
  const before = await open();
  socket.write('GARBAGE\r\n\r\n');
  await once(socket, 'end');
  expect(answersIn(received)).toMatchObject([{ http: 400 }]);
  await expect.poll(open).toBeLessThanOrEqual(before);
  socket.destroy();
});

describe('unusual requests are answered', () => {
  it('with an unknown Expect header', async () => {
    const body = '{"client_id":"x","password":"y"}';
    const received = await exchange([
      head(post, 'Expect: cake', `Content-Length: ${body.length}`, close),
      body,
    ]);
    expect(answersIn(received)).toMatchObject([{ body: { status: '401' } }]);
  });

  it('of HTTP/1.0 without Host', async () => {
    expect(answersIn(await exchange(['GET /health HTTP/1.0\r\n\r\n']))).toMatchObject([{ http: 200 }]);
  });

  it('before an invalid one on the same connection', async () => {
    const body = '{"client_id":"nobody","password":"a wrong password"}';
    const call = head(post, `Content-Length: ${body.length}`) + body;
    const received = answersIn(await exchange([`${call}GARBAGE\r\n\r\n`]));
    expect(received.map(({ http }) => http)).toEqual([401, 400]);
  });
});

it('a request that does not arrive in time is refused in the envelope', async () => {
  // The limits of the service are minutes; this is Node's server with the service's handler.
  const quick = createServer({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
  quick.on('clientError', (error, socket) => answerClientError(error, socket, null));
  quick.on('request', () => {});
  quick.listen(0, '127.0.0.1');
  await once(quick, 'listening');
  const { port: to } = quick.address() as AddressInfo;
  for (const parts of [['GET /health HTTP/1.1\r\nHo'], [head(post, 'Content-Length: 10'), '{']]) {
    const answers = answersIn(await exchange(parts, to));
    expect(answers).toMatchObject([{ http: 400, body: { detail: 'the request did not arrive in time' } }]);
  }
  quick.close();
});
