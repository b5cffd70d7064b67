import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as features from './features/refusals.ts';
import type { RefusalRow } from './refusals/sentence.ts';
import { statuses } from './refusals/statuses.ts';
import {
  type PhraseCode,
  phrase,
  phrases,
  type Reader,
  type RefusalCode,
  type RefusalParamsArgument,
  refusalSentence,
  refusals,
  refusedField,
  toldRefusal,
} from './refusals.ts';

const slotsOf = (text: string) => [...text.matchAll(/\{[^}]*\}/g)].map(([slot]) => slot);
const formats = /^\{\w+(:(similarity|time|json|quoted|person|phrase\??|list|rules|sentences))?\}$/;

describe('the table', () => {
  const rows = [
    ...Object.entries<RefusalRow>(refusals).map(([code, { sentence }]) => [code, sentence] as const),
    ...Object.entries<string>(phrases),
  ];

  it.each(rows)('%s has placeholders of known formats', (_, sentence) => {
    for (const slot of slotsOf(sentence)) expect(slot).toMatch(formats);
    expect(sentence.replace(/\{[^}]*\}/g, '')).not.toContain('{');
  });

  it('names rows of the status table', () => {
    for (const { status } of Object.values<RefusalRow>(refusals)) expect(statuses).toHaveProperty(status);
  });

  it('gives each code once', async () => {
    const areas = readdirSync(new URL('refusals', import.meta.url)).filter(
      (file) => !['sentence.ts', 'statuses.ts'].includes(file),
    );
    const tables = await Promise.all(
      areas.map((file) => import(new URL(`refusals/${file}`, import.meta.url).href)),
    );
    const codes = [...tables, features].flatMap((table) => Object.values<object>(table)).flatMap(Object.keys);
    expect(codes.toSorted()).toEqual(rows.map(([code]) => code).toSorted());
  });
});

const reader: Reader = {
  isPerson: true,
  similarity: (value) => value.toFixed(2).replace('.', ','),
  time: () => 'January',
};

describe('a refusal', () => {
  it('is a sentence that code takes no fact from', () => {
    const { detail } = toldRefusal('tokenNotFound', {});
    // @ts-expect-error The code of the refusal says it.
    expect(detail.includes('token')).toBe(true);
  });

  it('is told in English, with its values as they are', () => {
    const face = phrase('largestFace', { found: 3 });
    const told = toldRefusal('faceTooSmall', { field: 'image', face, size: 62, minimum: 100 });
    expect(told).toEqual({
      status: 'faceTooSmall',
      detail:
        'image: the face (the largest of 3) is 62 px, the minimum is 100 px (shorter side of its box); come closer or send a larger picture',
      params: { field: 'image', face, size: 62, minimum: 100 },
    });
    expect(refusalSentence({ error: 'faceTooSmall', params: told.params })).toBe(told.detail);
    expect(refusalSentence({ error: 'faceTooSmall', params: told.params }, reader)).toBe(
      'The face (the largest of 3) is 62 pixels, the minimum is 100 pixels (shorter side of its box); come closer or send a larger picture',
    );
  });

  it('is told to people in their language, with numbers and times as they write them', () => {
    const texts = { appendedDiffers: 'kemiripan {similarity:similarity}', since: ' sejak {at:time}' };
    const ofPicture = { error: 'appendedDiffers', params: { similarity: 0.2908, threshold: 0.625 } };
    expect(refusalSentence(ofPicture, { ...reader, texts })).toBe('Kemiripan 0,29');
    const params = { since: { code: 'since', params: { at: '2026-01-31T12:00:00.000Z' } } };
    const suspended = { error: 'userSuspended', params };
    expect(refusalSentence(suspended, { ...reader, texts })).toBeUndefined();
    expect(refusalSentence(suspended, reader)).toBe(
      'This user is suspended since January: stored, and not matched',
    );
    const userSuspended = 'ditangguhkan{since:phrase?}';
    expect(refusalSentence(suspended, { ...reader, texts: { ...texts, userSuspended } })).toBe(
      'Ditangguhkan sejak January',
    );
  });

  it('names fields otherwise where its reader does', () => {
    const nameOf = (field: string) => (field === 'n_face' ? '--faces' : field);
    const reader = { nameOf };
    expect(refusalSentence({ error: 'faceQuotaUsedUp', params: {} }, reader)).toMatch(
      /^--faces: the number of faces/,
    );
    expect(refusalSentence({ error: 'quotaMissing', params: {} }, reader)).toMatch(
      /^n_api_hits, --faces, n_facegallery: /,
    );
    const problem = phrase('theText', { value: 'n_face' });
    const problems = [phrase('fieldProblem', { field: 'n_face', problem })];
    const refused = { error: 'fieldsMalformed', params: { problems } };
    expect(refusalSentence(refused, reader)).toBe('--faces: the text "n_face"');
    expect([refusedField(refused), refusedField({ error: 'galleryNotFound' }), refusedField({})]).toEqual([
      'n_face',
      'facegallery_id',
      undefined,
    ]);
  });

  it('of fields begins with their names', () => {
    const problems = [phrase('fieldProblem', { field: 'user_id', problem: phrase('nothing') })];
    expect(refusalSentence({ error: 'fieldsMalformed', params: { problems } }, reader)).toBe(
      'user_id: nothing',
    );
  });

  it('of another version is not guessed', () => {
    expect(refusalSentence({ error: 'toString' }, reader)).toBeUndefined();
    expect(refusalSentence({}, reader)).toBeUndefined();
    expect(refusalSentence({ error: 'faceTooSmall', params: { face: { code: 'newFace' } } })).toMatch(
      /^\{field\}: newFace is /,
    );
  });

  it('has the parameters of its sentence, by type', () => {
    const code: RefusalCode = 'serverError';
    const part: PhraseCode = 'andOthers';
    expect([code in refusals, part in phrases]).toEqual([true, true]);
    // @ts-expect-error: the minimum is missing
    toldRefusalOf('faceTooSmall', { field: 'image', face: phrase('theFace'), size: 62 });
    // @ts-expect-error: there is no such parameter
    phrase('theFace', { found: 3 });
  });
});

function toldRefusalOf<Code extends RefusalCode>(code: Code, ...[params = {}]: RefusalParamsArgument<Code>) {
  return toldRefusal(code, params);
}
