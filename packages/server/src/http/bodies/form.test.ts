import { endpoints, UndecodedPicture } from '@wajah/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bracketed, dotted, encodeForm, formOf, unnumbered } from '../../../test/support/form.ts';
import { cut } from '../../../test/support/hostile/cut.ts';
import { damage } from '../../../test/support/hostile/damage.ts';
import { Refusal } from '../../errors.ts';
import { formFields, formShapeOf, partKindOf } from './form-fields.ts';
import { FormReader } from './form-parts.ts';

const sessionShape = formShapeOf(endpoints.submitLivenessSession.request);
const livenessShape = formShapeOf(endpoints.verifyLiveness.request);
const detectShape = formShapeOf(endpoints.detectFaces.request);

const bounds = { rest: 64 * 1024, picture: 1_000_000, pictureFields: ['image'] };

/** @param cuts places at which the form is cut into chunks */
async function fieldsOf(
  { payload, type }: { payload: Buffer; type: string },
  shape = sessionShape,
  cuts: readonly number[] = [],
) {
  const reader = new FormReader(type, bounds, (name) => partKindOf(shape, name), new Set(['image']));
  for (const chunk of cut(payload, cuts)) reader.write(chunk);
  return formFields(reader.end(), shape);
}

/** The fields of these texts and files, in this order. */
async function fieldsOfParts(parts: readonly (readonly [string, string | Blob])[], shape = sessionShape) {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return fieldsOf(await encodeForm(form), shape);
}

/** The body with the pictures of a form as base64. */
function asJson(fields: unknown): unknown {
  const replace = (_: string, value: unknown) =>
    isBytes(value) ? Buffer.from(value.data).toString('base64') : value;
  return JSON.parse(JSON.stringify(fields, replace));
}

/** What a buffer is in JSON. */
function isBytes(value: unknown): value is { readonly data: number[] } {
  return (value as { type?: unknown } | null)?.type === 'Buffer';
}

const file = (bytes: string, type = 'image/jpeg') => new Blob([bytes], { type });

describe('a form', () => {
  // A form as browsers write it has CR LF for each line break of a text.
  const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((one) => one.replaceAll(/[\r\n]/g, ' '));
  const picture = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  const frame = fc.record({ step: text, image: picture }, { requiredKeys: ['step'] });
  const session = fc.record(
    {
      session_id: text,
      nonce: text,
      trx_id: text,
      frames: fc.array(frame, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: [] },
  );

  const cuts = fc.array(fc.nat(), { maxLength: 30 });
  const namings = fc.constantFrom(dotted, bracketed, unnumbered);

  it('has the fields of the JSON body with the same names, in each way to write them', async () => {
    await fc.assert(
      fc.asyncProperty(session, namings, cuts, async (fields, naming, places) => {
        expect(asJson(await fieldsOf(await formOf(fields, naming), sessionShape, places))).toEqual(fields);
      }),
      { numRuns: 100 },
    );
  });

  it('that was cut, damaged or given another boundary has fields or is refused, and always ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        session,
        damage(),
        fc.constantFrom('', 'x'),
        cuts,
        async (fields, damaged, end, places) => {
          const { payload, type } = await formOf(fields);
          const form = { payload: damaged(payload), type: type + end };
          const [whole, inChunks] = await Promise.all(
            [[], places].map((at) => fieldsOf(form, sessionShape, at).catch((error: unknown) => error)),
          );
          if (whole instanceof Error) expect(whole).toBeInstanceOf(Refusal);
          expect(String(inChunks instanceof Error ? inChunks : JSON.stringify(inChunks))).toBe(
            String(whole instanceof Error ? whole : JSON.stringify(whole)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may have lists and objects as JSON, words as repeated fields, and pictures as text', async () => {
    const json = new Blob(['{"angle":"face left"}'], { type: 'application/json' });
    expect(await fieldsOfParts([['face_parameters', '{"eyes":"open"}']], livenessShape)).toEqual({
      face_parameters: { eyes: 'open' },
    });
    const whole = await fieldsOfParts(
      [
        ['attributes', 'pose'],
        ['attributes[]', 'mask'],
        ['image', '/9j/'],
        ['unknown', 'text'],
        ['constructor', 'text'],
      ],
      detectShape,
    );
    expect(whole).toEqual({ attributes: ['pose', 'mask'], image: Buffer.from('/9j/', 'base64') });
    const entry = (step: string) => ['frames', JSON.stringify({ step, image: '/9j/' })] as const;
    expect(await fieldsOfParts([entry('face front'), entry('face left')])).toEqual({
      frames: [
        { step: 'face front', image: Buffer.from('/9j/', 'base64') },
        { step: 'face left', image: Buffer.from('/9j/', 'base64') },
      ],
    });
    // Programs that make each field from an object give it a type and no file name.
    const body = `--b\r\nContent-Disposition: form-data; name="face_parameters"\r\nContent-Type: application/json\r\n\r\n${await json.text()}\r\n--b--\r\n`;
    expect(
      await fieldsOf({ payload: Buffer.from(body), type: 'multipart/form-data; boundary=b' }, livenessShape),
    ).toEqual({ face_parameters: { angle: 'face left' } });
  });
});

it('of a picture as text, a list as JSON with a picture, and an empty file has their bytes', async () => {
  const image = Buffer.alloc(3000, 'picture').toString('base64');
  const bytes = Buffer.from(image, 'base64');
  expect(await fieldsOfParts([['image', image]], detectShape)).toEqual({ image: bytes });
  expect(await fieldsOfParts([['image', new Blob([])]], detectShape)).toEqual({ image: '' });
  const frames = JSON.stringify([{ step: 'front', image }]);
  expect(await fieldsOfParts([['frames', frames]])).toEqual({ frames: [{ step: 'front', image: bytes }] });
});

it('of an empty picture as text has none, and a header alone is a picture without bytes', async () => {
  for (const blank of ['', ' \r\n'])
    expect(await fieldsOfParts([['image', blank]], detectShape)).toEqual({ image: '' });
  const header = await fieldsOfParts([['image', 'data:image/png;base64,']], detectShape);
  expect(header).toEqual({ image: Buffer.alloc(0) });
});

it('of a picture that is too large has its size in its place', async () => {
  const { image } = await fieldsOfParts([['image', new Blob([Buffer.alloc(1_000_001)])]], detectShape);
  expect(image).toEqual(new UndecodedPicture({ tooLarge: 1_000_001 }));
});

describe('a form is refused while it arrives', () => {
  const text = (length: number) => ['nonce', 'x'.repeat(length)] as const;

  it('when all that is no picture is more than the bound', async () => {
    await expect(fieldsOfParts([text(64 * 1024)])).rejects.toThrow(
      'more than 65536 bytes beside its pictures',
    );
    await expect(fieldsOfParts(Array.from({ length: 2000 }, () => ['a', ''] as const))).rejects.toThrow(
      'more than 65536 bytes beside its pictures',
    );
    await expect(fieldsOfParts([['photo', new Blob([Buffer.alloc(70_000)])]])).rejects.toThrow(
      'a file in the field "photo"; allowed are pictures in image',
    );
    await expect(fieldsOfParts([['frames', `[${'{},'.repeat(30_000)}]`]])).rejects.toThrow('more than');
  });

  it('before its end is read', async () => {
    const { payload, type } = await encodeForm(formWith('nonce', 'x'.repeat(200_000)));
    const reader = new FormReader(type, bounds, () => 'text');
    const chunks = [
      ...cut(
        payload,
        Array.from({ length: 200 }, (_, at) => at * 1000),
      ),
    ];
    expect(() => chunks.slice(0, 70).forEach((chunk) => void reader.write(chunk))).toThrow('more than 65536');
  });
});

function formWith(name: string, value: string): FormData {
  const form = new FormData();
  form.append(name, value);
  return form;
}

describe('a form is refused', () => {
  const refused = async (parts: readonly (readonly [string, string | Blob])[], shape = sessionShape) =>
    fieldsOfParts(parts, shape).then(
      (fields) => fields,
      ({ status, detail }: Refusal) => `${status} ${detail}`,
    );

  it('with a file that no field takes', async () => {
    expect(await refused([['file', file('x')]])).toBe(
      'malformed file: found a file; allowed are files in frames[0].image',
    );
    expect(await refused([['frames[0].picture', file('x')]])).toMatch(
      /^malformed frames\[0\]\.picture: found/,
    );
    expect(await refused([['\u202e', file('x')]])).toMatch(/^malformed "U\+202E": found/);
  });

  it('with gaps in a list, with a list twice, or with a text in place of one', async () => {
    expect(await refused([['frames[2].step', 'face front']])).toBe(
      'malformed frames[0]: found nothing, but later entries; count from 0',
    );
    const [list, entry] = [['frames', '[{}]'] as const, ['frames[0].step', 'face front'] as const];
    expect(await refused([list, entry])).toMatch(/^malformed frames\[0\]\.step: found as JSON and/);
    expect(await refused([entry, list])).toMatch(/^malformed frames: found as JSON and/);
    expect(await refused([['frames', 'face front']])).toMatch(
      /^malformed frames: found a text that is not JSON/,
    );
  });

  it('with a boundary of more than 70 characters', async () => {
    const form = (length: number) => {
      const payload = Buffer.from(`--${'b'.repeat(length)}--`);
      return fieldsOf({ payload, type: `multipart/form-data; boundary=${'b'.repeat(length)}` });
    };
    expect(await form(70)).toEqual({});
    await expect(form(71)).rejects.toThrow('found a boundary of 71 characters; allowed are 1 to 70');
  });

  it('with bytes that are no text', async () => {
    const body = Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="nonce"\r\n\r\n\xff\r\n--b--',
      'latin1',
    );
    const fields = fieldsOf({ payload: body, type: 'multipart/form-data; boundary=b' });
    await expect(fields).rejects.toThrow('nonce: found bytes that are not UTF-8; allowed is a text in UTF-8');
  });
});
