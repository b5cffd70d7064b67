import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@wajah/contract';
import { expect, it } from 'vitest';
import { SqliteDatabase } from '../../packages/server/src/store/database/sqlite.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { call, newClient } from '../support/enrolling.ts';
import { serve, wajah } from '../support/program.ts';

const people = 150_000;
/** Megabytes that the process may have had at most. */
const most = 600;

const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_COMPAT: 'compreface' };
const client = await newClient(settings, 'one');
const key = JSON.parse(
  (await wajah(settings, 'token', 'create', 'one', '--compreface', 'detection', '--json')).out,
) as { token: string };
await enrolMany(join(settings.WAJAH_DATA_DIR, 'wajah.db'));
const server = await serve(settings);
const port = Number(new URL(server.url).port);

/** Writes people into the store: to enrol them takes hours. Nothing here opens their templates. */
async function enrolMany(file: string): Promise<void> {
  const db = new SqliteDatabase(file);
  const [{ id = 0 } = {}] = await db.shared.all<{ id: number }>(
    'SELECT id FROM galleries WHERE client_id = $1',
    'one',
  );
  await db.shared.run(
    `INSERT INTO faces (gallery, user_id, user_name, template, seq, created_at, updated_at)
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
      SELECT $1, printf('person-%06d', n), printf('Name of the person with number %06d', n), zeroblob(9), n, 0, 0
      FROM numbers`,
    id,
    people,
  );
  await db.shared.run('UPDATE galleries SET version = $1, faces = $1 WHERE id = $2', people, id);
  await db.flushAndClose();
}

/** Megabytes that the server's process had at most until now. */
function peak(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function hosted(): Promise<string> {
  const { url } = await call(server.url, client.token, endpoints.createLivenessSession.path, {
    hosted: true,
    subject: 'x',
  });
  return new URL(String(url)).hash.split('.')[1]!;
}

const hitsLeft = async () =>
  (await call(server.url, client.token, endpoints.getCounters.path))['remaining_limit'];
const mebibyte = 2 ** 20;

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly token?: string;
  readonly type?: string;
  /** What the body begins with, and what then comes again and again. */
  readonly begin?: string;
  readonly piece: string;
}

/** The head and the first mebibyte of a body of 100. */
function beginBody(
  socket: Socket,
  { path, method = 'POST', token = client.token, type, begin = '', piece }: Sent,
) {
  const access = `Accesstoken: ${token}\r\nX-Api-Key: ${token}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: h\r\n${access}Content-Type: ${type ?? 'application/json'}\r\n`;
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  writeChunk(socket, Buffer.from(begin.padEnd(1)));
  writeChunk(socket, Buffer.alloc(mebibyte, piece));
}

function writeChunk(socket: Socket, bytes: Buffer): void {
  socket.write(`${bytes.length.toString(16)}\r\n`);
  socket.write(bytes);
  socket.write('\r\n');
}

const [session, verify] = [endpoints.submitLivenessSession.path, endpoints.verifyFace.path];
const form = 'multipart/form-data; boundary=b';
const field = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
const beside = /"(error|error_code)":"(bodyRestTooLarge|bodyTooLarge)"/;
const picture = 'QUJD';
const secret = await hosted();

it.each<[string, Sent, RegExp?]>([
  [
    'empty objects by the link of a session',
    { path: session, token: secret, begin: '{"frames":[', piece: '{},' },
  ],
  ['names', { path: verify, begin: '{"a":1', piece: ',"b":1' }],
  ['nested lists', { path: verify, piece: '[' }],
  ['escapes', { path: verify, begin: '{"user_id":"', piece: '\\u0041' }],
  ['digits', { path: verify, begin: '[', piece: '1' }],
  ['base64 where no picture belongs', { path: verify, begin: '{"user_id":"', piece: 'QUJD' }],
  ['short pictures', { path: session, token: secret, begin: '{"a":1', piece: `,"image":"${picture}"` }],
  ['fields of a form', { path: session, token: secret, type: form, piece: field }],
  ['a text in a form', { path: verify, type: form, begin: field.slice(0, -3), piece: 'x' }],
  ['delimiters', { path: verify, type: form, piece: '\r\n--b\r\n' }, /"error":"formPart"/],
  [
    'a form of a login',
    { path: endpoints.clientToken.path, type: 'application/x-www-form-urlencoded', piece: 'a=b&' },
  ],
  ['a body of GET', { path: endpoints.listGalleries.path, method: 'GET', piece: '{},' }],
  ['a body of DELETE', { path: endpoints.deleteFace.path, method: 'DELETE', piece: '{},' }],
  [
    'CompreFace',
    { path: '/api/v1/detection/detect', token: key.token, begin: '{"a":[', piece: '{},' },
    /beside its pictures/,
  ],
])(
  '%s: answered before the body ends, not counted, and the connection serves on',
  async (_, sent, answer = beside) => {
    const before = await hitsLeft();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    beginBody(socket, sent);
    const [refused] = await once(socket, 'data');
    expect(String(refused)).toMatch(/^HTTP\/1.1 400 /);
    expect(String(refused)).toMatch(answer);
    expect(await hitsLeft()).toEqual(before);
    for (let sentBytes = 1; sentBytes < 100; sentBytes++) {
      writeChunk(socket, Buffer.alloc(mebibyte, sent.piece));
      if (socket.writableNeedDrain) await once(socket, 'drain');
    }
    socket.write('0\r\n\r\nGET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    const [healthy] = await once(socket, 'data');
    expect(String(healthy)).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
    expect(peak()).toBeLessThan(most);
  },
);

it(`a list of ${people} people arrives whole, and others are answered meanwhile`, async () => {
  const headers = { accesstoken: client.token, 'content-type': 'application/json' };
  const body = JSON.stringify({ facegallery_id: 'one@trial', details: true });
  const listed = await fetch(server.url + endpoints.listFaces.path, { method: 'POST', headers, body });
  const chunks: Uint8Array[] = [];
  let answered = 0;
  for await (const chunk of listed.body!) {
    chunks.push(chunk);
    if (chunks.length % 50 !== 1) continue;
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    answered += 1;
  }
  const text = Buffer.concat(chunks);
  expect(text.length).toBeGreaterThan(32 * mebibyte);
  const { faces } = JSON.parse(text.toString()) as { faces: { user_id: string }[] };
  expect(faces.map(({ user_id }) => user_id)).toEqual(
    Array.from({ length: people }, (_, n) => `person-${String(n + 1).padStart(6, '0')}`),
  );
  expect(answered).toBeGreaterThan(5);
  expect(peak()).toBeLessThan(most);
});

it('200 lists that nobody reads take little memory, and others are answered', async () => {
  const body = JSON.stringify({ facegallery_id: 'one@trial', details: true });
  const head = `POST ${endpoints.listFaces.path} HTTP/1.1\r\nHost: h\r\nAccesstoken: ${client.token}\r\n`;
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').pause());
  for (const socket of sockets)
    socket.on('error', () => {}).write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  for (let n = 0; n < 20; n++) {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await delay(100);
  }
  for (const socket of sockets) socket.destroy();
  expect(peak()).toBeLessThan(most);
});
