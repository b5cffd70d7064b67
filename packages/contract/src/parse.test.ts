import { describe, expect, it } from 'vitest';
import { endpoints, parseRequest, statuses } from './index.ts';

const { enrolFace, createGallery, listFaces, verifyLiveness, verifyLivenessBatch } = endpoints;
const enrol = { user_id: 'u', user_name: 'n', facegallery_id: 'g', image: 'aGk=' };

function refusal(result: ReturnType<typeof parseRequest>) {
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value)}`);
  return `${statuses[result.status].status} ${result.detail}`;
}

function value<T>(result: { ok: true; value: T } | { ok: false; detail: string }): T {
  if (!result.ok) throw new Error(result.detail);
  return result.value;
}

describe('missing fields', () => {
  it('are answered in the order of the specification, and named together', () => {
    expect(refusal(parseRequest(enrolFace.request, { user_id: 'u' }))).toMatch(
      /^453 user_name: .*\. facegallery_id: .*\. image: /,
    );
  });

  it('do not hide an earlier field of a wrong type', () => {
    expect(refusal(parseRequest(enrolFace.request, { user_id: 7 }))).toMatch(
      /^400 user_id: found the number 7;/,
    );
  });
});

it('a picture in the place of a list is named as one', () => {
  const { image, ...person } = enrol;
  const parsed = parseRequest(enrolFace.request, { ...person, images: Buffer.from(image, 'base64') });
  expect(refusal(parsed)).toMatch(/^400 images: found one picture; allowed is a list of 2 to 8 pictures/);
});

describe('names', () => {
  const gallery = (facegallery_id: unknown) => parseRequest(createGallery.request, { facegallery_id });

  it('are trimmed and normalised', () => {
    expect(value(gallery('  cafe\u0301 ')).facegallery_id).toBe('caf\u00e9');
    expect(value(gallery('riset.ai@production')).facegallery_id).toBe('riset.ai@production');
  });

  it('have at most 120 code points', () => {
    expect(value(gallery('😀'.repeat(120))).facegallery_id).toBe('😀'.repeat(120));
    expect(refusal(gallery('x'.repeat(5_000_000)))).toMatch(/found 5000000 characters/);
  });

  it('keep what scripts and emoji need', () => {
    expect(value(gallery('नी\u200dल 👩\u200d👧')).facegallery_id).toBe('नी\u200dल 👩\u200d👧');
  });

  it('a whole number is taken as a trx_id, a fraction is not', () => {
    const parsed = (trx_id: unknown) => parseRequest(createGallery.request, { facegallery_id: 'g', trx_id });
    expect(value(parsed(1001)).trx_id ?? '').toBe('1001');
    expect(refusal(parsed(0.5))).toMatch(/^400 trx_id/);
  });

  it('words are taken in any case, with blanks, underscores and hyphens', () => {
    for (const angle of ['Face Front', ' face front ', 'face_front', 'FACE-FRONT', 'Front']) {
      const fields = { image: 'x', face_parameters: { angle, eyes: ' OPEN ' } };
      expect(value(parseRequest(verifyLiveness.request, fields)).face_parameters).toMatchObject({
        angle: 'face front',
        eyes: 'open',
      });
    }
    const wrong = { image: 'x', face_parameters: { angle: 'face frontal' } };
    expect(refusal(parseRequest(verifyLiveness.request, wrong))).toMatch(/^400 face_parameters\.angle/);
  });

  it('are absent in an empty list, as PHP writes no fields, where none is needed', () => {
    expect(parseRequest(endpoints.getCounters.request, [])).toMatchObject({ ok: true });
    expect(refusal(parseRequest(createGallery.request, []))).toMatch(/^400 the body: found a list of 0/);
    expect(refusal(parseRequest(endpoints.getCounters.request, [1]))).toMatch(/^400 the body: found a list/);
  });

  it('are absent where they are null', () => {
    expect(value(parseRequest(createGallery.request, { facegallery_id: 'g', trx_id: null })).trx_id).toBe(
      undefined,
    );
  });
});

describe('booleans and numbers', () => {
  it.each([
    ['false', false],
    ['true', true],
    ['True', true],
    [true, true],
    [null, false],
    [undefined, false],
    ['', false],
  ])('take %j as %j', (given, expected) => {
    expect(value(parseRequest(enrolFace.request, { ...enrol, force_register: given })).force_register).toBe(
      expected,
    );
  });

  it.each([
    ['8', 8],
    [' 8 ', 8],
    ['1e1', 10],
    [3, 3],
    [null, undefined],
  ])('take %j as %j', (given, expected) => {
    expect(value(parseRequest(listFaces.request, { facegallery_id: 'g', limit: given })).limit).toBe(
      expected,
    );
  });
});

describe('single liveness', () => {
  const single = (more: object) => parseRequest(verifyLiveness.request, { image: 'x', ...more });

  it('takes the parameters as an object, or as a list of objects', () => {
    const expected = { angle: 'face left', eyes: 'open' };
    expect(value(single({ face_parameters: { angle: 'left', eyes: 'open' } })).face_parameters).toEqual(
      expected,
    );
    expect(
      value(single({ face_parameters: [{ angle: 'face left' }, { eyes: 'open' }] })).face_parameters,
    ).toEqual(expected);
  });

  it.each([[{}], [[]], [{ angle: null, mouth: '' }], [{ smile: true }]])(
    'needs one parameter: %j',
    (face_parameters) => {
      expect(refusal(single({ face_parameters }))).toMatch(
        /^400 face_parameters: found .* an object with at least one of angle, spoof_detection, eyes, mouth$/,
      );
    },
  );

  it('ignores properties of a prototype', () => {
    const hidden = JSON.parse('[{"__proto__":{"eyes":"open"}}]');
    expect(refusal(single({ face_parameters: hidden }))).toMatch(/^400 face_parameters: found none/);
  });

  it('needs user_id and facegallery_id together, before all else', () => {
    const parameters = { face_parameters: { eyes: 'open' } };
    expect(refusal(single({ ...parameters, user_id: 'u' }))).toMatch(/^454 facegallery_id: found nothing/);
    expect(refusal(single({ ...parameters, facegallery_id: 'g' }))).toMatch(/^452 user_id: found nothing/);
    expect(refusal(parseRequest(verifyLiveness.request, { user_id: 'u' }))).toMatch(/^454 .*image/);
    expect(refusal(single({ ...parameters, user_id: 'u', facegallery_id: 4 }))).toMatch(
      /^400 facegallery_id/,
    );
  });
});

describe('batch liveness', () => {
  const batch = (items: unknown, more: object = {}) =>
    parseRequest(verifyLivenessBatch.request, { batch: items, ...more });
  const item = { image: 'x', face_parameter: 'eyes open' };

  it('has up to 8 entries', () => {
    expect(value(batch(Array(8).fill(item))).batch).toHaveLength(8);
  });

  it('an entry without a picture fails alone', () => {
    expect(value(batch([{ face_parameter: 'up', image: '' }])).batch[0]).toEqual({
      face_parameter: 'face up',
      image: undefined,
      spoof_detection: true,
      face_verification: true,
    });
  });

  it('names the entry that is wrong', () => {
    expect(refusal(batch([item, { image: 3 }]))).toBe(
      '400 batch[1].image: found the number 3; allowed is a JPEG, PNG, WebP or AVIF, as base64 or as a file of a form. batch[1].face_parameter: ' +
        'found nothing; allowed is one of face left, face right, face up, face down, face front, eyes open, ' +
        'eyes closed, mouth open, mouth closed',
    );
  });

  it('cannot ask for more successes than pictures', () => {
    expect(value(batch([item, item], { success_threshold: '2' })).success_threshold).toBe(2);
    expect(refusal(batch([item], { success_threshold: 2 }))).toMatch(
      /^400 success_threshold: found 2; .* 1 to 1,/,
    );
  });
});

it('never repeats a password', () => {
  const parsed = parseRequest(endpoints.clientToken.request, { client_id: 'a', password: 987654 });
  expect(refusal(parsed)).toBe('400 password: found a number; allowed is a text');
});
