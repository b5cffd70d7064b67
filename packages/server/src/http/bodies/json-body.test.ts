import { endpoints, UndecodedPicture } from '@wajah/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut } from '../../../test/support/hostile/cut.ts';
import { damage } from '../../../test/support/hostile/damage.ts';
import { readBase64 } from '../../lib/base64.ts';
import { formShapeOf, pictureNames } from './form-fields.ts';
import { JsonReader } from './json-body.ts';
import { findJsonFault } from './json-fault.ts';

const names = new Set(['image', 'images', 'source_image', 'target_image']);
const bounds = { rest: 64 * 1024, picture: 1_000_000, pictureFields: ['image'] };
const long = Buffer.alloc(3000, 'picture').toString('base64');

function read(body: Buffer, places: readonly number[] = []) {
  const reader = new JsonReader(bounds, names);
  for (const chunk of cut(body, places)) reader.write(chunk);
  return reader.end();
}

/** The value, or what is wrong. */
function outcome(body: Buffer, places?: readonly number[]): unknown {
  try {
    return { value: withPictures(read(body, places).value()) };
  } catch (error) {
    return String(error);
  }
}

/** What a body is by its text, with the bytes of its pictures. */
function expected(body: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return 'not UTF-8';
  }
  try {
    return { value: withPictures(JSON.parse(text)) };
  } catch {
    return findJsonFault(text);
  }
}

/** The reader leaves a short picture, as it is written with its escapes, a text: here all of them are decoded. */
function withPictures(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return names.has(name) ? decoded(value) : value;
  if (Array.isArray(value)) return listWithPictures(value, name);
  if (typeof value !== 'object' || value === null || value instanceof UndecodedPicture) return value;
  if (Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPictures(item, key)]));
}

/** Behind a list or an object in it the texts of a list stay texts. */
function listWithPictures(list: unknown[], name: string): unknown[] {
  const nested = list.findIndex(
    (item) => Array.isArray(item) || Object.getPrototypeOf(item ?? 0) === Object.prototype,
  );
  return list.map((item, at) => withPictures(item, nested < 0 || at < nested ? name : ''));
}

function decoded(text: string) {
  const result = readBase64(text, bounds.picture);
  return 'bytes' in result ? result.bytes : new UndecodedPicture(result);
}

function agree(body: Buffer, places?: readonly number[]): void {
  const [found, want] = [outcome(body, places), expected(body)];
  if (typeof want === 'object' && want !== null && 'value' in want) expect(found).toEqual(want);
  else if (want === 'not UTF-8') expect(found).toMatch(/not UTF-8|not JSON/);
  else if (want !== null) {
    const { offset, line, column } = want as { offset: number; line: number; column: number };
    expect(found).toContain(`position ${offset} (line ${line}, column ${column})`);
  }
}

const bytesOf = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const cuts = fc.array(fc.nat(), { maxLength: 8 });

describe('a body of JSON, in any chunks,', () => {
  const picture = fc
    .tuple(fc.integer({ min: 768, max: 900 }), fc.nat(255))
    .map(([length, by]) => Buffer.from(Array.from({ length }, (_, at) => at * (by | 1))));
  const spelled = fc
    .tuple(
      picture,
      fc.constantFrom('', 'data:image/jpeg;base64,'),
      fc.constantFrom('base64', 'base64url'),
      fc.boolean(),
    )
    .map(([bytes, head, encoding, wrapped]) => {
      const text = bytes.toString(encoding as 'base64');
      return head + (wrapped ? text.replaceAll(/.{76}/g, '$&\r\n') : text);
    });
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const oddly = fc.oneof(text, spelled, fc.json(), fc.constantFrom(null, 7));
  const image = fc.oneof({ weight: 9, arbitrary: spelled }, { weight: 2, arbitrary: oddly });
  const other = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: oddly });
  const entry = fc.record({ step: other, image, extra: fc.jsonValue({ maxDepth: 1 }) }, { requiredKeys: [] });
  const fields = fc.record(
    { user_id: other, source_image: image, frames: fc.array(entry, { maxLength: 3 }), image },
    { requiredKeys: [] },
  );
  const spelling = fc.constantFrom<(json: string) => string>(
    (json) => json,
    (json) => json.replaceAll('/', '\\/'),
    (json) => json.replaceAll('":', '" \n:\t'),
    (json) => json.replaceAll('A', '\\u0041'),
    (json) => json.replaceAll('\\r\\n', '\n'),
  );

  it('has the value of its text, with bytes for pictures', () => {
    fc.assert(
      fc.property(fields, spelling, cuts, (value, spell, places) =>
        agree(bytesOf(spell(JSON.stringify(value))), places),
      ),
      { numRuns: 500 },
    );
  });

  it('that was cut, damaged, or has bytes that are no UTF-8, is refused at its first fault', () => {
    fc.assert(
      fc.property(fields, spelling, damage(), fc.nat(), cuts, (value, spell, damaged, at, places) => {
        const whole = bytesOf(spell(JSON.stringify(value)));
        const start = whole.subarray(0, at % whole.length);
        for (const body of [damaged(whole), start]) agree(body, places);
        const broken = Buffer.concat([start, Buffer.from([0xc3]), whole.subarray(start.length)]);
        expect(outcome(broken, places)).toEqual(outcome(broken));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['N', 'R', 'U0041', 'u00e', 'x'])('is none with the escape \\%s in a picture', (characters) => {
    const body = Buffer.from(`{"image":"${long}\\${characters}"}`);
    agree(body);
    agree(body, [long.length + 8]);
    expect(outcome(body)).toMatch(/not JSON/);
  });

  it('is any JSON text or none at all', () => {
    const texts = fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\au0 ') }));
    fc.assert(
      fc.property(texts, cuts, (given, places) =>
        agree(Buffer.from(given.replaceAll('a', `"image":"${long}"`)), places),
      ),
      { numRuns: 2000 },
    );
  });
});

it('the picture of every field that takes one is cut out', () => {
  for (const endpoint of [
    endpoints.compareImages,
    endpoints.submitLivenessSession,
    endpoints.verifyLivenessBatch,
    endpoints.verifyFace,
  ]) {
    const fields = pictureNames(formShapeOf(endpoint.request)).map((field) => field.split('.').at(-1));
    expect(fields.every((field) => names.has(field!))).toBe(true);
  }
  const { frames } = read(bytesOf({ frames: [{ image: long }, { image: long }] })).value() as never;
  expect((frames as { image: Buffer }[]).map(({ image }) => image.toString('base64'))).toEqual([long, long]);
  const { images, user_id } = read(bytesOf({ images: [long, long], user_id: long })).value() as never;
  expect((images as Buffer[]).map((image) => image.toString('base64'))).toEqual([long, long]);
  expect(user_id).toBe(long);
});

describe('a body of JSON is refused while it arrives', () => {
  it.each([
    ['of empty objects', '{},'.repeat(40_000)],
    [
      'of names',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`n${at}`, 1]))),
    ],
    ['of nested lists', '['.repeat(70_000)],
    ['of escapes', `{"user_id":"${'\\u0041'.repeat(20_000)}"}`],
    ['of digits', `[${'1'.repeat(70_000)}`],
    ['of a text where no picture belongs', JSON.stringify({ user_id: 'A'.repeat(70_000) })],
    ['of a name', JSON.stringify({ ['A'.repeat(70_000)]: 1 })],
    ['of blanks', ' '.repeat(70_000)],
    ['of short pictures', `{${'"image":"AAAA",'.repeat(5000)}`],
    ['of pictures', `{${`"image":"${long}",`.repeat(2000)}`],
    ['with a picture, of empty objects', `{"image":"${long}","a":[${'{},'.repeat(40_000)}`],
  ])('%s', (_, body) => {
    expect(() => read(Buffer.from(body))).toThrow(
      'the body: found more than 65536 bytes beside its pictures; allowed are 65536, and pictures in image',
    );
  });

  it('before its end is read', () => {
    const reader = new JsonReader(bounds, names);
    const chunk = Buffer.from('{},'.repeat(1000));
    expect(() => Array.from({ length: 22 }, () => reader.write(chunk))).toThrow('more than 65536');
  });

  it('and one of 60 kB is taken', () => {
    expect(read(Buffer.from(`[${'{},'.repeat(20_000)}{}]`)).value()).toHaveLength(20_001);
  });
});

it('a picture that is too large has its size in its place, and is not kept', () => {
  const image = Buffer.alloc(1_000_001).toString('base64');
  expect(read(bytesOf({ image })).value()).toEqual({ image: new UndecodedPicture({ tooLarge: 1_000_001 }) });
});
