import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawPictures } from '../../support/test-app.ts';
import { type ComprefaceServer, portOf, startCompreface } from './server.ts';

/**
 * The bytes that double-take 1.13.1 sends: its functions recognize, train and remove with axios 0.27.2 and form-data
 * 4.0.0 were run against a socket. `{picture}` and `{key}` stand for what differs, `{size}` for the length of the chunk.
 */
const requests = readFileSync(new URL('double-take.http', import.meta.url), 'latin1')
  .replaceAll('\n', '\r\n')
  .split('=====\r\n');

let compreface: ComprefaceServer;
let port: number;
let picture: Buffer;

beforeAll(async () => {
  compreface = await startCompreface();
  port = await portOf(compreface);
  picture = Buffer.from((await drawPictures()).ani, 'base64');
});
afterAll(() => compreface.server.close());

/** Sends bytes and reads the answer until the connection ends. */
async function replay(request: string | undefined): Promise<{ http: number; body: unknown }> {
  const text = (request ?? '')
    .replace('{key}', compreface.keys.recognition)
    .replace('{size}', picture.length.toString(16))
    .replace('Connection: keep-alive', 'Connection: close');
  const [before = '', after] = text.split('{picture}');
  const socket = connect(port, '127.0.0.1');
  socket.write(before, 'latin1');
  if (after !== undefined) {
    socket.write(picture);
    socket.write(after, 'latin1');
  }
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { http: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

it('double-take recognises, trains and removes', async () => {
  const [recognize, train, remove] = requests;
  // Its normalize() takes subjects[0] where there is one, and the corners of the box.
  const box = { x_min: expect.any(Number), y_min: expect.any(Number), x_max: expect.any(Number) };
  const unknown = await replay(recognize);
  expect(unknown).toMatchObject({ http: 200, body: { result: [{ box, subjects: [] }] } });
  const trained = await replay(train);
  expect(trained).toMatchObject({ http: 201, body: { subject: 'ani', image_id: expect.any(String) } });
  const known = await replay(recognize);
  expect(known.body).toMatchObject({ result: [{ subjects: [{ subject: 'ani', similarity: 1 }] }] });
  expect(await replay(remove)).toEqual({ http: 200, body: { deleted: 1 } });
  // Code 28 means no face to it; any other error is logged.
  picture = Buffer.from((await drawPictures()).nobody, 'base64');
  expect(await replay(recognize)).toMatchObject({ http: 400, body: { code: 28 } });
});
