import { endpoints } from '@wajah/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damage } from '../../../test/support/hostile/damage.ts';
import { readBase64 } from '../../lib/base64.ts';
import { type FormShape, formShapeOf } from './form-fields.ts';
import { parseWithPictures } from './json-pictures.ts';

const compareShape = formShapeOf(endpoints.compareImages.request);
const sessionShape = formShapeOf(endpoints.submitLivenessSession.request);
const batchShape = formShapeOf(endpoints.verifyLivenessBatch.request);

const long = Buffer.alloc(3000, 'picture').toString('base64');

/** What a body is without this module: the value of its text, or none. */
function textValue(body: Uint8Array): { value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return null;
  }
}

/** The bytes of pictures as the base64 that they were sent as. */
function withTexts(value: unknown, sent: unknown): unknown {
  if (value instanceof Uint8Array) {
    expect(readBase64(String(sent), 1e9)).toEqual({ bytes: Buffer.from(value) });
    return sent;
  }
  if (typeof value !== 'object' || value === null) return value;
  const of = (name: string) => (sent as Record<string, unknown> | null)?.[name];
  const entries = Object.entries(value).map(([name, part]) => [name, withTexts(part, of(name))]);
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Where it gives a value, that is the one of the text, with bytes for base64; a body that is no JSON has none. */
function agree(body: Buffer, shape: FormShape): boolean {
  const found = parseWithPictures(body, shape);
  if (found === null) return false;
  const text = textValue(body);
  expect(text).not.toBeNull();
  expect(withTexts(found.value, text!.value)).toEqual(text!.value);
  return true;
}

const bytesOf = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('a body with pictures', () => {
  const picture = fc
    .tuple(fc.integer({ min: 768, max: 900 }), fc.nat(255))
    .map(([length, by]) => Buffer.from(Array.from({ length }, (_, at) => at * (by | 1))));
  const spelled = fc
    .tuple(picture, fc.constantFrom('', 'data:image/jpeg;base64,'), fc.constantFrom('base64', 'base64url'))
    .map(([bytes, head, encoding]) => head + bytes.toString(encoding as 'base64'));
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const oddly = fc.oneof(text, spelled, fc.json(), fc.constantFrom(null, 7));
  const image = fc.oneof({ weight: 9, arbitrary: spelled }, { weight: 1, arbitrary: oddly });
  const other = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: oddly });
  const entry = fc.record({ step: other, image, extra: fc.jsonValue({ maxDepth: 1 }) }, { requiredKeys: [] });
  const list = fc.oneof(
    { weight: 9, arbitrary: fc.array(entry, { maxLength: 3 }) },
    { weight: 1, arbitrary: entry },
  );
  const shapeAndFields = fc.oneof(
    fc
      .record({ user_id: other, source_image: image, target_image: image })
      .map((it) => [compareShape, it] as const),
    fc.record({ frames: list, nonce: other }).map((it) => [sessionShape, it] as const),
    fc.record({ facegallery_id: other, batch: list }).map((it) => [batchShape, it] as const),
  );

  it('has the value of its text, with bytes for base64, or is left to be parsed as a text', () => {
    let taken = 0;
    fc.assert(
      fc.property(shapeAndFields, fc.constantFrom('/', '\\/'), ([shape, fields], slash) => {
        if (agree(Buffer.from(JSON.stringify(fields).replaceAll('/', slash)), shape)) taken += 1;
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('that was cut, damaged, or has bytes that are no UTF-8, is never more than its text is', () => {
    fc.assert(
      fc.property(shapeAndFields, damage(), fc.nat(), ([shape, fields], damaged, at) => {
        const whole = bytesOf(fields);
        const cut = whole.subarray(0, at % whole.length);
        agree(damaged(whole), shape);
        agree(cut, shape);
        agree(Buffer.concat([cut, Buffer.from([0xc3]), whole.subarray(cut.length)]), shape);
      }),
      { numRuns: 300 },
    );
  });

  it('is any JSON text or none at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\au0 ') })), (given) => {
        agree(Buffer.from(given.replaceAll('a', long)), compareShape);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('pictures are taken as bytes', () => {
  it.each([
    ['once', { source_image: long, target_image: 'AAAA' }],
    ['twice', { source_image: long, target_image: long }],
    ['after escapes', { user_id: 'a "b" \\ \u2028 \ud83d\ude00', source_image: long }],
    ['behind a data URL', { source_image: `data:image/png;base64,${long}` }],
    ['without padding', { source_image: long.slice(0, 3002) }],
  ])('%s', (_, fields) => {
    const found = parseWithPictures(bytesOf(fields), compareShape);
    expect((found!.value as Record<string, unknown>)['source_image']).toBeInstanceOf(Uint8Array);
    agree(bytesOf(fields), compareShape);
  });

  it('in each entry of a list', () => {
    const found = parseWithPictures(bytesOf({ frames: [{ image: long }, { image: long }] }), sessionShape);
    const { frames } = found!.value as { frames: { image: Uint8Array }[] };
    expect(frames.map(({ image }) => Buffer.from(image).toString('base64'))).toEqual([long, long]);
  });
});

describe('a body is left to be parsed as a text', () => {
  it.each([
    ['without a long string', { source_image: 'AAAA' }],
    ['with a long string where no picture belongs', { source_image: long, user_id: long }],
    ['with a long name', { source_image: long, [long]: 1 }],
    ['with a name that comes again', `{"source_image":"${long}","source_image":"AAAA"}`],
    ['with escapes in the base64', `{"source_image":"${long.slice(0, 1500)}\\u0041${long.slice(1500)}"}`],
    ['with a backslash in the base64', `{"source_image":"${long.slice(0, 1500)}\\\\/${long.slice(1500)}"}`],
    ['with line breaks in the base64', { source_image: `${long.slice(0, 2000)}\r\n${long.slice(2000)}` }],
    ['with padding inside', { source_image: `AA==${long}` }],
    ['with a text that is cut off', { source_image: `${long}A` }],
    ['with a control character in the data URL', `{"source_image":"data:image/png;\nbase64,${long}"}`],
    ['that ends in the string', `{"source_image":"${long}`],
    ['that is a picture', JSON.stringify(long)],
    ['that is a list', [{ source_image: long }]],
    ['behind too many strings', { other: Array(1000).fill(''), source_image: long }],
  ])('%s', (_, body) => {
    expect(parseWithPictures(bytesOf(body), compareShape)).toBeNull();
  });
});
