import { describe, expect, it } from 'vitest';
import { linkTextsFor } from './link-texts.ts';
import { fill, languageOf, reasonTexts, type Texts, textsFor } from './texts.ts';

/** Every place in the texts, with what stands there. */
function places(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : places(value as object, `${path}${name}.`),
  );
}

const [english, indonesian] = [textsFor('en'), textsFor('id-ID')];

describe('the texts', () => {
  it('exist in both languages, with the same placeholders', () => {
    const blanks = (texts: Texts) =>
      places(texts).map(([path, text]) => [path, [...text.matchAll(/\{\w+\}/g)].map(String).sort()]);
    expect(blanks(indonesian)).toEqual(blanks(english));
    const same = places(english).filter(([path, text]) => text === new Map(places(indonesian)).get(path));
    expect(same).toEqual([]);
    for (const [path, text] of [...places(english), ...places(indonesian)]) expect(text, path).not.toBe('');
  });

  it('are English unless a language is requested that has texts', () => {
    for (const language of ['en', 'en-GB', 'fr', '', 'ido', 'constructor']) {
      expect(textsFor(language).start).toBe('Start');
      expect(linkTextsFor(language).proceed).toBe('Continue');
      expect(languageOf(language)).toBe('en');
    }
    for (const language of ['id', 'ID', 'id-ID', 'in']) {
      expect(textsFor(language).start).toBe('Mulai');
      expect(linkTextsFor(language).proceed).toBe('Lanjutkan');
      expect(languageOf(language)).toBe('id');
    }
  });

  it('can be overridden one by one', () => {
    const own = textsFor('id', { title: 'Absen', steps: { 'face left': 'Kiri!' } });
    expect([own.title, own.steps['face left']]).toEqual(['Absen', 'Kiri!']);
    expect(own.steps['face right']).toBe(indonesian.steps['face right']);
  });
});

it('fills in', () => {
  expect(fill('Step {step} of {total} {else}', { step: 2, total: 5 })).toBe('Step 2 of 5 {else}');
});

it('returns the text of each kind of reason once, and a general one for unknown kinds', () => {
  const reasons = [
    'step: steps[1]: no frame shows "face left"',
    'step: steps[2]: no frame shows "face up"',
    'flat: the face moves as a flat picture does',
    'moon: it is in the way',
    'toString: is no reason',
  ];
  const { step, flat, unknown } = english.reasons;
  expect(reasonTexts(reasons, english)).toEqual([step, flat, unknown]);
});
