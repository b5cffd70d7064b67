import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@wajah/contract/openapi';
import { RECOMMENDED_PAD_PACK } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../tests/support/sources.ts';
import { textsFor } from '../../../capture/src/texts.ts';
import { padNotice } from '../../../server/src/config/notices.ts';
import { type Language, language } from '../state/preferences.ts';
import * as areas from './messages.ts';
import { tasks } from './operations.ts';

/** Values of placeholders, as a text shows them. */
const values = ['‹1›', '‹2›', '‹3›'];
const textOf = (message: unknown) =>
  typeof message === 'function' ? String(message(...values)) : String(message);

/** Name and texts in English and Indonesian of each message of an area. */
function pairsOf(area: object): (readonly [name: string, english: string, indonesian: string])[] {
  const inLanguage = (chosen: Language) => {
    language.value = chosen;
    return Object.keys(area).map((name) => textOf(area[name as keyof typeof area]));
  };
  const [english, indonesian] = [inLanguage('en'), inLanguage('id')];
  language.value = 'en';
  return Object.keys(area).map((name, at) => [name, english[at]!, indonesian[at]!]);
}

const { messageFor: _, ...named } = areas;

it('no text says that a picture is alive: not of the console, the element, the API, or the documents', () => {
  const ofConsole = Object.values(named).flatMap((area) => pairsOf(area).flat());
  const ofReference = tasks.flatMap(({ operations }) => Object.values(operations));
  const ofElement = ['en', 'id'].map((language) => JSON.stringify(textsFor(language)));
  const documents = [
    'README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];
  const texts = [
    ...ofConsole,
    ...ofReference,
    ...ofElement,
    JSON.stringify(openApiDocument('0.1.0')),
    ...documents.map((name) => readFileSync(join(root, name), 'utf8')),
  ];
  expect(texts.length).toBeGreaterThan(400);
  const claims = [
    /\b(looks|seems|is) (alive|live|real)\b/i,
    /(detects?|checks?|proves?) (that )?a (living|live|real) (person|face)/i,
    /is a bona fide presentation/i,
    /(tampak|terlihat) (hidup|asli)/i,
    /bahwa (orang|wajah)\w* (pada gambar )?(hidup|asli|bona fide|hadir)/i,
  ];
  for (const claim of claims)
    for (const text of texts) expect(claim.exec(text)?.[0], String(claim)).toBeUndefined();
});

it('the notice of a missing PAD pack names it in both languages, in English in the words of the server', () => {
  expect(areas.system.padMissing(padNotice)).toBe(padNotice);
  language.value = 'id';
  expect(areas.system.padMissing(padNotice)).toContain(RECOMMENDED_PAD_PACK);
  language.value = 'en';
});

describe.each(Object.entries(named))('the messages of %s', (_, area) => {
  const pairs = pairsOf(area);

  it('exist in both languages', () => {
    for (const [name, ...texts] of pairs) for (const text of texts) expect(text.trim(), name).not.toBe('');
  });

  it('have the same placeholders in both', () => {
    const blanks = (text: string) => [...text.matchAll(/‹\d›|undefined|\{\w+\}/g)].map(String).sort();
    // Sentences of the server, which are not shown in Indonesian.
    const others = pairs.filter(([name]) => !['padMissing', 'provisional'].includes(name));
    for (const [name, english, indonesian] of others) {
      expect(blanks(indonesian), name).toEqual(blanks(english));
      expect(`${english} ${indonesian}`, name).not.toMatch(/undefined|\{\w+\}/);
    }
  });

  it('are translated', () => {
    const same = pairs.filter(([, english, indonesian]) => english === indonesian && english.includes(' '));
    expect(same.filter(([, text]) => !/^[\d\W]|ms$|HTTP|Client ID/.test(text))).toEqual([]);
  });
});
