import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestClient } from '../support/test-app.ts';

const mebibyte = 2 ** 20;
const bodies = { share: 2 * mebibyte, total: 3 * mebibyte };
const server = await startTestApp({}, { transport: { bodies } });
const patientServer = await startTestApp({ WAJAH_LEAST_RATE: '0' });
const port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);

/** Sends the head and the first bytes of a body of this size. */
async function begin(path: string, bytes: number, token?: string, type?: string, first = '{') {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const access = token === undefined ? '' : `Accesstoken: ${token}\r\n`;
  const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: h\r\n${access}${kind}Connection: close\r\nContent-Length: ${bytes}\r\n\r\n${first}`,
  );
  return socket;
}

/** Sends all of a body but its end. */
function beginWhole(path: string, bytes: number, token: string) {
  const field = path === endpoints.compareImages.path ? 'source_image' : 'image';
  return begin(path, bytes, token, undefined, `{"${field}":"${'A'.repeat(bytes - 100)}`);
}

/** What is answered before the body has arrived: the connection then waits for the rest of it. */
async function answerOf(socket: Socket): Promise<string> {
  const [answer] = await once(socket, 'data');
  return String(answer);
}

/** The answer to a call with a body of this size, which lacks a picture. */
async function answerTo(client: TestClient, bytes: number) {
  return client.call(endpoints.compareImages, { source_image: 'A'.repeat(bytes - 100) });
}

/** Repeats the call until it is answered so. */
function until(client: TestClient, bytes: number, http: number) {
  const answered = async () => {
    const answer = await answerTo(client, bytes);
    return answer.http === http ? answer : null;
  };
  return expect.poll(answered, { interval: 10 }).not.toBeNull();
}

/**
 * Begins a body and sends all of it but the end: it then takes its part of the budget.
 * @param other whose call of 1 MiB is refused from then on
 */
async function hold(client: TestClient, bytes: number, other = client) {
  // A call of the other client may be in flight when the body arrives, and the body is refused: it gets more time then.
  for (let tries = 0; tries < 50; tries++) {
    const socket = await beginWhole(endpoints.compareImages.path, bytes, client.token);
    let refused = false;
    socket.once('data', () => {
      refused = true;
    });
    await delay(10 * tries);
    while (!refused) {
      const answer = await answerTo(other, mebibyte);
      if (answer.http === 503) return { socket, ...answer };
      await delay(10);
    }
    socket.destroy();
  }
  throw new Error('the body was refused each time');
}

it('bodies of a client beyond its share are answered 503 and not counted; another client has its own', async () => {
  const [holding, other, third] = [await server.client(), await server.client(), await server.client()];
  const { socket: held, body, headers } = await hold(holding, 1.5 * mebibyte);
  expect(body.detail).toMatch(/^the body: the bodies of your other calls take all memory/);
  expect(headers['retry-after']).toBe('1');
  // 1.5 of 3 MiB are left.
  expect((await answerTo(other, mebibyte)).body.status).toBe('455');
  const all = await hold(other, 1.25 * mebibyte, third);
  expect(all.body.detail).toContain('the bodies of other calls');
  held.destroy();
  all.socket.destroy();
  await until(holding, mebibyte, 400);
  await until(third, mebibyte, 400);
});

it('a body that is announced, and does not come, takes nothing from others', async () => {
  const client = await server.client();
  const sockets = await Promise.all(
    Array.from({ length: 5 }, () => begin(endpoints.compareImages.path, 1.5 * mebibyte, client.token)),
  );
  await delay(200);
  expect((await answerTo(client, mebibyte)).http).toBe(400);
  for (const socket of sockets) socket.destroy();
});

describe('the links of sessions', () => {
  const { path } = endpoints.submitLivenessSession;

  async function linkOf(client: TestClient): Promise<string> {
    const { body } = await client.call(endpoints.createLivenessSession, { hosted: true, subject: 'x' });
    return new URL(body.url).hash.split('.')[1]!;
  }

  it('have a share of their own, however many they are: the calls of their client are answered', async () => {
    const client = await server.client();
    const links = await Promise.all(Array.from({ length: 6 }, () => linkOf(client)));
    const sockets = await Promise.all(links.map((link) => beginWhole(path, mebibyte / 2, link)));
    // Those that came when the share of all links was used up.
    expect(await Promise.race(sockets.map(answerOf))).toMatch(/^HTTP\/1.1 503 [\s\S]*all memory/);
    expect((await answerTo(client, mebibyte)).http).toBe(400);
    for (const socket of sockets) socket.destroy();
  });

  it('may not send more than their share at once', async () => {
    const link = await linkOf(await server.client());
    const socket = await begin(path, 1.5 * mebibyte, link);
    expect(await answerOf(socket)).toMatch(/^HTTP\/1.1 422 [\s\S]*larger than 1048576 bytes/);
    socket.destroy();
  });
});

it('callers without a token share one share, and unknown paths read no body', async () => {
  const client = await server.client();
  const sockets = await Promise.all(
    Array.from({ length: 40 }, () =>
      begin(endpoints.clientToken.path, 64 * 1024, undefined, undefined, ' '.repeat(64 * 1024 - 1)),
    ),
  );
  // Those that came when the share was used up.
  expect(await Promise.race(sockets.map(answerOf))).toMatch(/^HTTP\/1.1 503 [\s\S]*all memory/);
  const unknown = await begin('/nowhere', 100 * mebibyte);
  expect(await answerOf(unknown)).toMatch(/^HTTP\/1.1 404 /);
  expect((await answerTo(client, mebibyte / 2)).http).toBe(400);
  for (const socket of sockets) socket.destroy();
});

it.each([
  [
    'a form',
    'application/json',
    '--x\r\nContent-Disposition: form-data; name="image"\r\n\r\na\r\n--x--',
    /found a form, but its Content-Type is application\/json; send it as multipart/,
  ],
  [
    'a JPEG',
    'image/jpeg',
    '\xff\xd8\xff\xe0',
    /found a picture \(JPEG\) with the Content-Type image\/jpeg; .*as a file of a form/,
  ],
  ['a PNG', 'application/octet-stream', '\x89PNG\r\n\x1a\n', /found a picture \(PNG\)/],
  ['a WebP', '', 'RIFF____WEBPVP8 ', /found a picture \(WEBP\) with the Content-Type none/],
  ['a GIF', 'application/json', 'GIF89a', /found a picture \(a GIF picture\)/],
  ['base64 alone', 'text/plain', '/9j/4AAQSkZJRgABAQ', /found a picture \(base64\)/],
  [
    'names and values',
    'application/json',
    'image=a&user_id=1',
    /found a form \(application\/x-www-form-urlencoded\); allowed is a JSON object/,
  ],
  ['text', 'application/json', 'hello', /not JSON at position 0/],
])('%s as a body under another Content-Type is named', async (_, type, text, says) => {
  const client = await server.client();
  for (const path of [endpoints.detectFaces.path, endpoints.enrolFace.path]) {
    const answer = await server.app.inject({
      method: 'POST',
      url: path,
      headers: { accesstoken: client.token, ...(type && { 'content-type': type }) },
      payload: Buffer.concat([
        Buffer.from(text, 'latin1'),
        Buffer.alloc(text.startsWith('\xff') ? 1_000_000 : 0),
      ]),
    });
    expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringMatching(says)]);
  }
});

it('a request with a Content-Type and no body takes nothing from the budget', async () => {
  const client = await server.client();
  const headers = { accesstoken: client.token, 'content-type': 'application/json' };
  for (const { path } of [endpoints.getCounters, endpoints.ready]) {
    for (let call = 0; call < 10; call++) {
      const { statusCode } = await server.app.inject({ method: 'GET', url: path, headers });
      expect(statusCode).toBe(200);
    }
  }
});

describe.concurrent('a body that comes too slowly:', () => {
  /** Sends one of these at a time until the connection is closed. @returns what is answered */
  async function trickle(type: string, first: string, then: string): Promise<string> {
    const client = await server.client();
    const slow = await begin(endpoints.compareImages.path, mebibyte, client.token, type, first);
    const sending = setInterval(() => slow.write(then), 100);
    let answer = '';
    slow.setEncoding('utf8').on('data', (piece: string) => {
      answer += piece;
    });
    // What was written while the server closed is answered by a reset: the connection is closed all the same.
    slow.on('error', () => {});
    await new Promise((resolve) => slow.once('close', resolve));
    clearInterval(sending);
    return answer;
  }

  it.each([
    ['application/json', '{', ' '],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name=x\r\n\r\n', 'x'],
  ])('of %s is refused, and its connection closed', async (type, first, then) => {
    const answer = await trickle(type, first, then);
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*too slow; send it faster/i);
  });

  it('is taken where the operator has set a lower rate', async () => {
    const url = await patientServer.app.listen({ host: '127.0.0.1', port: 0 });
    const { token } = await patientServer.client();
    const facegallery_id = 'sent-slowly';
    const sent = request(`${url}${endpoints.createGallery.path}`, {
      method: 'POST',
      headers: { accesstoken: token, 'content-type': 'application/json' },
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    for (const piece of JSON.stringify({ facegallery_id }).match(/.{1,3}/g)!) {
      sent.write(piece);
      await delay(1200);
    }
    sent.end();
    const [answer] = await answered;
    expect(await json(answer)).toMatchObject({ status: '200', facegallery_id });
  });

  it('the rest of one that was refused at its begin: its connection is closed too', async () => {
    const answer = await trickle('application/json', `{"image":"${' '.repeat(100_000)}`, 'x');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).not.toContain('too slow');
  });
});
