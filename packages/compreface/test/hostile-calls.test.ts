import { expect, it } from 'vitest';
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

const huge = [
  '99999999999999999999',
  '1e400',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '0x10',
  '1.5',
];

it.each([
  ...huge.flatMap((value) => [`page=${value}`, `size=${value}`, `page=${value}&size=${value}`]),
  ...[
    'page=-1',
    'size=-1',
    'page=&size=',
    'page=NaN',
    'page=1&page=2',
    'subject=%00',
    `subject=${'a'.repeat(5000)}`,
  ],
])('a list with %s is answered', async (query) => {
  const { http, code, message } = await answerTo({ method: 'GET', path: `${faces}?${query}` });
  if (http !== 200)
    expect([http, code, message]).toEqual([400, 26, expect.stringMatching(/page|size|subject/)]);
});

it.each([
  ...huge.flatMap((value) => [`limit=${value}`, `prediction_count=${value}`]),
  ...['limit=-1', 'limit=NaN', 'limit=1&limit=2', 'prediction_count=-5', 'status=maybe', 'similarity=cosine'],
  ...['NaN', 'Infinity', '-Infinity', '-0.1', '1.1', '0,5', '1e-400', '', 'true'].map(
    (it) => `det_prob_threshold=${it}`,
  ),
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

const names = [
  ...[
    '..',
    '.',
    '../../etc/passwd',
    '%2e%2e%2f',
    'a/b',
    'a\\b',
    'C:\\x',
    '\u202eevil',
    '\u0000',
    'a\nb',
    '\ufffd',
    '\ud800',
  ],
  ...[
    'é'.repeat(120),
    'é'.repeat(121),
    '😀'.repeat(120),
    'a'.repeat(10_000),
    '__proto__',
    'constructor',
    '{{7*7}}',
    ' ',
    '%',
  ],
];

it.each(names.map((name) => [JSON.stringify(name).slice(0, 40), name]))(
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

it.each([
  ...[
    'null',
    'undefined',
    '{}',
    id,
    id.toUpperCase(),
    'waj_',
    `waj_${'A'.repeat(43)}`,
    'eyJhbGciOiJub25lIn0.e30.',
  ],
  ...['a'.repeat(9000), 'é', '__proto__', '../../x', "' OR 1=1 --", 'Bearer x'],
])('the key %s is no service', async (key) => {
  const { http, code, message } = await answerTo({ path: recognise, form: { file: picture }, key });
  expect([http, code]).toEqual([404, 10]);
  expect(message.length).toBeLessThan(100);
  const encoded = encodeURIComponent(key);
  const path = await answerTo({ method: 'GET', path: `/static/${encoded}/images/${id}`, key: '' });
  expect([400, 404]).toContain(path.http);
});

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
