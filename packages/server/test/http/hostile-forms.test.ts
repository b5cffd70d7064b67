import { endpoints } from '@wajah/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portOf, startCompreface } from '../../../compreface/test/server.ts';
import { exchange, faultsIn } from '../support/hostile/exchange.ts';
import { rounds } from '../support/rounds.ts';
import { drawPictures } from '../support/test-app.ts';

const server = await startCompreface({ WAJAH_MAX_IMAGE_BYTES: '16MiB' });
const port = await portOf(server);
/** A JPEG. */
const picture = Buffer.from((await drawPictures()).nobody, 'base64');

const type = 'multipart/form-data; boundary=b';
const disposition = 'Content-Disposition: form-data; name=';
const file = `${disposition}"image"; filename="a.jpg"`;
const text = (name: string, value: string) => part(`${disposition}"${name}"`, value);
const part = (headers: string, bytes: Buffer | string = picture) =>
  Buffer.concat([Buffer.from(`--b\r\n${headers}\r\n\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--b--\r\n')]);

/** Forms, with the status and what the detail says; 412: the picture was read, and shows no face. */
const forms: readonly [string, () => Buffer, status: string, detail: RegExp, contentType?: string][] = [
  ['without a boundary', () => form(part(file)), '400', /without a boundary/, 'multipart/form-data'],
  [
    'with an empty boundary',
    () => form(part(file)),
    '400',
    /without a boundary/,
    'multipart/form-data; boundary=""',
  ],
  ['with another boundary', () => form(part(file)), '400', /not complete/, `${type}c`],
  [
    'with line feeds alone',
    () => Buffer.from(form(part(file)).toString('latin1').replaceAll('\r\n', '\n')),
    '400',
    /not complete/,
  ],
  ['of nothing', () => Buffer.from('--b--'), '451', /image/],
  ['with two pictures of one name', () => form(part(file), part(file)), '400', /^image: found twice/],
  [
    'with two texts of one name',
    () => form(part(file), text('landmarks', 'five'), text('landmarks', 'five')),
    '400',
    /^landmarks: found twice/,
  ],
  [
    'of 10,000 fields',
    () => form(...Array.from({ length: 10_000 }, () => text('a', 'x'))),
    '400',
    /more than 69632 bytes beside its pictures/,
  ],
  [
    'with a header of a mebibyte',
    () => form(part(`${file}\r\nX-A: ${'a'.repeat(2 ** 20)}`)),
    '400',
    /^field 1 of the form: found headers of more than 8192 bytes/,
  ],
  [
    'with 3,000 headers',
    () => form(part(`${'X-A: b\r\n'.repeat(3000)}${file}`)),
    '400',
    /^field 1 of the form: found headers of/,
  ],
  ['without its end', () => form(part(file)).subarray(0, -9), '400', /not complete/],
  ['cut in a header', () => Buffer.from(`--b\r\n${file}`), '400', /not complete/],
  ['with a file name with NUL', () => form(part(`${disposition}"image"; filename="a\0.jpg"`)), '412', /face/],
  [
    'with a file name with a line feed',
    () => form(part(`${disposition}"image"; filename="a\n.jpg"`)),
    '412',
    /face/,
  ],
  [
    'with a file name with a path',
    () => form(part(`${disposition}"image"; filename="../../etc/passwd"`)),
    '412',
    /face/,
  ],
  [
    'with a file name in another character set',
    () => form(part(`${disposition}"image"; filename*=UTF-8''%e2%82%ac`)),
    '412',
    /face/,
  ],
  [
    'with a picture without a name',
    () => form(part('Content-Disposition: form-data; filename="a"')),
    '400',
    /^a field without a name: found a file/,
  ],
  [
    'with a field without Content-Disposition',
    () => form(text('landmarks', 'five'), part('Content-Type: image/jpeg')),
    '400',
    /^field 2 of the form: found no header Content-Disposition/,
  ],
  [
    'with an attachment',
    () => form(part('Content-Disposition: attachment; name="image"; filename="a"')),
    '400',
    /^field 1 of the form: found no header/,
  ],
  [
    'with a form inside',
    () =>
      form(
        part(`${disposition}"image"\r\nContent-Type: multipart/mixed; boundary=c`, '--c\r\n\r\nx\r\n--c--'),
      ),
    '490',
    /image/,
  ],
  [
    'with a picture in base64',
    () => form(part(`${file}\r\nContent-Transfer-Encoding: base64`, '/9j/')),
    '400',
    /Content-Transfer-Encoding/,
  ],
  [
    'with a picture in binary',
    () => form(part(`${file}\r\nContent-Transfer-Encoding: BINARY`)),
    '412',
    /face/,
  ],
  [
    'with a picture as a text in base64',
    () => form(text('image', picture.toString('base64'))),
    '412',
    /face/,
  ],
  [
    'with a text in UTF-16',
    () =>
      form(
        part(file),
        part(
          `${disposition}"landmarks"\r\nContent-Type: text/plain; charset=utf-16`,
          Buffer.from('five', 'utf16le'),
        ),
      ),
    '400',
    /^landmarks: /,
  ],
  [
    'with a text as a file',
    () => form(part(file), part(`${disposition}"landmarks"; filename="a"`, 'five')),
    '400',
    /^landmarks: found a file; allowed is a text/,
  ],
  [
    'with text before and after it',
    () => Buffer.concat([Buffer.from('before\r\n'), form(part(file)), Buffer.from('after --b')]),
    '412',
    /face/,
  ],
];

const send = (path: string, headers: Record<string, string>, body: Buffer) =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: new Uint8Array(body) });

describe('a form', () => {
  it.each(forms)(
    '%s is answered with the field and what is wrong',
    async (_, body, status, detail, given = type) => {
      const headers = { accesstoken: server.client.token, 'content-type': given };
      const answer = await send(endpoints.detectFaces.path, headers, body());
      expect(await answer.json()).toMatchObject({ status, detail: expect.stringMatching(detail) });
    },
  );

  it('of any of these is answered as CompreFace answers', async () => {
    for (const [name, body, status, detail, given = type] of forms) {
      const headers = { 'x-api-key': server.keys.detection, 'content-type': given };
      const renamed = body().toString('latin1').replaceAll('name="image"', 'name="file"');
      const answer = await send('/api/v1/detection/detect', headers, Buffer.from(renamed, 'latin1'));
      const { message, code } = (await answer.json()) as { message: string; code: number };
      expect([name, answer.status, typeof code]).toEqual([name, 400, 'number']);
      if (status === '400' && /form|Content|boundary|complete|twice/.test(detail.source))
        expect([name, message.replace('file', 'image')]).toEqual([
          name,
          expect.stringMatching(/boundary|complete|field|twice|image/),
        ]);
      if (status === '412') expect(code).toBe(28);
    }
  });
});

it('a form of delimiters, whole or nearly, takes no more memory than its bytes', async () => {
  const headers = { accesstoken: server.client.token, 'content-type': type };
  const before = process.resourceUsage().maxRSS;
  for (const piece of ['\r\n--', '\r\n--b', '\r\n--b\r\n', '--b\r\n\r\n']) {
    const body = form(part(file, Buffer.alloc(8 << 20, piece)));
    expect((await send(endpoints.detectFaces.path, headers, body)).status).toBeLessThan(500);
  }
  // Kibibytes; a parser that made a piece of each of them took two gibibytes.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(400_000);
});

it.each([
  ['shorter than the body', -20, 'wait'],
  ['longer than the body', 20, 'end'],
] as const)('a Content-Length %s is refused', async (_, off, then) => {
  const body = form(part(file));
  const head = headOf(`Content-Length: ${body.length + off}\r\n`);
  const request = { parts: [Buffer.concat([head, body])], then, isHead: false };
  const received = await exchange(port, request);
  expect(faultsIn(received, request)).toEqual([]);
  if (off < 0) expect(received).toMatch(/^HTTP\/1.1 400 /);
});

const headOf = (more: string) =>
  Buffer.from(
    `POST ${endpoints.detectFaces.path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAccesstoken: ${server.client.token}\r\nContent-Type: ${type}\r\n${more}\r\n`,
  );

/** Bytes that are likely to be taken for a delimiter. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', '-', '--', '\r\n--', '\r\n--b', '--b--', 'b'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1'));

/** Cuts a body into chunks of HTTP (RFC 9112, section 7.1). */
function chunked(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length];
  const pieces = places.slice(1).map((end, i) => body.subarray(places[i], end));
  return [
    ...pieces
      .filter(({ length }) => length > 0)
      .map((piece) =>
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      ),
    Buffer.from('0\r\n\r\n'),
  ];
}

describe('over a connection, in any chunks,', () => {
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  const runs = { numRuns: rounds(10) };
  const answerTo = async (body: Buffer, places: readonly number[]) => {
    const parts = [headOf('Transfer-Encoding: chunked\r\n'), ...chunked(body, places)];
    const then = 'wait';
    const request = { parts, then, isHead: false } as const;
    const received = await exchange(port, request);
    expect(faultsIn(received, request)).toEqual([]);
    return JSON.parse(Buffer.from(received.slice(received.indexOf('\r\n\r\n') + 4), 'latin1').toString()) as {
      status: string;
      trx_id: string;
    };
  };

  it('a form of arbitrary bytes has its fields', async () => {
    const trxId = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((id) => /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"\\]+$/u.test(id));
    await fc.assert(
      fc.asyncProperty(bytes, trxId, cuts, async (image, id, places) => {
        fc.pre(!/\r\n--b([ \t]*\r\n|--)/.test(`\r\n${image.toString('latin1')}\r\n`));
        const { status, trx_id: answered } = await answerTo(
          form(part(file, image), text('trx_id', id)),
          places,
        );
        expect([answered, /^4[59]\d$/.test(status)]).toEqual([id.normalize('NFC'), true]);
      }),
      runs,
    );
  });

  it('arbitrary bytes are answered in the envelope', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, bytes, cuts, async (head, rest, places) => {
        await answerTo(Buffer.concat([Buffer.from('--b\r\n'), head, rest, Buffer.from('\r\n--b--')]), places);
      }),
      runs,
    );
  });

  it('a body that comes slowly is received', async () => {
    const body = form(part(file));
    const parts = [
      headOf(`Content-Length: ${body.length}\r\n`),
      body.subarray(0, 40),
      1500,
      body.subarray(40),
    ];
    const then = 'wait';
    expect(await exchange(port, { parts, then, isHead: false })).toContain('"status":"412"');
  });
});
