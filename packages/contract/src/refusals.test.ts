import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RefusalRow, SentenceRow } from './refusals/sentence.ts';
import { statuses } from './refusals/statuses.ts';
import {
  type PhraseCode,
  phrase,
  phrases,
  type RefusalCode,
  type RefusalParamsArgument,
  refusalSentence,
  refusals,
  toldRefusal,
} from './refusals.ts';

const slotsOf = (text: string) => [...text.matchAll(/\{[^}]*\}/g)].map(([slot]) => slot);
const formats = /^\{\w+(:(similarity|json|quoted|person|phrase\??|list|rules|sentences))?\}$/;

describe('the table', () => {
  const rows = Object.entries<SentenceRow>({ ...refusals, ...phrases });

  it.each(rows)('%s has the same placeholders in both languages, of known formats', (_, { en, id }) => {
    for (const slot of slotsOf(en)) expect(slot).toMatch(formats);
    expect(slotsOf(id).filter((slot) => !slotsOf(en).includes(slot))).toEqual([]);
    expect(en.replace(/\{[^}]*\}/g, '')).not.toContain('{');
  });

  it('has a sentence of its own in Indonesian', () => {
    const same = rows.filter(([, { en, id }]) => en === id && /[a-z]{3}/.test(en.replace(/\{[^}]*\}/g, '')));
    expect(same.map(([code]) => code)).toEqual([]);
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
    const codes = tables.flatMap((table) => Object.values<object>(table)).flatMap(Object.keys);
    expect(codes.toSorted()).toEqual(rows.map(([code]) => code).toSorted());
  });
});

describe('a refusal', () => {
  it('is told in English, with its values as they are', () => {
    const face = phrase('largestFace', { found: 3 });
    const told = toldRefusal('faceTooSmall', { field: 'image', face, size: 62, minimum: 100 });
    expect(told).toEqual({
      status: 'faceTooSmall',
      detail:
        'image: the face (the largest of 3) is 62 px, the minimum is 100 px (shorter side of its box); come closer or send a larger picture',
      params: { field: 'image', face, size: 62, minimum: 100 },
    });
    expect(refusalSentence({ error: 'faceTooSmall', params: told.params }, 'id')).toBe(
      'image: wajah (terbesar dari 3) berukuran 62 px, paling sedikit 100 px (sisi pendek kotaknya); mendekatlah atau kirim gambar yang lebih besar',
    );
  });

  it('of another version is not guessed', () => {
    expect(refusalSentence({ error: 'toString' }, 'id')).toBeUndefined();
    expect(refusalSentence({}, 'id')).toBeUndefined();
    expect(refusalSentence({ error: 'faceTooSmall', params: { face: { code: 'newFace' } } }, 'en')).toMatch(
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
