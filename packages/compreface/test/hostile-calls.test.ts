import { expect, it } from 'vitest';
import { hostileNames, hostileNumbers, hostileTokens } from '../../server/test/support/hostile/values.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { type ComprefaceCall, unknownId as id, startCompreface } from './server.ts';

const compreface = await startCompreface();
const { nobody: picture } = await drawPictures();

const faces = '/recognition/faces';
const subjects = '/recognition/subjects';
const recognise = '/recognition/recognize';

/** @returns code of HTTP, code of CompreFace and message, where it is a refusal */
async function answerTo(call: ComprefaceCall) {
  const { http, body } = await compreface.call(call);
  return { http, code: body.code, message: body.message };
}

it.each([
  ...hostileNumbers.flatMap((value) => [`page=${value}`, `size=${value}`, `page=${value}&size=${value}`]),
  ...['page=&size=', 'page=1&page=2', 'subject=%00', `subject=${'a'.repeat(5000)}`],
])('a list with %s is answered', async (query) => {
  const { http, code, message } = await answerTo({ method: 'GET', path: `${faces}?${query}` });
  if (http !== 200)
    expect([http, code, message]).toEqual([400, 26, expect.stringMatching(/page|size|subject/)]);
});

it.each([
  ...['limit', 'prediction_count', 'det_prob_threshold'].flatMap((name) =>
    [...hostileNumbers, '1.1', '', 'true'].map((value) => `${name}=${value}`),
  ),
  ...['limit=1&limit=2', 'status=maybe', 'similarity=cosine'],
  ...[
    `face_plugins=${'x,'.repeat(2000)}`,
    'face_plugins=__proto__',
    '__proto__[x]=1',
    'constructor=1',
    '%00=%00',
    '%ff=%ff',
  ],
])('a recognition with %s is answered', async (query) => {
  const { http, code } = await answerTo({ path: `${recognise}?${query}`, form: { file: picture } });
  expect([http, [26, 28].includes(code)]).toEqual([400, true]);
});

it.each(hostileNames.map((name) => [JSON.stringify(name).slice(0, 40), name]))(
  'a subject %s is made, listed and erased, or refused',
  async (_, name) => {
    const encoded = Buffer.from(name).toString('hex').replace(/../g, '%$&');
    const made = await answerTo({ path: subjects, json: { subject: name } });
    expect([201, 400]).toContain(made.http);
    const listed = await answerTo({ method: 'GET', path: `${faces}?subject=${encoded}` });
    expect([200, 400]).toContain(listed.http);
    const calls: ComprefaceCall[] = [
      { method: 'PUT', path: `${subjects}/${encoded}`, json: { subject: 'other' } },
      { method: 'DELETE', path: `${subjects}/${encoded}` },
      { method: 'DELETE', path: `${subjects}/other` },
    ];
    for (const call of calls) {
      const { http, code, message } = await answerTo(call);
      expect([200, 400, 404, 414]).toContain(http);
      if (http !== 200) expect([typeof code, typeof message]).toEqual(['number', 'string']);
    }
    expect((await compreface.call({ method: 'GET', path: subjects })).body).toEqual({ subjects: [] });
  },
);

it.each([...hostileTokens(compreface.keys.recognition), id, id.toUpperCase()])(
  'the key %s is no service',
  async (key) => {
    const { http, code, message } = await answerTo({ path: recognise, form: { file: picture }, key });
    expect([http, code]).toEqual([404, 10]);
    expect(message.length).toBeLessThan(100);
    const encoded = encodeURIComponent(key);
    const path = await answerTo({ method: 'GET', path: `/static/${encoded}/images/${id}`, key: '' });
    expect([400, 404]).toContain(path.http);
  },
);

it.each([
  ['an empty form', { path: recognise, form: {} }, 34],
  ['a list', { path: recognise, json: [1] }, 0],
  ['a number', { path: recognise, json: '7' }, 0],
  ['an object for a picture', { path: recognise, json: { file: {} } }, 26],
  ['a list for a picture', { path: recognise, json: { file: ['/9j/'] } }, 26],
  ['no picture in base64', { path: recognise, json: { file: '!!!!' } }, 21],
  ['a deep body', { path: recognise, json: '['.repeat(100_000) }, 0],
  ['ids that are none', { path: `${faces}/delete`, json: ['x'] }, 26],
  ['1,001 ids', { path: `${faces}/delete`, json: Array.from({ length: 1001 }, () => id) }, 26],
  ['nested ids', { path: `${faces}/delete`, json: [[id]] }, 26],
  ['an object for ids', { path: `${faces}/delete`, json: { ids: { length: 1e9 } } }, 26],
  ['a subject that is a list', { path: subjects, json: { subject: ['ani'] } }, 26],
  ['a subject that is an object', { path: subjects, json: { subject: { toString: 1 } } }, 26],
  ['an id with a path', { method: 'DELETE', path: `${faces}/..%2f..%2f${id}` }, 26],
] as const)('%s is refused', async (_, call, code) => {
  const answer = await answerTo(call as ComprefaceCall);
  expect([answer.http, answer.code]).toEqual([400, code]);
});

it('a form with a field twice, or a subject that is not UTF-8, is refused', async () => {
  const part = (head: string, bytes: string) =>
    Buffer.from(`--b\r\nContent-Disposition: form-data; name=${head}\r\n\r\n${bytes}\r\n`, 'latin1');
  const send = async (...parts: Buffer[]) =>
    (
      await compreface.call({
        path: faces,
        json: Buffer.concat([...parts, Buffer.from('--b--')]),
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      })
    ).body;
  const file = part('"file"; filename="a"', Buffer.from(picture, 'base64').toString('latin1'));
  expect((await send(file, file, part('"subject"', 'ani'))).message).toBe(
    'file: found twice; allowed is once',
  );
  expect((await send(file, part('"subject"', 'an\xff'))).message).toMatch(
    /^subject: found bytes that are not UTF-8/,
  );
});
