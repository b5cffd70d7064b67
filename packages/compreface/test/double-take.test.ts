import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../engine/test/drawn/drawn-face.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { portOf, startCompreface } from './server.ts';

/**
 * The bytes that double-take 1.13.1 sends: its functions recognize, train and remove with axios 0.27.2 and form-data
 * 4.0.0 were run against a socket. `{key}` stands for the key, `{size}` and `{picture}` for the chunks of the picture.
 */
const requests = readFileSync(new URL('double-take.http', import.meta.url), 'latin1')
  .replaceAll('\n', '\r\n')
  .split('=====\r\n');

// The face of the picture `small` has fewer pixels.
const compreface = await startCompreface({ WAJAH_MIN_FACE: '95' });
const port = await portOf(compreface);
let picture: Buffer = Buffer.from((await drawPictures()).ani, 'base64');

/** A picture as the chunks that a stream of a file makes, without the last line break. */
function chunksOf(bytes: Buffer): Buffer {
  const most = 4096;
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += most) {
    const part = bytes.subarray(from, from + most);
    parts.push(Buffer.from(`${from === 0 ? '' : '\r\n'}${part.length.toString(16)}\r\n`), part);
  }
  return Buffer.concat(parts);
}

/** Sends bytes and reads the answer until the connection ends. */
async function replay(request: string | undefined): Promise<{ http: number; body: unknown }> {
  const text = (request ?? '')
    .replace('{key}', compreface.keys.recognition)
    .replace('Connection: keep-alive', 'Connection: close');
  const [before = '', after] = text.split('{size}\r\n{picture}');
  const socket = connect(port, '127.0.0.1');
  socket.write(before, 'latin1');
  if (after !== undefined) {
    socket.write(chunksOf(picture));
    socket.write(after, 'latin1');
  }
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { http: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

it('double-take recognises, trains with 20 pictures, and removes', async () => {
  const [recognize, train, remove] = requests;
  const { ani, aniAgain, nobody } = await drawPictures();
  // Its normalize() takes subjects[0] where there is one, and the corners of the box.
  const box = { x_min: expect.any(Number), y_min: expect.any(Number), x_max: expect.any(Number) };
  const unknown = await replay(recognize);
  expect(unknown).toMatchObject({ http: 200, body: { result: [{ box, subjects: [] }] } });
  const subject = 'Ani Lestari';
  const trainWith = async (count: number) => {
    for (let i = 0; i < count; i++) {
      picture = Buffer.from(i % 2 === 0 ? ani : aniAgain, 'base64');
      const trained = await replay(train);
      expect(trained).toMatchObject({ http: 201, body: { subject, image_id: expect.any(String) } });
    }
  };
  await trainWith(20);
  const known = await replay(recognize);
  const similarity = expect.closeTo(1, 1);
  expect(known.body).toMatchObject({ result: [{ subjects: [{ subject, similarity }] }] });
  // To remove one picture, it erases the subject and trains with the others again.
  expect(await replay(remove)).toEqual({ http: 200, body: { deleted: 20 } });
  await trainWith(1);
  expect(await replay(remove)).toEqual({ http: 200, body: { deleted: 1 } });
  expect(await replay(remove)).toEqual({ http: 200, body: { deleted: 0 } });
  // Code 28 means no face to it; any other error is logged. Of a face that shows too little it would read a similarity.
  for (const shown of [Buffer.from(nobody, 'base64'), await drawnFace({ person: 'ani', sunglasses: true })]) {
    picture = shown;
    expect(await replay(recognize)).toMatchObject({ http: 400, body: { code: 28 } });
  }
});

it('Viseron reads the first subject of each face: one that is too small to compare is left out', async () => {
  const [recognize, train] = requests;
  const { ani, small } = await drawPictures();
  picture = Buffer.from(ani, 'base64');
  expect(await replay(train)).toMatchObject({ http: 201 });
  picture = Buffer.from(small, 'base64');
  // Clients look for the first words, or for the code; people read the rest in the log of double-take.
  const message = expect.stringMatching(
    /^No face is found in the given image that is large enough: the face is \d\d pixels .* 95 are needed; .* larger snapshot/,
  );
  for (const request of [recognize, train])
    expect(await replay(request)).toEqual({ http: 400, body: { code: 28, message } });
  picture = await drawnPicture({
    width: 800,
    height: 500,
    faces: [
      { person: 'ani', x: 250, y: 250, size: 300 },
      { person: 'budi', x: 650, y: 250, size: 90 },
    ],
  });
  const found = await replay(recognize);
  expect(found).toMatchObject({ http: 200, body: { result: [{ subjects: [{ subject: 'Ani Lestari' }] }] } });
});
