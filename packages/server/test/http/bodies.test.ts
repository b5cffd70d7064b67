import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { endpoints } from '@wajah/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { long } from '../support/long.ts';
import { startTestApp, type TestApp, type TestClient } from '../support/test-app.ts';

let server: TestApp;
let port: number;

beforeAll(async () => {
  const env = { WAJAH_MAX_BODY_BYTES: '2MiB', WAJAH_CLIENT_BODIES_BYTES: '2MiB', WAJAH_BODIES_BYTES: '3MiB' };
  server = await startTestApp(env);
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => server.close());

const mebibyte = 2 ** 20;

/** Sends the head and the first byte of a body of this size. */
async function begin(path: string, bytes: number, token?: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const access = token === undefined ? '' : `Accesstoken: ${token}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: h\r\n${access}Connection: close\r\nContent-Length: ${bytes}\r\n\r\n{`,
  );
  return socket;
}

/** The answer to a call with a body of this size, which has no picture. */
async function answerTo(client: TestClient, bytes: number) {
  return client.call(endpoints.compareImages, { other: 'x'.repeat(bytes - 100) });
}

/** Repeats the call until it is answered so. */
async function until(client: TestClient, bytes: number, http: number) {
  for (;;) {
    const answer = await answerTo(client, bytes);
    if (answer.http === http) return answer;
  }
}

it('bodies of a client beyond its share are answered 503 and not counted; another client has its own', async () => {
  const [holding, other] = [await server.client(), await server.client()];
  const held = await begin(endpoints.compareImages.path, 1.5 * mebibyte, holding.token);
  const { body, headers } = await until(holding, mebibyte, 503);
  expect(body.detail).toMatch(/^the body: the bodies of your other calls take all memory/);
  expect(headers['retry-after']).toBe('1');
  // 1.5 of 3 MiB are left.
  expect((await answerTo(other, mebibyte)).body.status).toBe('456');
  const all = await begin(endpoints.compareImages.path, 1.25 * mebibyte, other.token);
  const third = await server.client();
  expect((await until(third, mebibyte, 503)).body.detail).toContain('the bodies of other calls');
  held.destroy();
  all.destroy();
  await until(holding, mebibyte, 400);
  await until(third, mebibyte, 400);
});

it('callers without a token share one share, and unknown paths read no body', async () => {
  const client = await server.client();
  const sockets = await Promise.all(
    Array.from({ length: 40 }, () => begin(endpoints.clientToken.path, 64 * 1024)),
  );
  const refused = await begin(endpoints.clientToken.path, 64 * 1024);
  expect(await text(refused)).toMatch(/^HTTP\/1.1 503 [\s\S]*all memory/);
  const unknown = await begin('/nowhere', 100 * mebibyte);
  expect(await text(unknown)).toMatch(/^HTTP\/1.1 404 /);
  expect((await answerTo(client, mebibyte / 2)).http).toBe(400);
  for (const socket of sockets) socket.destroy();
});

it.runIf(long)('a body that arrives too slowly is refused, and its connection closed', async () => {
  const client = await server.client();
  const slow = await begin(endpoints.compareImages.path, mebibyte, client.token);
  const trickle = setInterval(() => slow.write('x'), 100);
  const answer = await text(slow);
  clearInterval(trickle);
  expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*connection: close[\s\S]*too slow; send it faster/i);
});
